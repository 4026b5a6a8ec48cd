// Tests that can try more than `npm test` has time for say so here. `npm run test:nightly` runs them in their long form.

const IS_LONG = process.env['TEST_FORM'] === 'long';
const GIVEN_SEED = process.env['TEST_SEED'];

/** The first in `npm test`, the second with TEST_FORM=long. */
export function longForm<T>(short: T, long: T): T {
  return IS_LONG ? long : short;
}

/**
 * What random choices of a test begin with: TEST_SEED if it is set, another one with each run in the long form, and the
 * same one in `npm test`, whose result depends on the code alone. A test has it in its name or its messages.
 */
export function testSeed(fixed = 1): number {
  if (GIVEN_SEED !== undefined) return Number(GIVEN_SEED);
  return longForm(fixed, Math.floor(Math.random() * 2 ** 31));
}

/** Every second of the cases of a dear table in `npm test`, all in the long form. */
export function someOf<T>(cases: readonly T[]): T[] {
  return cases.filter((_, index) => longForm(index % 2 === 0, true));
}
