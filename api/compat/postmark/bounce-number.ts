// The id of a bounce as Postmark's clients hold it: an integer of 53 bits, made from the UUIDv7 of the event. 42 bits are its
// milliseconds (until the year 2109), 11 are random ones of it: two bounces of a millisecond share a number once in 2,048 times.

import { uuidTimeMs } from '../../../core/base/ids.ts';

const RANDOM_BITS = 11;
const RANDOM = 2 ** RANDOM_BITS;

/** The number of an event. The same event always has the same number. */
export function bounceNumber(uuid: string): number {
  return uuidTimeMs(uuid) * RANDOM + (Number.parseInt(uuid.slice(-3), 16) % RANDOM);
}

/** The lowest UUID after the millisecond of a number: the event with this number is one of the last before it. */
export function afterNumber(id: number): string {
  const hex = (Math.floor(id / RANDOM) + 1).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
