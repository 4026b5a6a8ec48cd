// 00:00 UTC with a large backlog: everything goes in the order in which it came, within the caps, while new mail is
// accepted without waiting for the end. The long form has the size that docs/warmup.md gives figures of.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { monotonicMs, sleep } from '../../core/base/clock.ts';
import { newUuid } from '../../core/base/ids.ts';
import { openRedis, type RedisConnection } from '../../core/clients/redis.ts';
import type { Accepted } from '../../core/message/submission.ts';
import { createAccept, type Accept } from '../../sender/accept/accept.ts';
import { createGate } from '../../sender/accept/gate/gate.ts';
import { releaseDue, type ReleaseDeps } from '../../sender/release/release.ts';
import { createContext, type Context } from '../harness/context.ts';
import { makeAccount, makeMessage, makeSubmission, type Account } from '../harness/factories.ts';
import { longForm } from '../harness/form.ts';

const COUNT = longForm(12_000, 100_000);

let context: Context;
let redis: RedisConnection;
let accept: Accept;
let release: ReleaseDeps;

beforeAll(async () => {
  context = await createContext();
  redis = await openRedis(context.config, context.log);
  const gate = createGate(redis, context.config.KEY_PREFIX, context.log);
  const common = { pool: context.db.pool, gate, fail: () => {}, maxAgeMs: 3_600_000, wake: () => {} };
  accept = createAccept({
    ...common,
    workerId: newUuid,
    capacity: () => 0,
    deliver: () => {},
    log: context.log,
  });
  release = common;
});
afterAll(async () => {
  await accept.drain();
  await redis.close();
  await context.close();
});

// Mail deferred yesterday to the midnight before now, over some domains of one tenant.
async function backlog(accounts: Account[], count: number): Promise<void> {
  await context.db.pool.query(
    `insert into messages (id, tenant_id, domain_id, stream, state, reason, defer_reason, deferred_until, header_from,
       rcpt_to, subject, tags)
     select (left(uuid_floor(now() - interval '1 hour' + n * interval '10 ms')::text, 14) || '7' ||
         substr(gen_random_uuid()::text, 16))::uuid,
       ($1::uuid[])[1 + n % cardinality($1::uuid[])], ($2::uuid[])[1 + n % cardinality($2::uuid[])],
       'transactional', 'deferred', 'warmup_cap', 'warmup_cap',
       date_trunc('day', now() at time zone 'UTC') at time zone 'UTC', 'a@b.test', 'c' || n || '@d.test', 's', '[]'
     from generate_series(1, $3) n`,
    [accounts.map((one) => one.tenantId), accounts.map((one) => one.domainId), count],
  );
}

test('what the cap puts off counts in the figures of the day', async () => {
  const account = await makeAccount(context.db, { tier: 0 });
  const answer = await accept.submit(
    makeSubmission(
      account,
      Array.from({ length: 53 }, () => makeMessage(account)),
    ),
  );
  expect(answer).toMatchObject({ ok: true });
  const { rows } = await context.db.pool.query(
    'select sum(deferred)::int as deferred from domain_days where tenant_id = $1',
    [account.tenantId],
  );
  expect(rows).toEqual([{ deferred: 3 }]);
});

const send = async (account: Account): Promise<{ ms: number; status: string }> => {
  const startedAt = monotonicMs();
  const answer = await accept.submit(makeSubmission(account, [makeMessage(account)]));
  const first = answer.ok ? (answer.items[0] as Accepted) : null;
  return { ms: monotonicMs() - startedAt, status: first?.status ?? 'refused' };
};

test(
  `${COUNT} deferred messages are released in order and within the caps, new mail is not starved`,
  { timeout: 300_000 },
  async () => {
    const big = await makeAccount(context.db, { tier: 10 });
    const small = await makeAccount(context.db, { tier: 3 });
    const other = await makeAccount(context.db, { tier: 10 });
    await backlog([big], COUNT - 1_000);
    await backlog([small], 1_000);
    await context.db.pool.query('analyze messages');

    let done = false;
    const startedAt = monotonicMs();
    const releasing = releaseDue(release, { now: null, tenantId: null }).finally(() => (done = true));
    const others: { ms: number; status: string }[] = [];
    const same: { ms: number; status: string }[] = [];
    while (!done) {
      const [one, two] = await Promise.all([send(other), send(big)]);
      others.push(one);
      same.push(two);
      await sleep(20);
    }
    const progress = await releasing;
    const ms = monotonicMs() - startedAt;

    const fits = Math.min(COUNT - 1_000, 100_000);
    expect(progress).toEqual({ released: fits + 500, deferredAgain: COUNT - fits - 500 });
    const { rows: outOfOrder } = await context.db.pool.query(
      `select domain_id from messages where state in ('queued', 'deferred') and tenant_id = any($1)
       and defer_reason is distinct from 'scheduled' and subject = 's'
     group by 1 having max(id::text) filter (where state = 'queued') > min(id::text) filter (where state = 'deferred')`,
      [[big.tenantId, small.tenantId]],
    );
    expect(outOfOrder).toEqual([]);
    const { rows: days } = await context.db.pool.query('select used, cap, reserved from warmup_days');
    for (const day of days) expect(day.used).toBeLessThanOrEqual(day.cap);
    const { rows: figures } = await context.db.pool.query(
      'select deferred from domain_days where tenant_id = $1 and domain_id = $2',
      [small.tenantId, small.domainId],
    );
    expect(figures).toEqual([{ deferred: 500 }]);
    expect(others.every((one) => one.status === 'queued')).toBe(true);
    const p = (list: { ms: number }[], part: number) =>
      Math.round(list.map((one) => one.ms).sort((a, b) => a - b)[Math.floor(list.length * part)] ?? 0);
    console.log(
      `released ${progress.released} in ${Math.round(ms)} ms (${Math.round((progress.released / ms) * 1000)}/s); ` +
        `meanwhile ${others.length} sends of another domain: p50 ${p(others, 0.5)} ms, p99 ${p(others, 0.99)} ms; ` +
        `of the same domain: p50 ${p(same, 0.5)} ms, p99 ${p(same, 0.99)} ms`,
    );
    expect(others.length).toBeGreaterThan(3); // sends that waited for the end would be one
  },
);
