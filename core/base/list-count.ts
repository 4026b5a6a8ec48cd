// How many rows a list has: exact up to a bound, so that a count costs no more than some pages do.

/** Rows that are counted; what has more is "10,000+". About 20 ms of PostgreSQL. */
export const MAX_COUNTED = 10_000;

/** A number of rows. */
export interface ListCount {
  /** At most MAX_COUNTED. */
  count: number;
  /** False where there are more than `count`. */
  isExact: boolean;
}

/** The count of rows that were looked for up to MAX_COUNTED + 1. */
export function toListCount(found: number): ListCount {
  return { count: Math.min(found, MAX_COUNTED), isExact: found <= MAX_COUNTED };
}
