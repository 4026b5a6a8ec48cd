// Moves and sizes in words.

import { addressOf, type Move } from './node.ts';

const UNITS = ['kB', 'MB', 'GB', 'TB'];

/** `b1 to 10.0.0.2:5432: copying data, 1.2 of 3.4 GB`. Indexes are made after the copy, so it ends at less than all. */
export function moveText({ bucket, to, phase, bytes, copiedBytes }: Move): string {
  return `${bucket} to ${addressOf(to)}: ${phase}, ${sizeText(copiedBytes)} of ${sizeText(bytes)} there`;
}

/** `3.8 MB`: in powers of 1000, with two or three digits. */
export function sizeText(bytes: number): string {
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${UNITS[unit]}`;
}
