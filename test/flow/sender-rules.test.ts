// Campaign mail above 5,000 a day of a domain without a DMARC record: over two senders exactly 5,000 are admitted, the rest waits
// with its reason and a time; a record that is found, or the setting, releases it.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { service } from '../../core/audit/actor.ts';
import { newUuid, toId } from '../../core/base/ids.ts';
import { createFailpoints } from '../../core/base/failpoint.ts';
import { openRedis, type RedisConnection } from '../../core/clients/redis.ts';
import { createDomainDns } from '../../core/domain/dns-lookup.ts';
import { patchDomain } from '../../core/domain/domains.ts';
import { verifyDomain } from '../../core/domain/verify-domain.ts';
import { startDnsServer, type DnsListener } from '../../local/simulator/dns-server.ts';
import { Zone } from '../../local/simulator/zone.ts';
import { acceptBatch } from '../../sender/accept/batch.ts';
import { createGate } from '../../sender/accept/gate/gate.ts';
import { releaseDue, resumeAfterRules } from '../../sender/release/release.ts';
import { createContext, type Context } from '../harness/context.ts';
import { makeAccount, makeMessage, makeSubmission, type Account } from '../harness/factories.ts';

const zone = new Zone();
let dns: DnsListener;
let context: Context;
let redis: RedisConnection;

beforeAll(async () => {
  dns = await startDnsServer(zone, 0);
  context = await createContext({ DNS_SERVERS: `127.0.0.1:${dns.port}` });
  redis = await openRedis(context.config, context.log);
});
afterAll(async () => {
  await redis.close();
  await context.close();
  await dns.stop();
});

const deps = () => ({
  pool: context.db.pool,
  gate: createGate(redis, context.config.KEY_PREFIX, context.log),
  fail: createFailpoints([]),
  maxAgeMs: 3_600_000,
  wake: () => {},
  workerId: newUuid,
  capacity: () => 0,
});
const counts = async ({ domainId }: Account) => {
  const { rows } = await context.db.pool.query<{ what: string; n: number }>(
    `select coalesce(defer_reason, state) as what, count(*)::int as n from messages where domain_id = $1 group by 1`,
    [domainId],
  );
  return Object.fromEntries(rows.map(({ what, n }) => [what, n]));
};
const bulk = (account: Account, n: number) =>
  makeSubmission(
    account,
    Array.from({ length: n }, (_, i) =>
      makeMessage(account, { stream: 'bulk', rcptTo: `c${i}@example.net` }),
    ),
  );
const midnight = () => new Date(new Date().setUTCHours(24, 0, 0, 0)).toISOString();

/** An account whose domain has tier 7 (10,000 a day) and no DMARC record, with 6,000 campaign messages accepted by two senders. */
async function sixThousand(): Promise<Account> {
  const account = await makeAccount(context.db, { tier: 7 });
  await context.db.pool.query(
    `update domains set record_status = record_status || '{"dmarc": {"status": "missing", "problem": null}}' where id = $1`,
    [account.domainId],
  );
  const senders = [deps(), deps()];
  for (let batch = 0; batch < 6; batch += 2)
    await Promise.all(senders.map((sender) => acceptBatch(sender, [bulk(account, 1_000)])));
  return account;
}

test('of 6,000, 5,000 are admitted; 1,000 wait for the rules until midnight; DMARC releases them', async () => {
  const account = await sixThousand();
  const { tenantId, domainId, domain } = account;
  expect(await counts(account)).toEqual({ queued: 5_000, sender_rules: 1_000 });
  const { rows } = await context.db.pool.query<{ until: Date }>(
    `select distinct deferred_until as until from messages where domain_id = $1 and defer_reason = 'sender_rules'`,
    [domainId],
  );
  expect(rows.map(({ until }) => until.toISOString())).toEqual([midnight()]);
  const { answers } = await acceptBatch(deps(), [
    makeSubmission(account, [
      makeMessage(account, { stream: 'bulk', rcptTo: 'late@example.net' }),
      makeMessage(account, { rcptTo: 'receipt@example.net' }),
    ]),
  ]);
  expect(answers[0]).toMatchObject({
    items: [
      { status: 'deferred', reason: 'sender_rules', deferredUntil: midnight() },
      { status: 'queued', reason: null, warmup: { used: 5_001 } },
    ],
  });
  // The release goes through the same limit: what is due waits again.
  await context.db.pool.query(
    `update messages set deferred_until = now() where domain_id = $1 and defer_reason = 'sender_rules'`,
    [domainId],
  );
  await releaseDue(deps(), { now: null, tenantId });
  expect(await counts(account)).toEqual({ queued: 5_001, sender_rules: 1_001 });

  await zone.add([{ type: 'TXT', name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none' }]);
  const { db, config, log } = context;
  await context.db.pool.query(`update domains set status = 'pending' where id = $1`, [domainId]);
  await verifyDomain({ db, config, log, dns: createDomainDns(config) }, service('test'), tenantId, domainId);
  await context.db.pool.query(`update domains set status = 'verified' where id = $1`, [domainId]);
  await resumeAfterRules(deps());
  await releaseDue(deps(), { now: null, tenantId });
  expect(await counts(account)).toEqual({ queued: 6_002 });
}, 180_000);

test('the setting turns it off, releases what waits, and is in the audit log', async () => {
  const account = await sixThousand();
  const { tenantId, domainId } = account;
  const view = await patchDomain(context, service('test'), tenantId, domainId, {
    sender_rules_enabled: false,
  });
  expect(view).toMatchObject({ senderRulesEnabled: false, bulkLimit: null });
  await resumeAfterRules(deps());
  await releaseDue(deps(), { now: null, tenantId });
  expect(await counts(account)).toEqual({ queued: 6_000 });
  const { rows } = await context.db.pool.query<{ data: unknown }>(
    `select data from audit_log where subject = $1 and action = 'domain.changed'`,
    [toId('dom', domainId)],
  );
  expect(rows).toEqual([{ data: expect.objectContaining({ senderRulesEnabled: false }) }]);
}, 180_000);
