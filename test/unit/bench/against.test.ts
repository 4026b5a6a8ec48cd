import { expect, test } from 'vitest';

import { comparePart, countJudged, renderComparison, type RunPair } from '../../../bench/against/report.ts';
import { betterDirection, judge, studentQuantile, type Pair } from '../../../bench/against/rule.ts';
import { parseFigures, parseUsage, type PartRun, type ReadFigure } from '../../../bench/against/run-part.ts';
import { createCpuTally, type ProcessSample } from '../../../bench/against/tree-cpu.ts';
import { readOptions, USAGE } from '../../../bench/options.ts';

const SEEDS = 1_000;
const FIGURES = 20; // as many as the default parts have

// Park and Miller's generator, and Box and Muller's transform: the same noise in every run of the test.
function createNoise(seed: number): () => number {
  let state = seed * 7_919 + 1;
  const uniform = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  uniform();
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

function makePairs(noise: () => number, pairs: number, spread: number, slowdown = 1): Pair[] {
  return Array.from({ length: pairs }, () => ({
    a: 1000 * Math.exp(spread * noise()),
    b: (1000 / slowdown) * Math.exp(spread * noise()),
  }));
}

function shareOfSeeds(isAlarm: (noise: () => number) => boolean): number {
  const alarms = Array.from({ length: SEEDS }, (_, seed) => isAlarm(createNoise(seed)));
  return alarms.filter(Boolean).length / SEEDS;
}

test('noise alone raises an alarm in at most 5 % of comparisons, with few pairs and with many', () => {
  for (const pairs of [3, 5, 10]) {
    const share = shareOfSeeds((noise) =>
      Array.from({ length: FIGURES }, () => judge(makePairs(noise, pairs, 0.05), 'more', FIGURES)).some(
        ({ verdict }) => verdict === 'worse',
      ),
    );
    expect(share).toBeLessThanOrEqual(0.05);
  }
});

test('noise with outliers, in which a tenth of the runs is a third slower, raises no more alarms', () => {
  const share = shareOfSeeds((noise) => {
    const withOutliers = () =>
      makePairs(noise, 5, 0.05).map(({ a, b }) => ({
        a: noise() > 1.28 ? a * 0.67 : a,
        b: noise() > 1.28 ? b * 0.67 : b,
      }));
    return Array.from({ length: FIGURES }, () => judge(withOutliers(), 'more', FIGURES)).some(
      ({ verdict }) => verdict === 'worse',
    );
  });
  expect(share).toBeLessThanOrEqual(0.05);
});

test('a slowdown of 10 % with 5 % of noise in each run raises an alarm: alone with 10 pairs, as one of 20 figures with 16', () => {
  const share = (pairs: number, figures: number) =>
    shareOfSeeds((noise) => judge(makePairs(noise, pairs, 0.05, 1.1), 'more', figures).verdict === 'worse');
  expect(share(10, 1)).toBeGreaterThanOrEqual(0.95);
  expect(share(16, FIGURES)).toBeGreaterThanOrEqual(0.9);
});

test('a slowdown of 10 % with 2 % of noise, as CPU times have, mostly raises an alarm with the default number of pairs', () => {
  const share = shareOfSeeds(
    (noise) => judge(makePairs(noise, 5, 0.02, 1.1), 'more', FIGURES).verdict === 'worse',
  );
  expect(share).toBeGreaterThanOrEqual(0.7);
});

test('the direction decides which change is worse', () => {
  const pairs = makePairs(createNoise(1), 8, 0.01, 1.2);
  expect(judge(pairs, 'more', 1)).toMatchObject({ verdict: 'worse' });
  expect(judge(pairs, 'less', 1)).toMatchObject({ verdict: 'better' });
  expect(judge(pairs, null, 1)).toMatchObject({ verdict: 'no difference' });
});

test('a change below the tolerance is no difference, even without noise', () => {
  const pairs = (b: number) => Array.from({ length: 5 }, () => ({ a: 1000, b }));
  expect(judge(pairs(1009), 'less', 1).verdict).toBe('no difference');
  expect(judge(pairs(1011), 'less', 1)).toMatchObject({ verdict: 'worse', ratio: 1.011, lowest: 1.011 });
});

test('a count of errors is worse if most runs of B have errors and none of A has', () => {
  const counts = (...values: number[]) => values.map((b) => ({ a: 0, b }));
  expect(judge(counts(0, 3, 1), 'less', 1).verdict).toBe('worse');
  expect(judge(counts(0, 0, 1), 'less', 1).verdict).toBe('no difference');
  expect(judge([...counts(3, 1), { a: 1, b: 1 }], 'less', 1).verdict).toBe('no difference');
});

test('quantiles of Student’s t are those of the tables', () => {
  expect(studentQuantile(0.95, 1)).toBeCloseTo(6.314, 3);
  expect(studentQuantile(0.95, 4)).toBeCloseTo(2.132, 3);
  expect(studentQuantile(0.975, 9)).toBeCloseTo(2.262, 3);
  expect(studentQuantile(0.99, 3)).toBeCloseTo(4.541, 3);
});

test('a target tells which direction is better, then the unit; raw limits and their shares are not judged', () => {
  expect(betterDirection({ id: 'gate.1', unit: '/s' })).toBe('more');
  expect(betterDirection({ id: 'end-to-end.cpu', unit: 'ms' })).toBe('less');
  expect(betterDirection({ id: 'bounces.found', unit: '%', target: { atLeast: 90 } })).toBe('more');
  expect(betterDirection({ id: 'bounces.share-x', unit: '%' })).toBeNull();
  expect(betterDirection({ id: 'end-to-end.missing', unit: '', target: { atMost: 0 } })).toBe('less');
  expect(betterDirection({ id: 'end-to-end.raw.smtp', unit: '/s' })).toBeNull();
  expect(betterDirection({ id: 'gate.1.share', unit: '%', target: { atLeast: 60 } })).toBeNull();
});

function makeRun(scale: number, figures: Partial<ReadFigure>[]): PartRun {
  return {
    figures: figures.map((figure) => ({ what: 'CPU time of each', unit: 'ms', value: scale, ...figure })),
    cpu: { sender: 10 * scale, bench: 0.001 },
    loopMs: 100,
  };
}

test('figures are matched by id, or by text and place where a bench printed them only', () => {
  const named = [
    { id: 'x.one.cpu', detail: 'sender 0.40, load 0.1' },
    { id: 'x.two.cpu' },
    { id: 'x.new.cpu' },
  ];
  const printed = [{ value: 1 }, { value: 5 }];
  const pairs: RunPair[] = [1, 2, 3].map(() => ({ a: makeRun(1, printed), b: makeRun(1, named) }));
  expect(countJudged([{ part: 'grpc', pairs }])).toBe(2);
  const { rows } = comparePart({ part: 'grpc', pairs }, 2);
  expect(rows.map(({ id, a, b, verdict }) => [id, a, b, verdict])).toEqual([
    ['x.one.cpu', 1, 1, 'no difference'],
    ['x.two.cpu', 5, 1, 'better'],
  ]);
  expect(rows[0]?.byProcess).toEqual({ sender: { a: 0, b: 0.4 }, load: { a: 0, b: 0.1 } });
});

test('the text has medians, ratios, the fixed loop, the verdict and the CPU time by process', () => {
  const one = (value: number) => [
    { id: 'end-to-end.cpu', value, parts: { api: value / 2, sender: value / 2 } },
  ];
  const pairs = [1, 1.01, 0.99].map((noise) => ({ a: makeRun(1, one(1)), b: makeRun(2, one(2 * noise)) }));
  const text = renderComparison(comparePart({ part: 'end-to-end', pairs }, 1));
  expect(text).toContain('end-to-end.cpu: CPU time of each');
  expect(text).toContain(
    'A 1 ms, B 2 ms, ratio 2.000 (1.980 to 2.020); fixed loop 100, 100 ms; WORSE (+100 %)',
  );
  expect(text).toContain('CPU ms by process: api 0.500 → 1.000, sender 0.500 → 1.000');
  expect(text).toContain('CPU s of a whole run: sender 10.00 → 20.00');
  expect(text).not.toContain('The machine was not equally fast');
  for (const { b } of pairs) b.loopMs = 120;
  expect(renderComparison(comparePart({ part: 'end-to-end', pairs }, 1))).toContain(
    'the fixed loop took 1.200 times as long in B',
  );
});

test('figures are read from printed lines', () => {
  const lines = [
    '  10 s  gate, one message a call: 13116 decisions/s',
    '  23 s     Gate decisions, one message a call: 13,100/s (≥ 50,000/s: missed by 73.8 %)',
    ' 111 s     CPU time of each: 0.76 ms',
    '1111 s     Accepted but not delivered, or delivered twice: 0 (≤ 0: met)',
    ' 111 s     Share of the echo stream, delivery held back: 48.2 % (≥ 50 %: missed by 3.51 %)',
    ' 111 s     Raw: messages inserted, 100 to a commit: 30,100/s',
    ' 112 s     Growth of sender: n/a %',
  ];
  expect(parseFigures(lines)).toEqual([
    { what: 'Gate decisions, one message a call', value: 13_100, unit: '/s' },
    { what: 'CPU time of each', value: 0.76, unit: 'ms' },
    { what: 'Accepted but not delivered, or delivered twice', value: 0, unit: '' },
    { what: 'Share of the echo stream, delivery held back', value: 48.2, unit: '%' },
    { what: 'Raw: messages inserted, 100 to a commit', value: 30_100, unit: '/s' },
  ]);
});

test('a usage text states the parts and whether results are written', () => {
  expect(parseUsage(USAGE, 'B')).toMatchObject({ writesResults: true });
  expect(parseUsage(USAGE, 'B').parts).toContain('end-to-end');
  const older =
    "Unknown option '--help'\n\nnpm run bench [-- options]\n  --only a,b     parts: gate, grpc\n  --quick\n";
  expect(parseUsage(older, 'A')).toEqual({ parts: ['gate', 'grpc'], writesResults: false });
  expect(() => parseUsage('Cannot find module', 'A')).toThrow('A has no bench that can be run');
});

test('options of a comparison', () => {
  expect(readOptions(['--against', 'HEAD~1', 'inbound', 'grpc', '--quick'])).toMatchObject({
    against: 'HEAD~1',
    parts: ['grpc', 'inbound'],
    pairs: 5,
    quick: true,
  });
  expect(readOptions(['--against', 'main', '--only', 'gate'])).toMatchObject({ parts: ['gate'] });
  expect(readOptions(['--against', 'main'])).toHaveProperty('parts.length', 5);
  expect(readOptions(['--against', 'main', 'grcp'])).toEqual({ problem: 'there is no part "grcp"' });
  expect(readOptions(['--against', 'main', '--pairs', '2'])).toEqual({ problem: '--pairs takes 3 to 50' });
  expect(readOptions(['--against', 'main', '--profile'])).toHaveProperty('problem');
});

function processOf(pid: number, parent: number, command: string, own: number, ended = 0): ProcessSample {
  return { pid, parent, startedAt: pid, own, ended, command };
}

test('CPU time is summed by process, with children that ended, each counted once', () => {
  const tally = createCpuTally(1);
  const bench = (ended: number) => processOf(1, 0, 'node bench/run.ts', 1, ended);
  tally.add([
    bench(0),
    processOf(2, 1, '/usr/lib/postgresql/17/bin/postgres -D data', 1),
    processOf(3, 2, 'postgres: postrider bench [local]', 4),
    processOf(4, 1, 'node --max-semi-space-size=4 /x/sender/main.ts', 2),
    processOf(5, 4, 'node render-worker.ts', 1),
    processOf(6, 1, 'node /x/bench/workers/grpc-client.ts', 7),
    processOf(9, 8, 'node /elsewhere/sender/main.ts', 99),
  ]);
  // A session of PostgreSQL ended, and so did the sender and the client: the bench has waited for both.
  tally.add([
    bench(10),
    processOf(2, 1, '/usr/lib/postgresql/17/bin/postgres -D data', 1, 5),
    processOf(7, 1, 'node /x/sender/main.ts', 3),
  ]);
  expect(tally.total()).toEqual({ bench: 1, postgres: 6, sender: 6, 'grpc-client': 7 });
});
