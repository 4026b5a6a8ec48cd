// What waiting mail says comes true, in random states of tenants, domains and mail: a message stays as it is until the time that
// it shows, and is decided about then; one without a time goes on when what holds it ends. The clock of the database is set.

import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { nextUtcMidnight } from '../../core/base/clock.ts';
import { newUuid } from '../../core/base/ids.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import { claimDue, recordOutcomes } from '../../core/message/delivery-store.ts';
import { explainMessage } from '../../core/message/explain.ts';
import { MESSAGE_SUMMARY } from '../../core/message/message-columns.ts';
import type { Outcome } from '../../core/message/outcome.ts';
import { resumeMailOf, writeReactivated, writeSuspended } from '../../core/suspension/suspension-store.ts';
import { overrideTier, resumeDomain } from '../../core/warmup/change-tier.ts';
import { releaseBrake } from '../../core/warmup/release-brake.ts';
import { resumeHeld } from '../../core/warmup/room-store.ts';
import { seeded } from '../../local/simulate/behaviour.ts';
import { acceptBatch } from '../../sender/accept/batch.ts';
import {
  freeReserved,
  releaseDue,
  resumeAfterBrakes,
  resumeAfterSuspensions,
} from '../../sender/release/release.ts';
import { TESTER } from '../harness/actor.ts';
import { ATTEMPT as ANSWERED } from '../harness/attempt-history.ts';
import { makeAccount, makeMessage, makeSubmission, type Account } from '../harness/factories.ts';
import { longForm, testSeed } from '../harness/form.ts';
import { closeEnvironment, openEnvironment, type Environment } from '../harness/gate-model.ts';

const HISTORIES = longForm(80, 2_000);
const SEED = testSeed();
const LIMIT_MS = 60_000 + HISTORIES * 2_000;
const MAX_AGE_MS = 4 * 86_400_000;
const HOUR_MS = 3_600_000;
const LOOKS_AT = 30; // messages of a history

let environment: Environment;
let pool: pg.Pool;
beforeAll(async () => {
  environment = await openEnvironment();
  pool = environment.simulated.db.pool;
  await pool.query('alter table messages alter column created_at set default sim.now()');
});
afterAll(() => closeEnvironment(environment));

const random = seeded(SEED);
const below = (n: number) => Math.floor(random() * n);
const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
const tx = <T>(work: (client: pg.PoolClient) => Promise<T>) => inTransaction(pool, work);
const now = () => environment.simulated.now();
const live = () => ({ db: environment.simulated.db, nats: { publish: () => false } });
const deps = () => ({ pool, gate: environment.gate, fail: () => {}, maxAgeMs: MAX_AGE_MS, wake: () => {} });
const worker = newUuid();
const at = ({ tenantId, domainId }: Account) => ({ tenantId, domain: { id: domainId } });
const set = ({ domainId }: Account, what: string) =>
  pool.query(`update domains set ${what} where id = $1`, [domainId]);

/** What a message shows. */
interface Shown {
  id: string;
  status: string;
  deferReason: string | null;
  deferredUntil: Date | null;
}

test(
  `${HISTORIES} histories: no message moves before the time that it shows, and each is decided about then`,
  { timeout: LIMIT_MS },
  async () => {
    const reasons = new Map<string, number>();
    for (let n = 0; n < HISTORIES; n++) {
      const account = await makeAccount(environment.simulated.db, {
        tier: pick([0, 0, 1, 2]),
        reserve: pick([0, 30, 60]),
      });
      const steps: string[] = [];
      for (let left = 3 + below(6); left > 0; left--) {
        const step = pick(STEPS);
        steps.push(step.name);
        await step(account);
      }
      await senders(account);
      for (const { deferReason } of await comesTrue(
        account,
        `seed ${SEED}, history ${n}: ${steps.join(', ')}`,
      ))
        reasons.set(deferReason!, (reasons.get(deferReason!) ?? 0) + 1);
      await pool.query('truncate messages, message_contents, message_attempts, events');
    }
    const met = ['warmup_cap', 'scheduled', 'brake', 'domain_paused', 'tenant_suspended', 'remote_4xx'];
    expect(
      met.filter((reason) => !reasons.has(reason)),
      JSON.stringify(Object.fromEntries(reasons)),
    ).toEqual([]);
  },
);

async function comesTrue(account: Account, what: string): Promise<Shown[]> {
  const shown = (await read(account)).toSorted(() => random() - 0.5).slice(0, LOOKS_AT);
  const times = new Set(shown.flatMap(({ deferredUntil }) => deferredUntil?.getTime() ?? []));
  for (const until of [...times].toSorted((a, b) => a - b)) {
    const those = shown.filter(({ deferredUntil }) => deferredUntil?.getTime() === until);
    if ((await now()).getTime() < until - 1_000) await environment.simulated.setNow(new Date(until - 1_000));
    await senders(account);
    const before = await byId(account);
    const still = those.filter((one) => isSame(one, before.get(one.id)));
    for (const one of those.filter((other) => !still.includes(other)))
      expect(await lastRule(account, one.id), `${what}: ${tell(one)} moved early`).toMatch(ELSE);
    await environment.simulated.setNow(new Date(until + 1_000));
    await senders(account);
    const after = await byId(account);
    for (const one of still) {
      const moved = await hasMoved(account, one, after.get(one.id));
      expect(moved, `${what}: ${tell(one)} did not move`).toBe(true);
    }
  }
  await heldGoesOn(
    account,
    shown.filter(({ deferredUntil }) => deferredUntil === null),
    what,
  );
  return shown;
}

// It goes on, or waits for something else; only the cap may be full on the next day too.
async function hasMoved(account: Account, before: Shown, after: Shown | undefined): Promise<boolean> {
  if (after?.deferReason !== before.deferReason) return true;
  if (before.deferReason !== 'warmup_cap') return false;
  const last = (await decisionsOf(account, before.id)).at(-1)!;
  return last.at >= before.deferredUntil!;
}

// What may come before the time of a retry: the day ended, and the next one has no room.
const ELSE = /^(warmup_cap|day_over)$/;

async function heldGoesOn(account: Account, held: Shown[], what: string): Promise<void> {
  const before = await byId(account);
  for (const one of held)
    expect(before.get(one.id), `${what}: ${tell(one)} moved while it was held`).toEqual(one);
  await reactivate(account);
  await verify(account);
  await resume(account);
  await senders(account);
  // It is sent, or waits for something else, of which the time is known.
  const after = await byId(account);
  for (const one of held)
    expect(after.get(one.id)?.deferReason, `${what}: ${tell(one)} did not go on`).not.toBe(one.deferReason);
}

const tell = ({ id, deferReason, deferredUntil }: Shown) =>
  `${id} (${deferReason}, until ${deferredUntil?.toISOString() ?? 'it is resumed'})`;
const isSame = (one: Shown, other: Shown | undefined) => JSON.stringify(one) === JSON.stringify(other);

async function read({ tenantId }: Account): Promise<Shown[]> {
  const { rows } = await pool.query<Shown>(
    `select id, status, "deferReason", "deferredUntil" from (select ${MESSAGE_SUMMARY} from messages m where m.tenant_id = $1) s
     where status = 'deferred' order by id`,
    [tenantId],
  );
  return rows;
}

const byId = async (account: Account) => new Map((await read(account)).map((one) => [one.id, one]));

const decisionsOf = async ({ tenantId }: Account, id: string) => (await explainMessage(pool, tenantId, id))!;
const lastRule = async (account: Account, id: string) => (await decisionsOf(account, id)).at(-1)!.rule;
// All that senders do in some seconds. Each message that is due is delivered, or put off by what holds it.
async function senders({ tenantId, domainId }: Account): Promise<void> {
  await resumeAfterBrakes(deps());
  await resumeAfterSuspensions(deps());
  await releaseDue(deps(), { now: null, tenantId });
  await freeReserved(deps());
  await releaseDue(deps(), { now: null, tenantId });
  const most = { messages: 5_000, transactional: 5_000, bulk: 5_000, octets: 1e9 };
  const claims = await claimDue(pool, worker, most);
  const { rows } = await pool.query<{ waits: 'domain_paused' | 'tenant_suspended' | null; brake: string }>(
    `select case when exists (select from tenants t where t.id = d.tenant_id and t.suspended_at is not null) then 'tenant_suspended'
       when d.status <> 'verified' or d.warmup_state = 'paused' then 'domain_paused' end as waits,
       case when d.brake_since >= date_trunc('day', sim.now() at time zone 'UTC') at time zone 'UTC' then d.brake_state else 'off' end as brake
     from domains d where d.id = $1`,
    [domainId],
  );
  const { waits, brake } = rows[0]!;
  const clock = await now();
  const untilMidnight = nextUtcMidnight(clock).getTime() - clock.getTime();
  const outcomes = claims.map((claim): Outcome => {
    if (waits)
      return {
        kind: 'postponed',
        claim,
        reason: waits,
        retryInMs: 60_000,
        because: { rule: waits, inputs: {} },
      };
    if (brake === 'all' || (brake === 'bulk' && claim.stream === 'bulk'))
      return {
        kind: 'postponed',
        claim,
        reason: 'brake',
        retryInMs: Math.min(20_000, untilMidnight),
        because: { rule: 'brake', inputs: { brake } },
      };
    return { kind: 'delivered', claim, attempt: attempt(250) };
  });
  if (outcomes.length > 0) await recordOutcomes(pool, outcomes);
}

const attempt = (smtpCode: number) => ({
  ...ANSWERED,
  at: new Date(),
  esp: 'direct',
  provider: null,
  smtpCode,
});

async function submit(
  account: Account,
  count: number,
  more: () => Parameters<typeof makeMessage>[1],
): Promise<void> {
  const messages = Array.from({ length: count }, () => makeMessage(account, more()));
  const accept = { ...deps(), workerId: () => worker, capacity: () => 0 };
  await acceptBatch(accept, [makeSubmission(account, messages)]);
}

const transactional = (account: Account) => submit(account, 1 + below(60), () => ({}));
const campaign = (account: Account) => {
  const campaignId = newUuid();
  return submit(account, 1 + below(60), () => ({ stream: 'bulk', campaignId }));
};
async function scheduled(account: Account): Promise<void> {
  const from = (await now()).getTime();
  await submit(account, 1 + below(5), () => ({ scheduledAt: new Date(from + 60_000 + below(40) * HOUR_MS) }));
}

// Receivers ask to come later.
async function refuse(): Promise<void> {
  const most = { messages: 20, transactional: 20, bulk: 20, octets: 1e9 };
  const claims = await claimDue(pool, worker, most);
  const outcomes = claims.map((claim): Outcome => ({
    kind: 'deferred',
    claim,
    attempt: { ...attempt(451), bounceClass: 'greylisted' },
    reason: 'remote_4xx',
    retryInMs: 60_000 + below(20 * 60) * 60_000,
  }));
  if (outcomes.length > 0) await recordOutcomes(pool, outcomes);
}

const brake = (account: Account) =>
  set(account, `brake_state = '${pick(['bulk', 'all'])}', brake_since = sim.now()`);
const unbrake = (account: Account) => releaseBrake(live(), TESTER, account.tenantId, account.domainId);
const pause = (account: Account) => set(account, `warmup_state = 'paused', paused_reason = 'model'`);
const fail = (account: Account) => set(account, `status = 'failed'`);
const suspend = ({ tenantId }: Account) => writeSuspended(pool, tenantId);
const override = (account: Account) =>
  overrideTier(live(), TESTER, at(account), { tier: below(4), reason: 'model' });
async function verify(account: Account): Promise<void> {
  const { rowCount } = await set(
    account,
    `status = case when status = 'failed' then 'verified' else status end`,
  );
  if (rowCount) await tx((client) => resumeHeld(client, account, 'domain_paused'));
}
async function resume(account: Account): Promise<void> {
  const { rows } = await pool.query(`select from domains where id = $1 and warmup_state = 'paused'`, [
    account.domainId,
  ]);
  if (rows.length > 0) await resumeDomain(live(), TESTER, at(account), { reason: '' });
}
const reactivate = ({ tenantId }: Account) =>
  tx(async (client) => {
    if (await writeReactivated(client, tenantId)) await resumeMailOf(client, tenantId);
  });
const pass = async () =>
  environment.simulated.setNow(new Date((await now()).getTime() + below(10 * 60) * 60_000));

const STEPS = [
  transactional, transactional, transactional, campaign, campaign, scheduled, refuse, refuse, brake, unbrake, pause, fail,
  suspend, override, verify, resume, reactivate, pass, senders,
]; // prettier-ignore
