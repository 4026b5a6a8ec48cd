// Whether a test may hold the product to times at all.

const QUICK_MS = 300; // of a request that takes ten on a machine with nothing else to do

/**
 * Whether the machine does what is usual there quickly enough for times to say something of the product. `usualMs` is what the same
 * requests took before, in the same test. Where not, it says so, and the test holds to everything but times.
 */
export function isQuickMachine(usualMs: number): boolean {
  const isQuick = usualMs < QUICK_MS;
  if (!isQuick) console.log(`requests take ${Math.round(usualMs)} ms here: their times are not judged`);
  return isQuick;
}
