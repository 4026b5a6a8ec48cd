// Whatever strangers and customers send, no service answers 5xx, ends, or stands in everybody's way. In `npm test` ten
// seconds of it from a fixed seed; `npm run fuzz -- --minutes 10 [--seed N] [--only smtp,mime]` is the whole.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { longForm, testSeed } from '../harness/form.ts';
import { LEAST_CASES } from './lane.ts';
import { fuzz, LANES } from './lanes.ts';
import { openFuzzWorld, type FuzzWorld } from './world.ts';

const { FUZZ_SECONDS, FUZZ_ONLY } = process.env; // of main.ts
const LAG_MS = 100;
// Beside other tests on two cores a service waits for a CPU for longer than that: here only what blocks for long is found.
const SHORT_LAG_MS = 1_000;

const isShort = FUZZ_SECONDS === undefined;
const seconds = Number(FUZZ_SECONDS ?? longForm(10, 300));
const seed = testSeed();
const lanes = (FUZZ_ONLY?.split(',') ?? LANES.map(({ name }) => name)).map((wanted) => {
  const found = LANES.find(({ name }) => name === wanted);
  if (!found) throw new Error(`no lane is called ${wanted}: ${LANES.map(({ name }) => name).join(', ')}`);
  return found;
});

let world: FuzzWorld;
beforeAll(async () => {
  world = await openFuzzWorld();
});
afterAll(() => world.close());

test(`nothing falls (seed ${seed})`, { timeout: (seconds + 300) * 1000 }, async () => {
  const progress = isShort ? () => {} : (line: string) => void process.stderr.write(`${line}\n`);
  const lagMs = isShort ? SHORT_LAG_MS : LAG_MS;
  const { cases, findings, table } = await fuzz(world, { lanes, seed, seconds, lagMs, progress });
  process.stderr.write(`${table}\n`);
  for (const one of findings) {
    process.stderr.write(`\n${one.lane}, --seed ${one.seed}: ${one.what}\n  ${one.example}\n`);
  }
  expect(findings.map(({ lane, seed, what }) => `${lane} ${seed}: ${what}`)).toEqual([]);
  for (const { name } of lanes) expect(cases[name], name).toBeGreaterThanOrEqual(LEAST_CASES);
});
