// To whom the time of the event loop is charged.

import { setTimeout as timer } from 'node:timers/promises';
import { expect, test } from 'vitest';

import { chargeFor, goingOn, whileWaiting } from '../../../core/base/loop-time.ts';
import { threadMs } from '../../harness/thread-time.ts';

function work(ms: number): void {
  for (let spent = 0; spent < ms;) spent += threadMs(() => JSON.stringify({ spent: [spent] }).repeat(2_000));
}

/** Runs what an async function does, and returns what it was charged. */
async function chargedFor(run: () => Promise<void>): Promise<number> {
  let charged = 0;
  await chargeFor((ms) => {
    charged += ms;
  }, run);
  return charged;
}

test('work is charged before and after it waits; waiting, and the work of others meanwhile, is not', async () => {
  const busy = chargedFor(async () => {
    work(50);
    await whileWaiting(timer(50));
    work(50);
  });
  const idle = chargedFor(async () => {
    for (let i = 0; i < 10; i++) await whileWaiting(timer(5));
  });
  const [mine, others] = await Promise.all([busy, idle]);
  expect(mine).toBeGreaterThan(95);
  expect(others).toBeLessThan(mine / 2);
});

test('work that throws is charged, and so is work that goes on in a callback', async () => {
  let charged = 0;
  const failing = chargeFor(
    (ms) => {
      charged += ms;
    },
    async () => {
      await new Promise<void>((resolve) => {
        setTimeout(
          goingOn(() => {
            work(20);
            resolve();
          }),
          5,
        );
      });
      throw new Error('refused');
    },
  );
  await expect(failing).rejects.toThrow('refused');
  expect(charged).toBeGreaterThan(15);
});

test('without anybody to charge, nothing changes', async () => {
  const result = Promise.resolve(1);
  expect(whileWaiting(result)).toBe(result);
  const done = () => 2;
  expect(goingOn(done)).toBe(done);
});
