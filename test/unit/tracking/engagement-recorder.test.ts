// The recorder of opens and clicks: batches, a database that is away, a bound, and nothing lost in silence.

import { pino } from 'pino';
import { expect, test } from 'vitest';

import { newUuid } from '../../../core/base/ids.ts';
import { createEngagementRecorder } from '../../../core/tracking/engagement-recorder.ts';
import type { Hit } from '../../../core/tracking/engagement-store.ts';
import { waitUntil } from '../../harness/wait.ts';

const hit = (messageId = newUuid()): Hit => ({
  id: newUuid(),
  type: 'open',
  tenantId: newUuid(),
  messageId,
  at: new Date(),
  machine: false,
  data: { user_agent: '', ip: '192.0.2.1' },
});

function setUp(record: (hits: Hit[]) => Promise<void>) {
  const lines: { lost?: Record<string, number> }[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const recorder = createEngagementRecorder({
    record: async (hits) => {
      await record(hits);
      return hits;
    },
    log,
  });
  return { recorder, lines };
}

test('what gathers while a batch is written is the next batch', async () => {
  const sizes: number[] = [];
  const { recorder } = setUp(async (hits) => {
    sizes.push(hits.length);
    await new Promise((resolve) => setImmediate(resolve));
  });
  for (let i = 0; i < 1_200; i++) recorder.push(hit());
  await waitUntil(() => recorder.pending() === 0);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1_200);
  expect(sizes.length).toBeLessThanOrEqual(5);
});

test('while the database is away hits are kept, and each is written once it is back', async () => {
  let failures = 3;
  const written: string[] = [];
  const { recorder, lines } = setUp((hits) => {
    if (failures-- > 0) return Promise.reject(Object.assign(new Error('down'), { code: 'ECONNREFUSED' }));
    written.push(...hits.map((one) => one.id));
    return Promise.resolve();
  });
  const hits = Array.from({ length: 10 }, () => hit());
  for (const one of hits) recorder.push(one);
  await waitUntil(() => recorder.pending() === 0);
  expect(written.toSorted()).toEqual(hits.map((one) => one.id).toSorted());
  expect(lines).toEqual([]);
});

test('a hit that PostgreSQL refuses is logged and costs only itself', async () => {
  const written: string[] = [];
  const bad = hit();
  const { recorder, lines } = setUp((hits) => {
    if (hits.includes(bad)) return Promise.reject(new Error('a bug'));
    written.push(...hits.map((one) => one.id));
    return Promise.resolve();
  });
  const good = Array.from({ length: 7 }, () => hit());
  for (const one of [...good.slice(0, 4), bad, ...good.slice(4)]) recorder.push(one);
  await waitUntil(() => recorder.pending() === 0);
  expect(written.toSorted()).toEqual(good.map((one) => one.id).toSorted());
  expect(lines).toMatchObject([{ lost: { 'PostgreSQL refuses it': 1 } }]);
});

test('one message is not recorded without end, and a process that ends says what it could not write', async () => {
  const written: Hit[] = [];
  const { recorder, lines } = setUp(async (hits) => void written.push(...hits));
  const messageId = newUuid();
  for (let i = 0; i < 150; i++) recorder.push(hit(messageId));
  await waitUntil(() => recorder.pending() === 0);
  expect(written).toHaveLength(100);
  expect(lines).toMatchObject([{ lost: { 'too many of one message': 1 } }]);

  const stuck = setUp(() => new Promise(() => {}));
  stuck.recorder.push(hit());
  await stuck.recorder.close();
  expect(stuck.lines).toMatchObject([{ lost: { 'the process ends': 1 } }]);
}, 15_000);
