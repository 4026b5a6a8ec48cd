import { expect, test } from 'vitest';

import { rankSources } from '../../../sender/source/rank-sources.ts';

const SOURCES = [2, 3, 4, 5].map((n) => ({
  address: `192.0.2.${n}`,
  hostname: `mail${n}.example.com`,
  warmup: false,
}));
const PAIRS = Array.from({ length: 2_000 }, (_, n) => [`domain-${n}`, n % 2 ? 'gmail' : 'outlook'] as const);
const best = (sources: typeof SOURCES) => PAIRS.map(([id, to]) => rankSources(sources, id, to)[0]!.address);

test('all senders find the same order, however their settings list the sources', () => {
  expect(best(SOURCES.toReversed())).toEqual(best(SOURCES));
});

test('domains spread evenly, and each provider of a domain is a choice of its own', () => {
  const chosen = best(SOURCES);
  for (const { address } of SOURCES) {
    const part = chosen.filter((one) => one === address).length / PAIRS.length;
    expect(part).toBeGreaterThan(0.2);
    expect(part).toBeLessThan(0.3);
  }
  const differ = PAIRS.filter(
    ([id]) => rankSources(SOURCES, id, 'gmail')[0] !== rankSources(SOURCES, id, 'outlook')[0],
  );
  expect(differ.length).toBeGreaterThan(PAIRS.length / 2);
});

test('without one source only what it had moves, to all of the others', () => {
  const before = best(SOURCES);
  const after = best(SOURCES.slice(1));
  const gone = SOURCES[0]!.address;
  expect(before.filter((one, n) => one !== after[n]).every((one) => one === gone)).toBe(true);
  expect(new Set(after.filter((_, n) => before[n] === gone)).size).toBe(SOURCES.length - 1);
});
