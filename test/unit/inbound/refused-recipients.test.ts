import { expect, test } from 'vitest';

import { createRefusedRecipients } from '../../../inbound/smtp/refused-recipients.ts';

function counter() {
  const clock = { now: 0, slept: 0 };
  const refused = createRefusedRecipients({
    nowMs: () => clock.now,
    sleep: (ms) => Promise.resolve((clock.slept += ms)),
  });
  const ask = async (address: string, times: number) => {
    clock.slept = 0;
    let ended = 0;
    for (let n = 0; n < times; n++) await refused.count(address).catch(() => ended++);
    return { slept: clock.slept, ended };
  };
  return { clock, ask };
}

test('20 are answered at once, 10 after a second each, and the rest end the session', async () => {
  const { ask } = counter();
  expect(await ask('192.0.2.1', 20)).toEqual({ slept: 0, ended: 0 });
  expect(await ask('192.0.2.1', 10)).toEqual({ slept: 10_000, ended: 0 });
  expect(await ask('192.0.2.1', 2)).toEqual({ slept: 2_000, ended: 2 });
  expect(await ask('192.0.2.2', 20)).toEqual({ slept: 0, ended: 0 });
});

test('a /64 is one client, and after ten minutes it starts again', async () => {
  const { clock, ask } = counter();
  await ask('2001:db8::1', 30);
  expect(await ask('2001:db8::2', 1)).toEqual({ slept: 1_000, ended: 1 });
  clock.now = 600_000;
  expect(await ask('2001:db8::3', 20)).toEqual({ slept: 0, ended: 0 });
});

test('10,000 networks are known at a time, and the oldest goes for a new one', async () => {
  const { ask } = counter();
  await ask('192.0.2.1', 30);
  for (let n = 0; n < 9_999; n++) await ask(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, 1);
  expect((await ask('192.0.2.1', 1)).ended).toBe(1);
  await ask('192.0.2.9', 1);
  expect((await ask('192.0.2.1', 1)).ended).toBe(0);
});
