// `npm run simulate`: days of one domain with a bad list and a provider that slows down, and the plot that shows them.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { openRedis, type RedisConnection } from '../../core/clients/redis.ts';
import type { Behaviour } from '../../local/simulate/behaviour.ts';
import { toSvg } from '../../local/simulate/plot.ts';
import { simulate } from '../../local/simulate/simulate.ts';
import { openSimulated, type SimulatedDatabase } from '../../local/simulate/simulated-clock.ts';
import { createDeliveryWorld, type DeliveryWorld } from '../harness/delivery-world.ts';

const TAKES_PER_HOUR = 2;
const HOURS_WITH_MAIL = 16; // from 8 to midnight
const healthy = { bounce: 0, soft: 0, complaint: 0 };
const BEHAVIOUR: Behaviour = {
  seed: 3,
  demand: { first_day: 200, growth_per_day: 1.2, most: 800, bulk_share: 0.5 },
  providers: [
    { name: 'gmail', share: 0.5, ...healthy },
    { name: 'others', share: 0.5, ...healthy },
  ],
  incidents: [
    { from_day: 4, to_day: 4, provider: 'gmail', takes_per_hour: TAKES_PER_HOUR, note: 'gmail slows down' },
    { from_day: 6, to_day: 6, bounce: 0.3, note: 'an old list' },
  ],
  resume_after_days: 2,
};

let world: DeliveryWorld;
let simulated: SimulatedDatabase;
let redis: RedisConnection;
beforeEach(async () => {
  world = await createDeliveryWorld();
  const { config, log } = world.context;
  simulated = await openSimulated(config, log);
  redis = await openRedis(config, log);
});
afterEach(async () => {
  await redis.close();
  await simulated.db.close();
  await world.close();
});

test('a slow provider’s mail waits and goes out later, a bad list is braked, and the plot shows both', async () => {
  const { config, log } = world.context;
  const deps = { simulated, redis, keyPrefix: config.KEY_PREFIX, log };
  const days = await simulate(deps, BEHAVIOUR, 7, () => {});
  for (const { sent, cap } of days) expect(sent).toBeLessThanOrEqual(cap);

  const [, , before, slow, after, bad] = days;
  expect(before!.providers['gmail']).toMatchObject({ waiting: 0 });
  const { taken, waiting } = slow!.providers['gmail']!;
  expect(taken).toBeLessThanOrEqual(TAKES_PER_HOUR * HOURS_WITH_MAIL);
  expect(waiting).toBeGreaterThan(taken);
  expect(slow!.providers['others']).toMatchObject({ waiting: 0 });
  expect(after!.providers['gmail']!.taken).toBeGreaterThanOrEqual(waiting);
  expect(bad!.brake).not.toBe('off');

  const svg = toSvg(days, 'Days');
  expect(svg).toContain(`<title>${slow!.date}: ${waiting} wait for gmail</title>`);
  expect(svg).toContain(`an old list; braked (${bad!.brake})`);
});
