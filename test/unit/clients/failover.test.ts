// Calls to senders that end without an answer.

import { expect, test } from 'vitest';

import { maybeStored } from '../../../core/base/errors.ts';
import { createFailover } from '../../../core/clients/failover.ts';

test('calls under way end when the client is closed, and say what may have been done', async () => {
  const health = {
    serving: () => true,
    hopeless: () => false,
    heard: () => {},
    broke: () => {},
    tick: () => false,
    answers: () => Promise.resolve(true),
  };
  let forgotten = 0;
  const target = { health, calls: new Set<() => void>(), seed: 0 };
  const failover = createFailover({
    live: () => [target],
    all: () => [target],
    left: () => {},
    expected: () => false,
  });
  const call = failover.call(() => () => void (forgotten += 1), { effect: 'repeatable' });
  failover.close();
  await expect(call).rejects.toMatchObject({ code: 'unavailable', message: maybeStored(null).message });
  expect(forgotten).toBe(1);
});
