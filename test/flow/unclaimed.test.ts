// What waits for any sender is shown by all of them together, once: a chart that scales by the average of its pods gets the
// number of senders that it takes.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createMetrics, type Registry } from '../../core/base/metrics.ts';
import { countUnclaimed } from '../../core/message/due-store.ts';
import { createDeliveryWorld, type DeliveryWorld } from '../harness/delivery-world.ts';
import { waitUntil } from '../harness/wait.ts';

let world: DeliveryWorld;
beforeAll(async () => {
  world = await createDeliveryWorld({
    SENDER_MAX_IN_FLIGHT: '1',
    OUTBOUND_TIMEOUT_SECONDS: '60',
    SENDER_DRAIN_SECONDS: '1',
  });
});
afterAll(() => world.close());

async function shown(registry: Registry): Promise<number> {
  const { values } = await registry.getSingleMetric('postrider_delivery_unclaimed')!.get();
  return values[0]!.value;
}

test('each sender shows its part of what is due and claimed by nobody', async () => {
  await world.startPeer('slow.test', { mail: () => ({ hang: true }) });
  const { pool } = world.context.db;
  await world.queueAll(Array.from({ length: 12 }, (_, n) => `r${n}@slow.test`));
  await world.queueAll(['bulk@slow.test'], { stream: 'bulk' });
  expect(await countUnclaimed(pool, ['transactional', 'bulk'])).toBe(13);
  expect(await countUnclaimed(pool, ['bulk'])).toBe(1);
  await world.rows(
    `update messages set next_attempt_at = now() + interval '1 hour' where rcpt_to = 'r11@slow.test'`,
  );
  expect(await countUnclaimed(pool, ['transactional'])).toBe(11);

  const registries = [createMetrics('sender'), createMetrics('sender')];
  for (const metrics of registries) await world.open({ metrics });
  await waitUntil(
    async () => {
      const [one, other] = await Promise.all(registries.map(shown));
      return (
        one === other && one! > 0 && one! * 2 === (await countUnclaimed(pool, ['transactional', 'bulk']))
      );
    },
    { what: 'both to show half of it' },
  );
  expect(await countUnclaimed(pool, ['transactional', 'bulk'])).toBeLessThan(12);
});
