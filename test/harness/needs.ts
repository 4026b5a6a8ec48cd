// Tests that talk to a program which may not be there: postfix, swaks, chromium, go and the like.

/**
 * Whether tests must skip for this reason; `null` is no reason, and they run. A build machine (CI=true) has every
 * program, so that there a reason is a failure, which says what to install.
 */
export function skips(reason: string | null): boolean {
  if (reason === null) return false;
  if (process.env['CI'] === 'true') throw new Error(`${reason}; with CI=true no test may skip`);
  console.warn(`skipped: ${reason}`);
  return true;
}
