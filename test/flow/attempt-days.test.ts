// The counts that the ramp and the reconciliation go by are those of the messages, after every history, under many writers, and
// for days that an older version recorded. What is wrong all the same is found at night, corrected and reported.

import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { utcDay } from '../../core/base/clock.ts';
import { newUuid } from '../../core/base/ids.ts';
import { BucketClient } from '../../core/db/bucket-client.ts';
import { inBucket } from '../../core/db/bucket-pool.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import { recordOutcomes } from '../../core/message/delivery-store.ts';
import { selectDays } from '../../core/reputation/reputation-store.ts';
import { checkDay } from '../../core/warmup/check-day.ts';
import { readBraked } from '../../core/warmup/brake-store.ts';
import { correctDay } from '../../core/warmup/counted-days.ts';
import { readDifferences } from '../../core/warmup/full-count-store.ts';
import { readDayCounts } from '../../core/warmup/ramp-store.ts';
import { rampTiers } from '../../core/warmup/ramp.ts';
import { acceptBounce } from '../../inbound/accept-bounce.ts';
import { acceptClaims, ATTEMPT, dsnAbout, liveThrough, report } from '../harness/attempt-history.ts';
import { createContext, type Context } from '../harness/context.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { testSeed } from '../harness/form.ts';
import { statementsWaiting } from '../harness/lock-waits.ts';
import { testBucket } from '../harness/test-database.ts';
import { waitUntil } from '../harness/wait.ts';

const MESSAGES = 8_000; // about 12,000 attempts; the bench (part `nights`) has a million
const DAY_MS = 86_400_000;
const DAYS = [-3, -2, -1, 0].map((n) => utcDay(new Date(Date.now() + n * DAY_MS)));
const TODAY = DAYS.at(-1)!;
const COUNTED = ['attempted', 'delivered', 'bounced', 'accepted', 'complained', 'system_accepted'] as const;

const seed = testSeed(); // TEST_SEED tries the same history again, timing aside

let context: Context;
let pool: pg.Pool;
beforeAll(async () => {
  context = await createContext();
  pool = context.db.pool;
});
afterAll(() => context.close());
beforeEach(() => pool.query('truncate messages, message_attempts, events, attempt_days, operations_notices'));

type Counts = Record<string, Record<string, number>>;

/** The counts of a day made by hand, row by row: `domain esp` → counts. */
async function countByHand(day: string): Promise<Counts> {
  const { rows } = await pool.query<Row>(
    `select m.domain_id as domain, m.state, m.id, m.origin, d.built_in and m.rcpt_to ilike '%@simulator.test' as played,
       (select coalesce(jsonb_agg(jsonb_build_object('n', a.attempt, 'day', (a.at at time zone 'UTC')::date::text,
          'esp', a.esp, 'outcome', a.outcome)), '[]') from message_attempts a where a.message_id = m.id) as attempts,
       (select coalesce(jsonb_agg(jsonb_build_object('type', e.type, 'day', (e.occurred_at at time zone 'UTC')::date::text)), '[]')
        from events e where e.message_id = m.id) as events
     from messages m join domains d on d.id = m.domain_id`,
  );
  const counts: Counts = {};
  const add = (domain: string, esp: string, what: (typeof COUNTED)[number]) => {
    const row = (counts[`${domain} ${esp}`] ??= Object.fromEntries(COUNTED.map((one) => [one, 0])));
    row[what]! += 1;
  };
  for (const { domain, state, origin, played, attempts, events } of rows) {
    if (played || origin === 'reset' || origin === 'test') {
      for (const one of attempts)
        if (one.day === day && one.outcome === 'delivered') add(domain, one.esp, 'system_accepted');
      continue;
    }
    const first = attempts.find(({ n }) => n === 1);
    const isReturned = events.some(({ type }) => type === 'bounced');
    if (first?.day === day) {
      add(domain, first.esp, 'attempted');
      if (state === 'bounced' || isReturned) add(domain, first.esp, 'bounced');
      else if (state === 'delivered') add(domain, first.esp, 'delivered');
    }
    for (const one of attempts)
      if (one.day === day && one.outcome === 'delivered') add(domain, one.esp, 'accepted');
    if (events.some((event) => event.type === 'complaint' && event.day === day))
      add(domain, '', 'complained');
  }
  return counts;
}

interface Row {
  domain: string;
  state: string;
  origin: string;
  /** From the built-in domain to the simulator. */
  played: boolean;
  attempts: { n: number; day: string; esp: string; outcome: string }[];
  events: { type: string; day: string }[];
}

async function readCounts(day: string): Promise<Counts> {
  type Kept = Record<(typeof COUNTED)[number], number> & { domain_id: string; esp: string };
  const { rows } = await pool.query<Kept>(
    `select * from attempt_days where day = $1 and (${COUNTED.map((one) => `${one} <> 0`).join(' or ')})`,
    [day],
  );
  return Object.fromEntries(
    rows.map((row) => [
      `${row.domain_id} ${row.esp}`,
      Object.fromEntries(COUNTED.map((one) => [one, row[one]])),
    ]),
  );
}

const differences = async (day: string) => (await readDifferences(pool, day, null, 60_000)).rows;
const accounts = (count: number): Promise<Account[]> =>
  Promise.all(Array.from({ length: count }, () => makeAccount(context.db)));
const builtIn = (of: Account[]) =>
  pool.query('update domains set built_in = true where id = any($1)', [of.map(({ domainId }) => domainId)]);

test(`a random history of ${MESSAGES} messages by four writers counts what its rows say (seed ${seed})`, async () => {
  const of = await accounts(40);
  await builtIn(of.slice(0, 10));
  const attempts = await liveThrough(pool, {
    seed,
    accounts: of,
    messages: MESSAGES,
    batch: 250,
    reportEvery: 25,
    writers: 4,
  });
  expect(attempts).toBeGreaterThan(MESSAGES * 0.9);
  let attempted = 0;
  for (const day of DAYS) {
    const counts = await readCounts(day);
    expect(counts, day).toEqual(await countByHand(day));
    expect(await differences(day), day).toEqual([]);
    attempted += (await readDayCounts(pool, day)).reduce((sum, one) => sum + one.attempted, 0);
  }
  expect(attempted).toBeGreaterThan(MESSAGES * 0.65); // a fifth is mail of the service and tests

  // The same, found again from nothing: what the first nights after an upgrade do.
  await pool.query('truncate attempt_days');
  for (const day of DAYS) {
    await Promise.all([correctDay(pool, day), correctDay(pool, day)]);
    expect(await readCounts(day)).toEqual(await countByHand(day));
  }
});

test('an outcome that waits for the report of its own bounce counts it once', async () => {
  const [account] = await accounts(1);
  for (const kind of ['delivered', 'bounced'] as const) {
    const [claim] = await acceptClaims(pool, [account!]);
    const recorded = await inTransaction(pool, async (client) => {
      const mail = { id: newUuid(), tenantId: account!.tenantId, aboutMessageId: claim!.id };
      await acceptBounce(client, mail, dsnAbout(claim!.rcptTo));
      const attempt = { ...ATTEMPT, at: new Date(), esp: 'direct' };
      const outcome = { claim: claim!, attempt, hard: true, suppresses: null, kind };
      const recording = recordOutcomes(pool, [outcome]);
      await waitUntil(async () => (await statementsWaiting(pool)).length === 1);
      return { recording };
    });
    await recorded.recording;
  }
  expect(await readCounts(TODAY)).toEqual(await countByHand(TODAY));
  expect(Object.values(await readCounts(TODAY))).toEqual([
    { attempted: 2, delivered: 0, bounced: 2, accepted: 1, complained: 0, system_accepted: 0 },
  ]);
});

const SIMULATED = { rcptTo: 'bounced+1@Simulator.test' };
test.each([
  ['a test', { origin: 'test' as const }, false, 0],
  ['mail of the built-in domain to the simulator', SIMULATED, true, 0],
  ['mail of the built-in domain to anybody else', {}, true, 30],
  ['mail of another domain to the simulator', SIMULATED, false, 30],
])(
  '%s: what the ramp, the brake, the score, alerts and providers count of 30 bounces',
  async (_, kind, isBuiltIn, counted) => {
    const [account] = await accounts(1);
    const { tenantId, domainId } = account!;
    if (isBuiltIn) await builtIn([account!]);
    const claims = await acceptClaims(
      pool,
      Array.from({ length: 30 }, () => ({ ...account!, ...kind })),
    );
    const attempt = { ...ATTEMPT, at: new Date(), esp: 'direct', bounceClass: 'invalid_recipient' as const };
    const bounce = { kind: 'bounced' as const, attempt, hard: true, suppresses: null };
    await recordOutcomes(
      pool,
      claims.map((claim) => ({ ...bounce, claim })),
    );
    await report(pool, claims[0]!, false);

    const [braked] = await readBraked(pool, [{ tenantId, domainId }]);
    expect(braked!.counts.all).toMatchObject({ attempted: counted, bounced: counted, unknown: counted });
    expect(braked!.counts.transactional).toMatchObject({ attempted: counted, complained: counted && 1 });
    const days = await selectDays(pool, tenantId, [domainId], TODAY);
    const shown = days[0] ?? { sent: 0, bounced: 0, complained: 0 };
    expect(shown).toMatchObject({ sent: counted, bounced: counted, complained: counted && 1 });
    const { rows: providers } = await pool.query(
      'select sent, bounced, complained from provider_days where tenant_id = $1',
      [tenantId],
    );
    expect(providers).toEqual(counted === 0 ? [] : [{ sent: 30, bounced: 30, complained: 1 }]);
    const now = new Date(Date.parse(TODAY) + DAY_MS + 7_200_000);
    expect(await rampTiers(pool, { now, late: false })).toMatchObject({
      domains: counted && 1,
      pause: counted && 1,
    });
    expect(await differences(TODAY)).toEqual([]);
  },
);

test('an outcome that is fenced off counts nothing', async () => {
  const [account] = await accounts(1);
  const [claim] = await acceptClaims(pool, [account!]);
  const attempt = { ...ATTEMPT, at: new Date(), esp: 'direct' };
  const late = { kind: 'delivered' as const, claim: { ...claim!, claimVersion: 0 }, attempt };
  expect((await recordOutcomes(pool, [late])).size).toBe(0);
  expect(await readCounts(TODAY)).toEqual({});
});

test('days before the first that is counted whole are counted from the rows when they are decided about', async () => {
  const [account] = await accounts(1);
  const claims = await acceptClaims(
    pool,
    Array.from({ length: 20 }, () => account!),
  );
  const at = new Date();
  await recordOutcomes(
    pool,
    claims.map((claim) => ({ kind: 'delivered', claim, attempt: { ...ATTEMPT, at, esp: 'direct' } })),
  );
  await report(pool, claims[0]!, true);
  await pool.query('delete from attempt_days'); // a sender of the version before counted nothing
  const now = new Date(Date.parse(TODAY) + DAY_MS + 7_200_000);
  expect(await rampTiers(pool, { now, late: false })).toMatchObject({ domains: 0 });
  await pool.query('update attempt_counting set first_day = $1::date + 1', [TODAY]);
  expect(await rampTiers(pool, { now, late: false })).toMatchObject({ domains: 1, pause: 1 });
  const { rows } = await pool.query('select * from warmup_rates where domain_id = $1', [account!.domainId]);
  expect(rows).toMatchObject([
    { attempted: 20, delivered: 19, bounced: 1, delivered_on_day: 20, complained: 0 },
  ]);
  await pool.query('update attempt_counting set first_day = $1', ['2000-01-01']);
});

test.each([
  ['all domains', { wholeMs: 10_000, sampleMs: 0, domainMs: 0 }, null],
  ['a sample, when all take too long', { wholeMs: 1, sampleMs: 10_000, domainMs: 5_000 }, 12],
] as const)(
  'a count that is wrong is found in %s, corrected and reported once',
  async (_, limits, sampled) => {
    const of = await accounts(12);
    await liveThrough(pool, { seed, accounts: of, messages: 1_000, batch: 250, reportEvery: 25, writers: 1 });
    const before = await countByHand(TODAY);
    await pool.query(
      `update attempt_days set attempted = attempted + 1, bounced = bounced - 1 where day = $1
       and (domain_id, esp) in (select domain_id, esp from attempt_days where day = $1 limit 3)`,
      [TODAY],
    );
    const found = await checkDay(pool, TODAY, limits);
    expect(found.sampled).toBe(sampled);
    expect(found.corrected.length).toBeGreaterThan(0);
    expect(await readCounts(TODAY)).toEqual(before);
    expect((await checkDay(pool, TODAY, limits)).corrected).toEqual([]);
    const { rows } = await pool.query<{ text: string }>('select text from operations_notices');
    expect(rows).toHaveLength(1);
    expect(rows[0]!.text).toMatch(/counts of attempts of \d domains.* were corrected \(dom_/);
  },
);

test('a ramp that is cut off between its batches moves each of 2,000 domains once, and skips none', async () => {
  const tenantId = newUuid();
  const day = '2026-05-04';
  await pool.query(`insert into tenants (id, name, plan) values ($1, 'Ramp', 'scale')`, [tenantId]);
  await pool.query(
    `insert into domains (id, tenant_id, name, status, verified_at)
     select gen_random_uuid(), $1, 'r' || n || '.test', 'verified', now() from generate_series(1, 2000) n`,
    [tenantId],
  );
  await pool.query(
    `insert into attempt_days (day, tenant_id, domain_id, esp, attempted, delivered, accepted)
     select $2, $1, id, 'direct', 50, 50, 50 from domains where tenant_id = $1`,
    [tenantId, day],
  );
  const now = new Date('2026-05-05T02:00:00Z');
  const decided = async () =>
    (await pool.query(`select from warmup_rates where day = $1`, [day])).rowCount ?? 0;
  const own = new pg.Pool({
    connectionString: context.config.DATABASE_URL,
    application_name: 'ramp',
    Client: BucketClient,
    max: 2,
  });
  const bucket = inBucket(own, testBucket());
  own.on('error', () => {});
  // The last batch, by id, waits for a lock, so that the run cannot end before its connection does.
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query('select from domains where tenant_id = $1 order by id desc limit 1 for update', [
    tenantId,
  ]);
  let ended: unknown;
  const cut = rampTiers(bucket, { now, late: false })
    .catch((error: unknown) => error)
    .then((end) => (ended = end));
  await waitUntil(async () => (await decided()) === 1500);
  // Until it ends: a connection that is between two batches is replaced.
  await waitUntil(async () => {
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ramp' and datname = current_database()`,
    );
    return ended !== undefined;
  });
  expect(await cut).toBeInstanceOf(Error);
  await holder.query('rollback');
  holder.release();
  await own.end();
  const first = await decided();
  expect(first).toBe(1500);
  const rest = await rampTiers(pool, { now, late: false });
  expect(rest).toMatchObject({ domains: 2000, advance: 2000 - first, skipped: first });
  const { rows } = await pool.query(
    `select d.tier, count(h.id)::int as moves, count(*)::int as domains from domains d
     left join warmup_history h on h.domain_id = d.id where d.tenant_id = $1 group by d.id, d.tier`,
    [tenantId],
  );
  expect(rows).toHaveLength(2000);
  expect(rows.every(({ tier, moves }) => tier === 1 && moves === 1)).toBe(true);
});
