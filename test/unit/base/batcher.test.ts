// Batches: what they are made of, what a bad item costs, and what happens while the store is down.

import { expect, test } from 'vitest';

import { createBatchedLookup } from '../../../core/base/batched-lookup.ts';
import { createBatcher, type Batcher, type BatcherOptions } from '../../../core/base/batcher.ts';

class Down extends Error {}

interface Ended {
  done: number[];
  failed: { item: number; blamed: boolean }[];
  runs: number[][];
}

function open(
  work: (batch: number[], run: number) => Promise<void> | void,
  options: Partial<BatcherOptions<number>> = {},
): Ended & { batcher: Batcher<number> } {
  const ended: Ended = { done: [], failed: [], runs: [] };
  const batcher = createBatcher<number>({
    async run(batch) {
      ended.runs.push(batch);
      await work(batch, ended.runs.length);
      ended.done.push(...batch);
    },
    failed: (item, _error, blamed) => ended.failed.push({ item, blamed }),
    isStoreDown: (error) => error instanceof Down,
    whenDown: 'fail',
    maxItems: 100,
    maxWaiting: 1_000,
    ...options,
  });
  return { ...ended, batcher };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

test('one turn of the event loop is a batch, and what comes while it is in flight the next', async () => {
  const gate = Promise.withResolvers<void>();
  const { batcher, runs } = open((_, run) => (run === 1 ? gate.promise : undefined));
  for (const item of range(0, 3)) batcher.push(item);
  await turn();
  for (const item of range(3, 6)) batcher.push(item);
  await turn();
  expect(runs).toEqual([[0, 1, 2]]);
  expect(batcher.pending()).toBe(6);
  gate.resolve();
  await batcher.drained();
  expect(runs).toEqual([
    [0, 1, 2],
    [3, 4, 5],
  ]);
  expect(batcher.pending()).toBe(0);
});

test('a batch has so many items and bytes at most, but one item however large', async () => {
  const { batcher, runs } = open(() => {}, { maxItems: 3, maxBytes: 10, bytesOf: (item) => item });
  for (const item of [1, 1, 1, 1, 6, 4, 50, 1]) batcher.push(item);
  await batcher.drained();
  expect(runs).toEqual([[1, 1, 1], [1, 6], [4], [50], [1]]);
});

test('two at once: while one waits, the next is sent', async () => {
  const gate = Promise.withResolvers<void>();
  const { batcher, runs } = open(() => gate.promise, { atOnce: 2, maxItems: 2 });
  for (const item of range(0, 6)) batcher.push(item);
  await turn();
  expect(runs).toEqual([
    [0, 1],
    [2, 3],
  ]);
  gate.resolve();
  await batcher.drained();
  expect(runs).toHaveLength(3);
});

test('too much waiting is refused, and taken again once there is less', async () => {
  const { batcher } = open(() => {}, { maxWaiting: 4, maxWaitingBytes: 30, bytesOf: (item) => item });
  expect(range(0, 6).map((item) => batcher.push(item))).toEqual([true, true, true, true, false, false]);
  await batcher.drained();
  expect([batcher.push(20), batcher.push(20)]).toEqual([true, false]);
  await batcher.drained();
});

test('a poisoned batch is split until the culprit is alone: nobody else fails', async () => {
  const bad = [3, 70];
  const { batcher, done, failed, runs } = open((batch) => {
    if (bad.some((item) => batch.includes(item))) throw new Error('a bad item');
  });
  for (const item of range(0, 100)) batcher.push(item);
  await batcher.drained();
  expect(failed).toEqual(bad.map((item) => ({ item, blamed: true })));
  expect(done).toEqual(range(0, 100).filter((item) => !bad.includes(item)));
  expect(runs.length).toBeLessThan(30); // not one run for each item
});

test('a batch of which every item fails is the store’s failure after some splits, not a hundred tries', async () => {
  const { batcher, failed, runs } = open(() => {
    throw new Error('everything is refused');
  });
  for (const item of range(0, 100)) batcher.push(item);
  await batcher.drained();
  expect(failed.map(({ item }) => item).toSorted((a, b) => a - b)).toEqual(range(0, 100));
  expect(failed.some(({ blamed }) => !blamed)).toBe(true);
  expect(runs.length).toBeLessThan(100);
});

test('when the store is down: all fail at once, or are kept until it is back', async () => {
  const down = open(() => {
    throw new Down();
  });
  for (const item of range(0, 9)) down.batcher.push(item);
  await down.batcher.drained();
  expect(down.failed).toEqual(range(0, 9).map((item) => ({ item, blamed: false })));
  expect(down.runs).toHaveLength(1);

  const troubles: boolean[] = [];
  const kept = open((_, run) => (run < 4 ? Promise.reject(new Down()) : undefined), {
    whenDown: 'keep',
    longestPauseMs: 60,
    onTrouble: (_error, _items, storeDown) => troubles.push(storeDown),
  });
  for (const item of range(0, 9)) kept.batcher.push(item);
  await kept.batcher.drained();
  expect(kept.done).toEqual(range(0, 9));
  expect(kept.failed).toEqual([]);
  expect(troubles).toEqual([true, true, true]);
});

test('look-ups share a read; one that cannot be answered fails alone', async () => {
  const reads: number[][] = [];
  const ask = createBatchedLookup<number, string>({
    read(questions) {
      reads.push(questions);
      return Promise.resolve((question) => {
        if (question === 2) throw new Error('unreadable');
        return `answer ${question}`;
      });
    },
    isStoreDown: () => true,
    maxItems: 100,
  });
  const answers = await Promise.allSettled([ask(1), ask(2), ask(3)]);
  expect(answers).toMatchObject([
    { value: 'answer 1' },
    { reason: new Error('unreadable') },
    { value: 'answer 3' },
  ]);
  expect(reads).toEqual([[1, 2, 3]]);
});

test('a hundred thousand items are two hundred full batches', async () => {
  const { batcher, runs } = open(() => {}, { maxItems: 500, maxWaiting: Infinity });
  for (const item of range(0, 100_000)) batcher.push(item);
  await batcher.drained();
  expect(runs).toHaveLength(200);
});
