// Mailboxes that other services write in two fields, in the one that we read.

/** `address` or `"Name" <address>`. What it says is checked where it is parsed. */
export function mailboxText({ email, name }: { email: string; name?: string | null | undefined }): string {
  const shown = name?.trim() ?? '';
  return shown === '' ? email.trim() : `"${shown.replace(/["\\]/g, '\\$&')}" <${email.trim()}>`;
}
