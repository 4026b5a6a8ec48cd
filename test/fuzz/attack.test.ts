// Texts that are expensive to walk, in every place where the API takes one. In `npm test` one place of eight, and what is
// answered; `npm run attack` tries all places with all shapes, and measures what another client waits meanwhile.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { percentile } from '../../bench/campaign-load.ts';
import { PROBE_LIMIT_MS, startProbe } from '../../bench/stack/probe.ts';
import { longForm, testSeed } from '../harness/form.ts';
import { openFuzzWorld, type FuzzWorld } from './world.ts';
import { SHAPES, textCases } from './text-fields.ts';

const AT_ONCE = 4;
const MOST_P99_MS = 1_000; // 300 on a machine that does nothing else (`npm run attack`)
const MOST_MB = 300; // about 200 were seen, most of it in the heaps that glibc keeps for each thread

const every = longForm(8, 1);
const shapes = longForm(1, SHAPES.length);
const seed = testSeed();

let world: FuzzWorld;
beforeAll(async () => {
  world = await openFuzzWorld();
});
afterAll(() => world.close());

test(
  `no text in any field is answered 5xx, or not at all (seed ${seed})`,
  { timeout: 3_600_000 },
  async () => {
    const cases = textCases();
    expect(cases.length).toBeGreaterThan(450);
    const tries = cases
      .filter((_, index) => (index + seed) % every === 0)
      .flatMap((one, index) =>
        Array.from({ length: shapes }, (_, at) => ({ one, shape: (index + seed + at) % SHAPES.length })),
      );
    const { api } = world.services;
    const isMeasured = shapes > 1;
    // Growth counts from an api that has answered each kind of request: what they load and compile stays.
    if (isMeasured) for (const one of cases) await world.ask(one.caller, one.asked('x'));
    const probe = startProbe(Number(api.env['API_HTTPS_PORT']), api.pid);
    const found: string[] = [];
    const next = tries.values();
    const walk = async () => {
      for (const { one, shape } of next) {
        const came = await world.ask(one.caller, one.asked(SHAPES[shape]!(one.most)));
        const wrong = one.judge(came);
        if (wrong !== null) found.push(`${one.name}, shape ${shape}: ${wrong.slice(0, 300)}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, walk));
    const { waits, grownMb } = await probe.stop();
    expect(found).toEqual([]);
    expect(Math.max(...waits), 'ms that another client waits').toBeLessThan(PROBE_LIMIT_MS);
    if (!isMeasured) return;
    const p99 = percentile(waits, 99);
    process.stderr.write(
      `${tries.length} texts; another client waits ${p99} ms (p99), the api grew by ${grownMb} MB\n`,
    );
    expect(p99, 'ms that another client waits').toBeLessThan(MOST_P99_MS);
    expect(grownMb, 'MB more').toBeLessThan(MOST_MB);
  },
);
