// Part "one-tenant": mail of one tenant over 16 of its domains, beside the same of 16 tenants with one domain each, by
// batches of 1,000 over gRPC with delivery held back. The two differ by the row that counts a tenant's month. And what that
// row allows at most: transactions of many connections that insert messages, with its lock taken first or last.

import { fromId } from '../core/base/ids.ts';
import { inTransaction } from '../core/db/transaction.ts';
import { TOP_TIER } from '../core/warmup/tiers.ts';
import type { Figure } from './figure.ts';
import type { Bench } from './stack/bench.ts';
import { costPerMessage, readCpuTimes } from './stack/cpu-time.ts';
import { startStack, type Stack } from './stack/stack.ts';
import { startWorker } from './worker.ts';
import type { GrpcLoadResult } from './workers/grpc-client.ts';
import type { GrpcLoad } from './workers/grpc-ways.ts';

const SENDERS = [1, 3];
const DOMAINS = 16;
const BATCH = 1_000;
const IN_FLIGHT_EACH = 4; // batches under way at a sender: one in work, the next waits
const CONNECTIONS = 8; // without senders
const ROW_BATCH = 500;
const SECONDS = 10;
const QUICK_SECONDS = 5;
const ROUNDS = 3; // in turns, so that what else the machine does hits both alike; the median counts
const LEAST_SHARE = 90; // percent of what 16 tenants reach

/** Runs the part. */
export async function measureOneTenant(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const senders of SENDERS) figures.push(...(await measure(bench, senders)));
  return [...figures, ...(await measureRow(bench))];
}

async function measure(bench: Bench, senders: number): Promise<Figure[]> {
  const stack = await startStack(bench, { senders, holdMail: true, part: 'one-tenant' });
  try {
    const first = stack.seed.tenants[0]!;
    const one = (await addDomains(stack, first.id)).map((domain) => ({ id: first.id, domains: [domain] }));
    const many = stack.seed.tenants
      .slice(0, DOMAINS)
      .map(({ id, domains }) => ({ id, domains: [domains[0]!] }));
    await send(bench, stack, many, QUICK_SECONDS); // compiles both sides, fills caches
    const rates = { one: [] as number[], many: [] as number[] };
    const before = await readCpuTimes(bench, stack);
    let accepted = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, tenants] of Object.entries({ one, many }) as [keyof typeof rates, typeof one][]) {
        const result = await send(bench, stack, tenants, bench.options.quick ? QUICK_SECONDS : SECONDS);
        rates[name].push(result.accepted / result.seconds);
        accepted += result.accepted;
      }
    }
    const cost = costPerMessage(before, await readCpuTimes(bench, stack), accepted);
    const [ofOne, ofMany] = [median(rates.one), median(rates.many)];
    bench.log(
      `${senders} senders: one tenant ${Math.round(ofOne)}/s, ${DOMAINS} tenants ${Math.round(ofMany)}/s`,
    );
    const by = `${senders} sender${senders > 1 ? 's' : ''}`;
    return [
      {
        id: `one-tenant.${senders}`,
        what: `Messages of one tenant accepted by ${by}`,
        detail: `median of ${ROUNDS}; CPU ms each: ${cost.text}`,
        value: ofOne,
        unit: '/s',
        raw: { what: `of ${DOMAINS} tenants`, value: ofMany, unit: '/s' },
      },
      {
        id: `one-tenant.${senders}.share`,
        what: `Share of what ${DOMAINS} tenants reach, ${by}`,
        value: (ofOne / ofMany) * 100,
        unit: '%',
        target: { atLeast: LEAST_SHARE },
      },
    ];
  } finally {
    await stack.close();
  }
}

// Plain statements without the work of a sender, so that PostgreSQL alone sets the pace.
async function measureRow(bench: Bench): Promise<Figure[]> {
  const stack = await startStack(bench, { senders: 0, part: 'one-tenant' });
  const tenantId = fromId('tnt', stack.seed.tenants[0]!.id);
  const { pool } = stack.db; // of ten connections
  const run = async (isFirst: boolean) => {
    const endsAt = performance.now() + QUICK_SECONDS * 1000;
    let batches = 0;
    const work = async () => {
      while (performance.now() < endsAt) {
        await inTransaction(pool, async (client) => {
          if (isFirst) await client.query(`${ROW} for update`, [tenantId]);
          await client.query(INSERT, [tenantId, ROW_BATCH]);
          await client.query('update tenant_usage set used = used + $2 where tenant_id = $1', [
            tenantId,
            ROW_BATCH,
          ]);
        });
        batches += 1;
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
    return (batches * ROW_BATCH) / QUICK_SECONDS;
  };
  try {
    await pool.query(
      `insert into tenant_usage values ($1, date_trunc('month', now() at time zone 'UTC')::date, 0)`,
      [tenantId],
    );
    const rates = { first: [] as number[], last: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      rates.first.push(await run(true));
      rates.last.push(await run(false));
    }
    const [first, last] = [median(rates.first), median(rates.last)];
    bench.log(
      `${CONNECTIONS} connections: row locked first ${Math.round(first)}/s, last ${Math.round(last)}/s`,
    );
    return [
      {
        id: 'one-tenant.row',
        what: `Messages of one tenant inserted by ${CONNECTIONS} connections, its month counted last`,
        detail: `${ROW_BATCH} in a transaction, plain statements, median of ${ROUNDS}`,
        value: last,
        unit: '/s',
        raw: { what: 'its row locked first', value: first, unit: '/s' },
      },
    ];
  } finally {
    await stack.close();
  }
}

const ROW = 'select used from tenant_usage where tenant_id = $1';
const INSERT = `
  insert into messages (id, tenant_id, domain_id, stream, state, header_from, rcpt_to, subject, tags, admitted_day,
    next_attempt_at, claimed_by)
  select overlay(gen_random_uuid()::text placing left(uuid_floor(now())::text, 13) from 1)::uuid, $1, $1, 'transactional',
    'sending', 'shop@one.bench.test', 'c' || n || '@mail1.test', 'Your order', '[]', now()::date, now(), $1
  from generate_series(1, $2::int) n`;

async function addDomains({ db }: Stack, tenant: string): Promise<string[]> {
  const { rows } = await db.pool.query<{ name: string }>(
    `insert into domains (id, tenant_id, name, status, tier, verified_at)
     select gen_random_uuid(), $1, 'one' || n || '.bench.test', 'verified', $2, now()
     from generate_series(1, $3::int) n returning name`,
    [fromId('tnt', tenant), TOP_TIER, DOMAINS],
  );
  return rows.map(({ name }) => name);
}

async function send(
  bench: Bench,
  stack: Stack,
  tenants: GrpcLoad['tenants'],
  seconds: number,
): Promise<GrpcLoadResult> {
  const client = startWorker('grpc-client');
  try {
    const load = {
      way: 'batch',
      batch: BATCH,
      inFlight: IN_FLIGHT_EACH * stack.senders.length,
      addresses: stack.senderAddresses,
      token: stack.internalToken,
      tenants,
      seconds,
    } satisfies GrpcLoad;
    const result = await client.ask<GrpcLoadResult>('run', load);
    if (result.refused > 0) bench.log(`note: ${result.refused} were refused: ${result.refusal}`);
    return result;
  } finally {
    await client.stop();
  }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
