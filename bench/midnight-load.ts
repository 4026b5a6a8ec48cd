// Part "midnight": what senders with nothing due cost PostgreSQL, by how many there are; then a million deferred messages
// of 10,000 domains that become due at one moment, while receipts are accepted over REST and gRPC.
// A third of the domains have a cap of half of what waits: that much is released, exactly, and the rest waits a day.

import { sleep } from '../core/base/clock.ts';
import { fromId } from '../core/base/ids.ts';
import { OutgoingMessage } from '../core/gen/sender/v1/sender.ts';
import { TIER_CAPS } from '../core/warmup/tiers.ts';
import { percentile } from './campaign-load.ts';
import type { Figure } from './figure.ts';
import { startGrpcReceipts, startReceipts } from './receipts.ts';
import { makeMail } from './sample-mail.ts';
import type { Bench } from './stack/bench.ts';
import { postgresTime } from './stack/cpu-time.ts';
import { startStack, type Stack } from './stack/stack.ts';

const DOMAINS = 10_000;
const QUICK_DOMAINS = 1_000;
const EACH = 100; // deferred messages of a domain
const TIERS = [1, 1, 0] as const; // the third has a cap of half of EACH
const IDLE_SENDERS = [1, 4, 16];
const SETTLE_MS = 4_000;
const IDLE_MS = 20_000;
const QUICK_IDLE_MS = 10_000;
const SENDERS = 2; // that release
const RECEIPT_EVERY_MS = 50; // of each kind
const BEFORE_MS = 20_000;
const LOOK_MS = 500;
const LIMIT_MS = 60_000;
const GIVE_UP_MS = 10 * 60_000;
const PIECE = 100_000; // rows of one INSERT
const FILL_PER_SECOND = 8_000; // less than any machine so far

/** Runs the part. */
export async function measureMidnight(bench: Bench): Promise<Figure[]> {
  const domains = bench.options.quick ? QUICK_DOMAINS : DOMAINS;
  const idle: Figure[] = [];
  for (const senders of IDLE_SENDERS) idle.push(...(await measureIdle(bench, senders, domains)));
  return [...idle, ...(await measureRelease(bench, domains))];
}

async function measureIdle(bench: Bench, senders: number, domains: number): Promise<Figure[]> {
  const stack = await startStack(bench, { senders, part: 'midnight' });
  try {
    await fillDomains(stack, domains);
    await sleep(SETTLE_MS);
    const before = await readWork(bench, stack);
    const idleMs = bench.options.quick ? QUICK_IDLE_MS : IDLE_MS;
    await sleep(idleMs);
    const after = await readWork(bench, stack);
    const seconds = idleMs / 1000;
    const perSecond = (after.transactions - before.transactions) / seconds;
    const rows = (after.rows - before.rows) / seconds;
    const cpu = ((after.cpu - before.cpu) * 1000) / seconds;
    bench.log(
      `${senders} idle senders: ${perSecond.toFixed(1)} transactions/s, ${Math.round(rows)} rows read/s, ${cpu.toFixed(0)} ms/s`,
    );
    return [
      {
        id: `midnight.idle.${senders}`,
        what: `CPU of PostgreSQL a second, ${senders} idle sender${senders > 1 ? 's' : ''}`,
        detail: `${domains} domains, nothing due; ${perSecond.toFixed(1)} transactions/s, ${Math.round(rows)} rows read/s`,
        value: cpu,
        unit: 'ms',
      },
    ];
  } finally {
    await stack.close();
  }
}

async function readWork(bench: Bench, { db }: Stack) {
  await db.pool.query('select pg_stat_force_next_flush()');
  const { rows } = await db.pool.query<{ transactions: number; rows: number }>(
    `select (xact_commit + xact_rollback)::float8 as transactions, (tup_returned + tup_fetched)::float8 as rows
     from pg_stat_database where datname = current_database()`,
  );
  return { ...rows[0]!, cpu: await postgresTime(bench) };
}

async function measureRelease(bench: Bench, domains: number): Promise<Figure[]> {
  const count = domains * EACH;
  const options = { api: true, senders: SENDERS, holdMail: true, part: 'midnight' };
  const stack = await startStack(bench, options);
  try {
    await fillDomains(stack, domains);
    const readyInMs = (count / FILL_PER_SECOND) * 1000 + BEFORE_MS;
    const midnight = new Date(Date.now() + readyInMs);
    await fillMessages(stack, domains, midnight);
    const rest = await startReceipts(stack, RECEIPT_EVERY_MS);
    const grpc = startGrpcReceipts(stack, RECEIPT_EVERY_MS);
    const leftMs = midnight.getTime() - Date.now();
    if (leftMs < BEFORE_MS / 2) throw new Error(`filling in took ${-leftMs} ms too long`);
    await sleep(Math.max(0, leftMs - BEFORE_MS));
    rest.take();
    grpc.take();
    await sleep(midnight.getTime() - Date.now() - LOOK_MS);
    const early = await countAdmitted(stack, null);
    const before = { rest: percentile(rest.take(), 99), grpc: percentile(grpc.take(), 99) };
    const refused = Object.entries(before).filter(([, ms]) => !Number.isFinite(ms));
    if (refused.length > 0)
      throw new Error(`receipts were refused before midnight: ${refused.map(([way]) => way).join(', ')}`);
    await sleep(LOOK_MS);
    const cpuBefore = await postgresTime(bench);
    let leftAtLimit: number | null = null;
    while (await isDue(stack)) {
      const ms = Date.now() - midnight.getTime();
      if (ms > LIMIT_MS) leftAtLimit ??= await countDue(stack);
      if (ms > GIVE_UP_MS) throw new Error('the release did not end');
      await sleep(LOOK_MS);
    }
    const seconds = (Date.now() - midnight.getTime()) / 1000;
    const cpu = (await postgresTime(bench)) - cpuBefore;
    const during = { rest: percentile(rest.take(), 99), grpc: percentile(grpc.take(), 99) };
    await Promise.all([rest.stop(), grpc.stop()]);
    const admittedEarly = early + (await countAdmitted(stack, midnight));
    const wrong = await countWrongDomains(stack);
    bench.log(
      `${count} messages of ${domains} domains in ${seconds.toFixed(1)} s, ${leftAtLimit ?? 0} left at 60 s`,
    );
    return [
      {
        id: 'midnight.seconds',
        what: 'Deferred messages per second at midnight, until none that is due is left',
        detail: `${count} of ${domains} domains in ${seconds.toFixed(1)} s, ${SENDERS} senders, delivery held back`,
        value: count / seconds,
        unit: '/s',
        target: { atLeast: count / (LIMIT_MS / 1000) },
      },
      {
        id: 'midnight.left',
        what: 'Left after 60 s',
        value: leftAtLimit ?? 0,
        unit: '',
        target: { atMost: 0 },
      },
      { id: 'midnight.early', what: 'Released early', value: admittedEarly, unit: '', target: { atMost: 0 } },
      {
        id: 'midnight.wrong',
        what: 'Domains that released more or fewer than their cap lets them',
        value: wrong,
        unit: '',
        target: { atMost: 0 },
      },
      {
        id: 'midnight.cpu',
        what: 'CPU of PostgreSQL for each of them',
        value: (cpu * 1000) / count,
        unit: 'ms',
      },
      ...(['rest', 'grpc'] as const).map((way): Figure => ({
        id: `midnight.p99.${way}`,
        what: `p99 of accepting meanwhile, ${way === 'rest' ? 'REST' : 'gRPC'} at ${1000 / RECEIPT_EVERY_MS}/s`,
        value: during[way],
        unit: 'ms',
        target: { atMost: before[way] * 2 },
        raw: { what: 'the same before midnight', value: before[way], unit: 'ms' },
      })),
    ];
  } finally {
    await stack.close();
  }
}

// Domains over all tenants but the second, which sends the receipts; keys and contents as the seed has them.
async function fillDomains({ db, seed }: Stack, count: number): Promise<void> {
  const tenants = seed.tenants.filter((_, n) => n !== 1).map(({ id }) => fromId('tnt', id));
  await db.pool.query(
    `with made as (
       insert into domains (id, tenant_id, name, status, tier, verified_at)
       select gen_random_uuid(), ($1::uuid[])[1 + n % cardinality($1::uuid[])], 'm' || n || '.bench.test', 'verified',
         ($3::int[])[1 + n % cardinality($3::int[])], now()
       from generate_series(1, $2::int) n returning id, tenant_id)
     insert into dkim_keys (id, tenant_id, domain_id, selector, algorithm, state, public_key, sealed_private_key)
     select gen_random_uuid(), made.tenant_id, made.id, k.selector, k.algorithm, k.state, k.public_key, k.sealed_private_key
     from made, (select * from dkim_keys limit 1) k`,
    [tenants, count, TIERS],
  );
  await db.pool.query('analyze domains');
}

async function fillMessages({ db }: Stack, domains: number, midnight: Date): Promise<void> {
  const client = await db.pool.connect();
  try {
    await client.query('set session_replication_role = replica'); // without the triggers that announce
    await client.query(`set statement_timeout = 0`);
    await client.query(CONTENTS, [OutgoingMessage.encode(makeMail('mail1.test', 0)).finish()]);
    for (let from = 0; from < domains * EACH; from += PIECE)
      await client.query(FILL, [from, PIECE, EACH, midnight]);
    await client.query('vacuum analyze messages');
  } finally {
    client.release(true);
  }
}

// All of a tenant are recipients of one message, so that there is one content: its id is the tenant's, which is a UUIDv7 too.
const CONTENTS = `insert into message_contents (message_id, tenant_id, content) select id, id, $1 from tenants`;

const FILL = `
  with d as materialized (
    select id, tenant_id, name, row_number() over (order by id) as place from domains where name like 'm%')
  insert into messages (id, tenant_id, domain_id, stream, state, reason, defer_reason, deferred_until, header_from, rcpt_to,
    subject, tags, group_id, address_field)
  select overlay(overlay(uuid_floor(now() - interval '1 hour')::text placing lpad(to_hex(n / 65536 % 4096), 3, '0') from 16)
      placing lpad(to_hex(n % 65536), 4, '0') || right(md5(n::text), 8) from 25)::uuid,
    d.tenant_id, d.id, 'transactional', 'deferred', 'warmup_cap', 'warmup_cap', $4, 'shop@' || d.name,
    'c' || n || '@mail' || 1 + n % 4 || '.test', 'Your order', '[]', d.tenant_id, 'to'
  from generate_series($1::int, $1::int + $2::int - 1) n join d on d.place = n / $3::int + 1`;

// Of what was filled in: admitted at all, or due for delivery before the moment.
async function countAdmitted({ db }: Stack, before: Date | null): Promise<number> {
  const { rows } = await db.pool.query<{ n: number }>(
    `select count(*)::int as n from messages where subject = 'Your order' and reason = 'warmup_cap'
       and admitted_day is not null and ($1::timestamptz is null or next_attempt_at < $1)`,
    [before],
  );
  return rows[0]!.n;
}

const DUE = `state = 'deferred' and admitted_day is null and deferred_until <= now()`;

async function isDue({ db }: Stack): Promise<boolean> {
  const { rowCount } = await db.pool.query(
    `select from messages where ${DUE} order by deferred_until limit 1`,
  );
  return rowCount === 1;
}

async function countDue({ db }: Stack): Promise<number> {
  const { rows } = await db.pool.query<{ n: number }>(`select count(*)::int as n from messages where ${DUE}`);
  return rows[0]!.n;
}

// By the rows of messages, and by the day's own count.
async function countWrongDomains({ db }: Stack): Promise<number> {
  const { rows } = await db.pool.query<{ n: number }>(
    `select count(*)::int as n from domains d
     join (
       select domain_id, count(*) as came, count(*) filter (where admitted_day is not null) as admitted
       from messages group by domain_id) c on c.domain_id = d.id
     left join warmup_days w on w.domain_id = d.id and w.day = (now() at time zone 'UTC')::date
     where d.name like 'm%'
       and (c.admitted <> least(c.came, ($1::int[])[d.tier + 1]) or c.admitted is distinct from w.used)`,
    [[...TIER_CAPS]],
  );
  return rows[0]!.n;
}
