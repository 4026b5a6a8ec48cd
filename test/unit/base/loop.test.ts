// A loop: when it looks again, what wakes it, how it backs off, and how it stops.

import { afterEach, expect, test } from 'vitest';

import { startLoop, type Loop, type LoopOptions } from '../../../core/base/loop.ts';
import { waitUntil } from '../../harness/wait.ts';

const NEVER_MS = 3_600_000;

let loop: Loop;
afterEach(() => loop.stop());

/** What the loop said, by level. */
const lines: { level: string; message: string; what: string }[] = [];
const note = (level: string) => (fields: object, message?: string) =>
  void lines.push({ level, message: String(message), ...(fields as { what: string }) });
const log = { info: note('info'), warn: note('warn'), error: note('error') } as unknown as LoopOptions['log'];

function start(step: LoopOptions['step'], options: Partial<LoopOptions> = {}): void {
  lines.length = 0;
  loop = startLoop({ what: 'work', log, step, ...options });
}

test('a step says when the next begins: at once, or later', async () => {
  const answers = [0, 0, 0, NEVER_MS];
  let steps = 0;
  start(() => Promise.resolve(answers[steps++] ?? NEVER_MS));
  await waitUntil(() => steps === 4);
  await new Promise((resolve) => setImmediate(resolve));
  expect(steps).toBe(4);
});

test('waking ends the wait; during a step it makes the next one begin at once', async () => {
  let steps = 0;
  const gate = Promise.withResolvers<void>();
  start(async () => {
    steps++;
    if (steps === 2) await gate.promise;
    return NEVER_MS;
  });
  await waitUntil(() => steps === 1);
  loop.wake();
  await waitUntil(() => steps === 2);
  loop.wake();
  loop.wake();
  gate.resolve();
  await waitUntil(() => steps === 3);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(steps).toBe(3); // two wakes during one step are one
});

test('a failing step is tried again with a growing pause that no wake cuts short', async () => {
  const at: number[] = [];
  start(
    () => {
      at.push(performance.now());
      loop.wake();
      return Promise.reject(new Error('down'));
    },
    { longestPauseMs: 600 },
  );
  await waitUntil(() => {
    loop.wake();
    return at.length === 4;
  });
  const pauses = at.slice(1).map((time, i) => time - at[i]!);
  expect(pauses[0]).toBeGreaterThan(120); // half of 250 ms at least
  expect(pauses[1]).toBeGreaterThan(240);
  expect(pauses[2]).toBeGreaterThan(295); // half of the longest
});

test('trouble of one kind is logged once, another kind again, and its end', async () => {
  const errors = ['down', 'down', 'bug', null];
  let steps = 0;
  start(
    () => {
      const message = errors[steps++];
      return message ? Promise.reject(new Error(message)) : Promise.resolve(NEVER_MS);
    },
    { longestPauseMs: 10, isExpected: (error) => (error as Error).message === 'down' },
  );
  await waitUntil(() => lines.length === 3);
  expect(lines.map(({ level, message }) => `${level}: ${message}`)).toEqual([
    'warn: a step failed; it is tried again',
    'error: a step failed; it is tried again',
    'info: it works again',
  ]);
});

test('stopping signals the step under way, waits for it, and begins no other', async () => {
  let steps = 0;
  let stopped = false;
  const gate = Promise.withResolvers<void>();
  let received: AbortSignal | undefined;
  start(async (signal) => {
    steps++;
    received = signal;
    await gate.promise;
    return 0;
  });
  await waitUntil(() => steps === 1);
  const stopping = loop.stop().then(() => (stopped = true));
  expect(received?.aborted).toBe(true);
  await new Promise((resolve) => setImmediate(resolve));
  expect(stopped).toBe(false);
  gate.resolve();
  await stopping;
  expect(steps).toBe(1);
});

test('stopping ends a wait and a pause after a failure at once', async () => {
  let steps = 0;
  start(() => Promise.resolve(++steps && NEVER_MS));
  await waitUntil(() => steps === 1);
  await loop.stop();
  start(() => Promise.reject(new Error(String(++steps))), { longestPauseMs: NEVER_MS });
  await waitUntil(() => steps >= 2);
  await loop.stop(); // within the limit of a test, though the next look is an hour away
});
