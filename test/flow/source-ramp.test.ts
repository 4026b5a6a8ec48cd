// The daily ramp of new addresses: tiers move by what the mail from each came to, once a day.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import { rampSources } from '../../core/source/ramp-sources.ts';
import { takeShare } from '../../core/source/source-store.ts';
import { TIER_CAPS } from '../../core/warmup/tiers.ts';
import { createContext, type Context } from '../harness/context.ts';
import { makeMessageRow } from '../harness/message-row.ts';

const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const GOOD = '192.0.2.1';
const BAD = '192.0.2.2';
const IDLE = '192.0.2.3';
const TESTED = '192.0.2.4'; // only tests from it bounced

let context: Context;
beforeAll(async () => {
  context = await createContext();
});
afterAll(() => context.close());

// An address at a tier that sent yesterday, with so many messages in each state.
async function sent(address: string, tier: number, delivered: number, bounced: number): Promise<void> {
  const { pool } = context.db;
  await pool.query('insert into sources (address, tier) values ($1, $2)', [address, tier]);
  await pool.query('insert into source_days (address, day, cap, used) values ($1, $2, $3, $4)', [
    address,
    YESTERDAY,
    TIER_CAPS[tier],
    delivered + bounced,
  ]);
  const tenantId = newUuid();
  for (let n = 0; n < delivered + bounced; n++) {
    const state = n < delivered ? 'delivered' : 'bounced';
    const id = await makeMessageRow(context.db, tenantId, { state });
    await pool.query(
      `insert into message_attempts (message_id, attempt, tenant_id, at, duration_ms, esp, reply, outcome, source, source_name)
       values ($1, 1, $2, $3::date + interval '12 hours', 1, 'direct', '', $4, $5, 'mail.example.com')`,
      [id, tenantId, YESTERDAY, state, address],
    );
  }
}
const tiers = async () =>
  (await context.db.pool.query<{ tier: number }>('select tier from sources order by address')).rows.map(
    ({ tier }) => tier,
  );

test('a healthy address moves up, one whose mail bounces down, one without mail stays; a second run changes nothing', async () => {
  const { pool } = context.db;
  await sent(GOOD, 0, 20, 0);
  await sent(BAD, 3, 18, 2);
  await sent(IDLE, 2, 0, 0);
  await sent(TESTED, 3, 18, 2);
  await pool.query(
    `update messages m set origin = 'test' from message_attempts a
     where a.message_id = m.id and a.source = $1 and m.state = 'bounced'`,
    [TESTED],
  );
  await takeShare(pool, GOOD, 1);
  expect(await rampSources(context.buckets, YESTERDAY, false)).toBe(3);
  expect(await tiers()).toEqual([1, 2, 2, 4]);
  const { rows } = await pool.query('select address, cap from source_days where day > $1', [YESTERDAY]);
  expect(rows).toEqual([{ address: GOOD, cap: TIER_CAPS[1] }]);
  const { rows: notices } = await pool.query<{ text: string }>('select text from operations_notices');
  expect(notices).toEqual([{ text: expect.stringContaining(`${BAD} went from tier 3 to 2`) }]);
  expect(await rampSources(context.buckets, YESTERDAY, false)).toBe(0);
  expect(await tiers()).toEqual([1, 2, 2, 4]);
});

test('all senders together take the cap and no more', async () => {
  const { pool } = context.db;
  const address = '192.0.2.9';
  const takers = Array.from({ length: 4 }, async () => {
    const counts: number[] = [];
    for (let last = 1; last > 0;) counts.push((last = (await takeShare(pool, address, 4)).count));
    return counts;
  });
  const counts = (await Promise.all(takers)).flat();
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(TIER_CAPS[0]);
  expect(Math.max(...counts)).toBeLessThanOrEqual(Math.ceil(TIER_CAPS[0] / 16));
});
