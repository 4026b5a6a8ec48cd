// Numbers of JSON beyond 2^53: readers make another number of them (RFC 8259 section 6), so that an order number of 17 digits
// would be shown wrong.

/** Whether a value is a number that may stand for another than was written. */
export function isInexact(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

/** What is said of one, as the end of a sentence. */
export const INEXACT =
  'must not have numbers beyond 2^53, which JSON does not keep exactly: write them as text';
