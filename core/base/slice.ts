// Long work in slices: what is begun is put back at the end of a slice, so that it holds nothing else of its kind up.

import type { Fail } from './failpoint.ts';

/** How long to work, and how long the claim lasts after each batch. */
export interface Slice {
  sliceMs: number;
  leaseMs: number;
  signal: AbortSignal;
  /** Steps at which a test kills the process. */
  fail: Fail;
}
