// Days that a domain never had, written straight into the counted days, so that the pictures show a domain in the middle
// of its warm-up: growing demand, caps that follow, a week-end of complaints. The real ramp decides each day.

import pg from 'pg';
import { v7 } from 'uuid';

import { nowMs } from '../../core/base/clock.ts';
import { decideRamp, type DayCounts, type RampDecision } from '../../core/warmup/decide-ramp.ts';
import { capOfTier } from '../../core/warmup/tiers.ts';

const DAYS = 10;
const DAY_MS = 86_400_000;
const COMPLAINTS_PER_MILLE: Record<number, number> = { 3: 1.6, 7: 3.4 }; // by day; 0.3 otherwise
const HOURS = 48;

/** A day of the made-up history. */
interface Day extends DayCounts {
  at: number;
  tier: number;
  cap: number;
  deferred: number;
  decision: RampDecision;
}

/** Writes it, and leaves the domain at the tier that it came to. Returns that tier. */
export async function writeHistory(
  databaseUrl: string,
  account: { tenantId: string; domainId: string },
): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const days = makeDays();
    await client.query('begin');
    for (const day of days) {
      await writeDay(client, account, day);
      await writeDecision(client, account, day);
    }
    await writeHours(client, account);
    const tier = days.at(-1)!.decision.toTier;
    await client.query(
      `update domains set tier = $2, verified_at = now() - interval '${DAYS} days' where id = $1`,
      [account.domainId, tier],
    );
    await client.query('commit');
    return tier;
  } finally {
    await client.end();
  }
}

// Yesterday is the last one: today is for real.
function makeDays(): Day[] {
  const today = Math.floor(nowMs() / DAY_MS) * DAY_MS;
  let tier = 0;
  let waiting = 0;
  return Array.from({ length: DAYS }, (_, n) => {
    const cap = capOfTier(tier);
    const demand = waiting + Math.round(cap * (0.9 + 0.4 * Math.sin(n * 1.7)));
    const attempted = Math.min(cap, demand);
    waiting = Math.min(demand - attempted, Math.round(cap * 0.6));
    const bounced = Math.round(attempted * (0.009 + 0.004 * Math.sin(n)));
    const delivered = attempted - bounced;
    const complained = Math.floor((delivered * (COMPLAINTS_PER_MILLE[n] ?? 0.3)) / 1000);
    const counts = { attempted, delivered, bounced, deliveredOnDay: delivered, complained };
    const decision = decideRamp({ tier, state: 'active' }, counts);
    const day = { ...counts, at: today - (DAYS - n) * DAY_MS, tier, cap, deferred: waiting, decision };
    tier = decision.toTier;
    return day;
  });
}

async function writeDay(
  client: pg.Client,
  ids: { tenantId: string; domainId: string },
  day: Day,
): Promise<void> {
  const date = new Date(day.at).toISOString().slice(0, 10);
  const { delivered } = day;
  await client.query(
    'insert into warmup_days (tenant_id, domain_id, day, cap, used) values ($1, $2, $3, $4, $5)',
    [ids.tenantId, ids.domainId, date, day.cap, day.attempted],
  );
  await client.query(
    `insert into domain_days (tenant_id, domain_id, day, simulated, sent, delivered, bounced, hard_bounced, complained,
       opened, clicked, unsubscribed, deferred)
     values ($1, $2, $3, false, $4, $5, $6, $6, $7, $8, $9, $10, $11)`,
    [
      ids.tenantId,
      ids.domainId,
      date,
      day.attempted,
      delivered,
      day.bounced,
      day.complained,
      Math.round(delivered * 0.31),
      Math.round(delivered * 0.062),
      Math.round(delivered * 0.0021),
      day.deferred,
    ],
  );
}

// As the ramp of 02:00 writes it.
async function writeDecision(
  client: pg.Client,
  ids: { tenantId: string; domainId: string },
  { at, tier, decision }: Day,
): Promise<void> {
  const decidedAt = at + DAY_MS + 2 * 3_600_000;
  await client.query(
    `insert into warmup_history (id, tenant_id, domain_id, at, actor, action, from_tier, to_tier, reason, rates)
     values ($1, $2, $3, $4, 'auto-ramp', $5, $6, $7, $8, $9)`,
    [
      v7({ msecs: decidedAt }),
      ids.tenantId,
      ids.domainId,
      new Date(decidedAt),
      decision.action,
      tier,
      decision.toTier,
      decision.reason,
      JSON.stringify(decision.rates),
    ],
  );
}

// Events of the last two days by hour, busier by day than by night.
async function writeHours(client: pg.Client, ids: { tenantId: string; domainId: string }): Promise<void> {
  await client.query('alter table events disable trigger events_count'); // these days are counted already
  for (let hour = 1; hour < HOURS; hour++) {
    const at = nowMs() - hour * 3_600_000;
    const busy = Math.round(260 + 180 * Math.sin(((new Date(at).getUTCHours() - 8) / 24) * 2 * Math.PI));
    const rows = Array.from({ length: busy }, (_, n) => ({
      id: v7({ msecs: at, seq: n }),
      type: n % 40 === 39 ? 'bounced' : n % 3 === 2 ? 'open' : n % 13 === 12 ? 'click' : 'delivered',
      recipient: `reader${hour * 500 + n}@example.net`,
    }));
    await client.query(
      `insert into events (id, tenant_id, type, message_id, domain_id, recipient, occurred_at, data)
       select q.id, $1, q.type, q.id, $2, q.recipient, $3, '{}'
       from unnest($4::uuid[], $5::text[], $6::text[]) as q(id, type, recipient)`,
      [
        ids.tenantId,
        ids.domainId,
        new Date(at),
        rows.map((row) => row.id),
        rows.map((row) => row.type),
        rows.map((row) => row.recipient),
      ],
    );
  }
  await client.query('alter table events enable trigger events_count');
}
