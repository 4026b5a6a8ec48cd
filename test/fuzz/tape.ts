// Where generators take their choices from: a list of numbers that fast-check makes and shortens. At its end every choice
// is the first one, so a generator always comes to an end, and a shorter tape with smaller numbers is a simpler case.

import fc, { type Arbitrary } from 'fast-check';

/** Choices, one after the other. */
export interface Tape {
  /** A whole number from 0 to `n` - 1. */
  under(n: number): number;
  /** One of the list, the first at the end of the tape. */
  of<T>(list: readonly [T, ...T[]]): T;
  /** True in so many of 100 cases, false at the end of the tape. */
  chance(percent: number): boolean;
  /** Up to `most` of what `make` gives, none at the end of the tape. */
  many<T>(most: number, make: () => T): T[];
  /** What one of these makes, the first at the end of the tape. */
  one<T>(...makers: [() => T, ...(() => T)[]]): T;
}

const MAX_CHOICES = 300;
const MAX_CHOICE = 2 ** 31 - 1;

/** An arbitrary of what `make` builds from its choices. */
export function fromTape<T>(make: (tape: Tape) => T): Arbitrary<T> {
  const numbers = fc.array(fc.nat(MAX_CHOICE), { maxLength: MAX_CHOICES, size: 'max' });
  return numbers.map((list) => make(playTape(list)));
}

function playTape(numbers: readonly number[]): Tape {
  let at = 0;
  const tape: Tape = {
    under: (n) => (numbers[at++] ?? 0) % n,
    of: (list) => list[tape.under(list.length)] ?? list[0],
    chance: (percent) => tape.under(100) >= 100 - percent,
    many: (most, make) => Array.from({ length: tape.under(most + 1) }, make),
    one: (...makers) => tape.of(makers)(),
  };
  return tape;
}
