// Where a message stands follows from its decisions alone: a random mix of everything that can happen to mail, through the
// real statements on a calendar that is moved, then state and time of every message are derived from what `explain` says
// of it, and compared with its row. All must be equal.
// TEST_SEED replays a run.

import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { nextUtcMidnight } from '../../core/base/clock.ts';
import { newUuid } from '../../core/base/ids.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import {
  cancelCampaignMail,
  holdCampaignMail,
  resumeCampaignMail,
} from '../../core/message/campaign-mail-store.ts';
import { cancelWaiting } from '../../core/message/cancel-store.ts';
import type { Claim } from '../../core/message/claim.ts';
import { claimDue, recordOutcomes } from '../../core/message/delivery-store.ts';
import { deriveStanding, explainMessage } from '../../core/message/explain.ts';
import { RULES, type DecisionRule } from '../../core/message/explain-rules.ts';
import type { Outcome } from '../../core/message/outcome.ts';
import { reclaimForgotten, reclaimFromLost } from '../../core/message/reclaim-store.ts';
import { bounceDelivered, lockReportedMessage, noteReturned } from '../../core/message/report-store.ts';
import { deferRestored } from '../../core/message/restored-store.ts';
import { makeDue } from '../../core/message/try-now-store.ts';
import { rescheduleWaiting } from '../../core/message/schedule-store.ts';
import { endPause } from '../../core/warmup/tier-store.ts';
import { seeded } from '../../local/simulate/behaviour.ts';
import { acceptBatch } from '../../sender/accept/batch.ts';
import { releaseDue, resumeAfterBrakes, resumeAfterRules } from '../../sender/release/release.ts';
import { resumeMailOf, writeReactivated, writeSuspended } from '../../core/suspension/suspension-store.ts';
import { makeAccount, makeMessage, makeSubmission, type Account } from '../harness/factories.ts';
import { longForm, testSeed } from '../harness/form.ts';
import { closeEnvironment, openEnvironment, type Environment } from '../harness/gate-model.ts';
import { standingOf, type StandingRow } from '../harness/standing.ts';

const MESSAGES = longForm(1_000, 100_000);
const SEED = testSeed();
const ROUND = 3_000; // more would wait longer at every release
const MORE_ROUNDS = 4; // what happens when is chance: 3,000 messages miss a rule in one run of four
const LIMIT_MS = 60_000 + (MESSAGES + MORE_ROUNDS * ROUND) * 20;
const MAX_AGE_MS = 86_400_000;
const ROUTES = [
  { name: 'one', weight: 1, sub_cap_share: 0.1 },
  { name: 'two', weight: 1 },
];

let environment: Environment;
let pool: pg.Pool;
beforeAll(async () => {
  environment = await openEnvironment();
  pool = environment.simulated.db.pool;
  // The column's default took the real clock's now() when it was made.
  await pool.query('alter table messages alter column created_at set default sim.now()');
});
afterAll(() => closeEnvironment(environment));

const random = seeded(SEED);
const below = (n: number) => Math.floor(random() * n);
const chance = (part: number) => random() < part;
const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
const tx = <T>(work: (client: pg.PoolClient) => Promise<T>) => inTransaction(pool, work);

const worker = newUuid();
const sent: { id: string; account: Account }[] = [];
const campaigns: { tenantId: string; id: string }[] = [];
const inFlight: Claim[] = [];

test(
  'state and time of every message follow from its decisions',
  async () => {
    const seen = new Map<string, number>();
    for (let left = MESSAGES; left > 0; left -= ROUND) await playRound(Math.min(left, ROUND), seen);
    const missing = () => Object.keys(RULES).filter((rule) => !seen.has(rule));
    for (let more = MORE_ROUNDS; more > 0 && missing().length > 0; more--) await playRound(ROUND, seen);
    expect(
      missing(),
      `rules that no message met; met were ${JSON.stringify(Object.fromEntries(seen))}`,
    ).toEqual([]);
  },
  LIMIT_MS,
);

// So many messages of new tenants, from their beginning until all are looked at; then they are gone.
async function playRound(messages: number, seen: Map<string, number>): Promise<void> {
  const { db } = environment.simulated;
  const accounts = [
    await makeAccount(db, { tier: 1, reserve: 30 }),
    await makeAccount(db, { tier: 2 }),
    await makeAccount(db, { tier: 7, reserve: 10 }), // above the limit of the sender rules
  ];
  while (sent.length < messages) {
    await submit(pick(accounts), 1 + below(80));
    for (let n = 0; n < 8; n++) await happen(pick(accounts));
    for (const one of sent.slice(below(sent.length)).slice(0, 2)) await expectEqual(one, seen);
  }
  for (const one of sent) await expectEqual(one, seen);
  for (const list of [sent, campaigns, inFlight]) list.length = 0;
  await pool.query('truncate messages, message_contents, message_attempts, events');
}

// Through JSON, as who asks over the API has it; nothing of the row but what is compared with.
async function expectEqual({ id, account }: (typeof sent)[number], seen: Map<string, number>): Promise<void> {
  const decisions = (await explainMessage(pool, account.tenantId, id))!;
  const told = JSON.parse(JSON.stringify(decisions)) as { at: string; rule: DecisionRule; inputs: object }[];
  for (const { rule } of told) seen.set(rule, (seen.get(rule) ?? 0) + 1);
  const bare = told.map(({ at, rule, inputs }) => ({ at: new Date(at), rule, inputs: { ...inputs } }));
  const { rows } = await pool.query<StandingRow>({
    name: 'standing',
    text: 'select state, deferred_until, next_attempt_at from messages where tenant_id = $1 and id = $2',
    values: [account.tenantId, id],
  });
  const what = () => `seed ${SEED}, message ${id}: ${JSON.stringify(told)}`;
  const derived = deriveStandingOr(bare, what);
  const row = standingOf(rows[0]!);
  // A suspended tenant or a paused domain has no end date, whatever the row says.
  const last = bare.at(-1)!.rule;
  const isHeld = (last === 'tenant_suspended' || last === 'domain_paused') && derived.until === null;
  expect(derived, what()).toEqual(isHeld ? { ...row, until: null } : row);
}

function deriveStandingOr(bare: Parameters<typeof deriveStanding>[0], what: () => string) {
  try {
    return deriveStanding(bare);
  } catch (error) {
    throw new Error(what(), { cause: error });
  }
}

async function submit(account: Account, count: number): Promise<void> {
  const now = await environment.simulated.now();
  const campaign = { tenantId: account.tenantId, id: newUuid() };
  const isBulk = chance(0.5);
  const messages = Array.from({ length: count }, () => {
    const rcptTo = `r${below(500)}@example.net`;
    const later = chance(0.1) ? new Date(now.getTime() + below(2 * 86_400_000)) : null;
    const ofCampaign = isBulk
      ? ({ stream: 'bulk', campaignId: campaign.id } as const)
      : { scheduledAt: later };
    return makeMessage(account, { rcptTo, ...ofCampaign, esp: chance(0.2) ? 'one' : null });
  });
  const capacity = chance(0.5) ? 50 : 0;
  const deps = { pool, gate: environment.gate, fail: () => {}, workerId: () => worker, maxAgeMs: MAX_AGE_MS };
  const accept = { ...deps, capacity: () => capacity, esp: { routes: ROUTES, enforced: true } };
  const { answers, claims } = await acceptBatch(accept, [makeSubmission(account, messages)]);
  const [answer] = answers;
  if (!answer?.ok) return;
  const accepted = messages.filter((_, n) => answer.items[n]?.ok); // a paused domain accepts none
  sent.push(...accepted.map(({ id }) => ({ id, account })));
  if (isBulk) campaigns.push(campaign);
  inFlight.push(...claims);
}

const HAPPENINGS = [
  claim, claim, conclude, conclude, conclude, forget, pass, pass, pass, release, release,
  brake, rules, pause, suspend, suppress, cancel, reschedule, tryNow, campaignChanges, bounceLater, bounceEarly, upgrade,
]; // prettier-ignore

async function happen(account: Account): Promise<void> {
  await pick(HAPPENINGS)(account);
  if (chance(0.01)) await tx(deferRestored);
}

async function claim(): Promise<void> {
  inFlight.push(
    ...(await claimDue(pool, worker, { messages: 200, transactional: 200, bulk: 200, octets: 1e9 })),
  );
}

async function conclude(): Promise<void> {
  // A sender has a message once: what it lost and claimed again is the later claim.
  const mine = new Map(inFlight.splice(0, 1 + below(inFlight.length)).map((one) => [one.id, one]));
  const outcomes = [...mine.values()].map(draw);
  if (outcomes.length > 0) await recordOutcomes(pool, outcomes);
}

const WAITS = [
  {
    reason: 'provider_limit',
    because: { rule: 'provider_limit', inputs: { provider: 'gmail', limit: 'busy' } },
  },
  { reason: 'network', because: { rule: 'destination_rests', inputs: { reason: 'network' } } },
  { reason: 'tls_policy', because: { rule: 'destination_rests', inputs: { reason: 'tls_policy' } } },
  { reason: 'source_cap', because: { rule: 'source_cap', inputs: { pool: 'new', addresses: 2 } } },
  { reason: 'provider_limit', because: { rule: 'sources_rest', inputs: { pool: 'new', addresses: 2 } } },
  { reason: 'network', because: { rule: 'source_away', inputs: { pool: 'new' } } },
  { reason: null, because: { rule: 'source_rests', inputs: {} } },
  { reason: 'brake', because: { rule: 'brake', inputs: { brake: 'bulk' } } },
  { reason: 'domain_paused', because: { rule: 'domain_paused', inputs: { status: 'verified' } } },
  { reason: 'tenant_suspended', because: { rule: 'tenant_suspended', inputs: {} } },
  { reason: null, because: { rule: 'destination_full', inputs: { ahead: 7, per_second: 0.1 } } },
  { reason: null, because: { rule: 'sender_error', inputs: {} } },
  { reason: null, because: { rule: 'sender_stops', inputs: {} } },
  { reason: null, because: { rule: 'not_now', inputs: { day_over: true } } },
] as const;

function draw(one: Claim): Outcome {
  const said = (smtpCode: number, bounceClass: string | null) => ({ ...ATTEMPT, smtpCode, bounceClass });
  const retryInMs = below(8 * 3_600_000);
  switch (below(12)) {
    case 0:
    case 1:
      return { kind: 'delivered', claim: one, attempt: said(250, null) };
    case 2:
    case 3:
    case 4:
      return {
        kind: 'deferred',
        claim: one,
        attempt: said(451, 'greylisted'),
        reason: 'remote_4xx',
        retryInMs,
      };
    case 5:
      return {
        kind: 'bounced',
        claim: one,
        attempt: said(550, 'invalid_recipient'),
        hard: true,
        suppresses: null,
      };
    case 6:
      return { kind: 'expired', claim: one, attempt: chance(0.5) ? null : said(451, 'greylisted') };
    case 7: {
      const reason = pick(['suppressed', 'domain_deleted', 'content_missing', 'render_failed'] as const);
      return { kind: 'dropped', claim: one, reason, detail: reason === 'render_failed' ? 'no name' : null };
    }
    default:
      return { kind: 'postponed', claim: one, retryInMs, ...pick(WAITS) };
  }
}

const ATTEMPT = {
  at: new Date('2026-01-01T00:00:00Z'), // of a clock that is far off
  durationMs: 1,
  esp: 'one',
  mx: 'mx.example.net',
  provider: null,
  source: null,
  sourceName: null,
  tls: null,
  tlsVerified: null,
  tlsPolicy: null,
  certificate: null,
  command: 'DOT',
  enhancedCode: null,
  reply: 'so it is',
};

// Of a sender that is gone, everything is taken back; this one has no row.
async function forget(): Promise<void> {
  const lost = inFlight.splice(0, below(20)).map(({ id }) => id);
  if (chance(0.5)) return void (await reclaimForgotten(pool, worker, lost));
  await reclaimFromLost(pool, 10);
}

async function pass(): Promise<void> {
  const now = await environment.simulated.now();
  const until = chance(0.2) ? nextUtcMidnight(now).getTime() + 500 : now.getTime() + below(3 * 3_600_000);
  await environment.simulated.setNow(new Date(until));
}

async function release(): Promise<void> {
  const wake = () => {};
  const deps = { pool, gate: environment.gate, fail: () => {}, maxAgeMs: MAX_AGE_MS, wake };
  await resumeAfterBrakes(deps);
  await resumeAfterRules(deps);
  const now = chance(0.05) ? nextUtcMidnight(await environment.simulated.now()) : null; // as `job run --now`
  await releaseDue({ ...deps, esp: { routes: ROUTES, enforced: true } }, { now, tenantId: null });
}

async function brake({ domainId }: Account): Promise<void> {
  const to = pick(['off', 'off', 'bulk', 'all']);
  await pool.query('update domains set brake_state = $2, brake_since = sim.now() where id = $1', [
    domainId,
    to,
  ]);
}

// Most of the campaign mail that a domain may send without a DMARC record has gone today, then it has one.
async function rules(account: Account): Promise<void> {
  const { domainId } = account;
  await pool.query(
    `update warmup_days set used = 4990, bulk_used = 4990
     where domain_id = $1 and cap > 5000 and used < 4990 and day = (sim.now() at time zone 'UTC')::date`,
    [domainId],
  );
  const record = `update domains set sender_rules_lifted_at = case when $3 then sim.now() end,
    record_status = record_status || jsonb_build_object('dmarc', jsonb_build_object('status', $2::text)) where id = $1`;
  await pool.query(record, [domainId, 'missing', false]);
  await submit(account, 30);
  if (chance(0.3)) return;
  await pool.query(record, [domainId, 'found', true]);
  await release();
}

async function pause(account: Account): Promise<void> {
  const paused = chance(0.3);
  await tx(async (client) => {
    if (!paused) return endPause(client, account.tenantId, account.domainId, 'active');
    await client.query(`update domains set warmup_state = 'paused' where id = $1`, [account.domainId]);
  });
}

async function suspend({ tenantId }: Account): Promise<void> {
  if (chance(0.3)) return void (await writeSuspended(pool, tenantId));
  await tx(async (client) => {
    await writeReactivated(client, tenantId);
    await resumeMailOf(client, tenantId);
  });
}

// Some messages are as those that were accepted by a version which noted nothing, until now.
async function upgrade({ tenantId }: Account): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `update messages set decisions = null, day_tier = null, day_cap = null, day_used = null, day_reserved = null
     where id in (select id from messages where tenant_id = $1 order by md5(id::text || $2) limit 3) returning id`,
    [tenantId, String(below(1e6))],
  );
  const ids = rows.map(({ id }) => id);
  await pool.query('update message_attempts set retry_at = null where message_id = any($1::uuid[])', [ids]);
}

async function suppress({ tenantId }: Account): Promise<void> {
  await pool.query(
    `insert into suppressions (tenant_id, email, reason) values ($1, $2, 'manual') on conflict do nothing`,
    [tenantId, `r${below(500)}@example.net`],
  );
}

async function cancel(): Promise<void> {
  if (sent.length === 0) return;
  for (const { id, account } of [pick(sent), pick(sent), pick(sent)])
    await tx((client) => cancelWaiting(client, account.tenantId, [id]));
}

async function reschedule(): Promise<void> {
  const at = new Date((await environment.simulated.now()).getTime() + below(86_400_000));
  const { rows } = await pool.query<{ id: string; tenantId: string }>(
    `select id, tenant_id as "tenantId" from messages where defer_reason = 'scheduled' order by id limit 3`,
  );
  for (const { id, tenantId } of rows) await tx((client) => rescheduleWaiting(client, tenantId, id, at));
}

async function tryNow(): Promise<void> {
  if (sent.length === 0) return;
  for (const { id, account } of Array.from({ length: 20 }, () => pick(sent)))
    await tx((client) => makeDue(client, account.tenantId, id));
}

async function campaignChanges(): Promise<void> {
  if (campaigns.length === 0) return;
  const campaign = pick(campaigns);
  if (chance(0.7)) await holdCampaignMail(pool, campaign, 1_000);
  if (chance(0.5)) await resumeCampaignMail(pool, campaign, MAX_AGE_MS, 1_000);
  if (chance(0.1)) await tx((client) => cancelCampaignMail(client, campaign, 1_000));
}

async function bounceLater(): Promise<void> {
  const { rows } = await pool.query<{ id: string; tenantId: string }>(
    `select id, tenant_id as "tenantId" from messages where state = 'delivered' order by id limit 1`,
  );
  if (rows.length === 0) return;
  const { id, tenantId } = rows[0]!;
  await tx(async (client) => {
    const message = await lockReportedMessage(client, tenantId, id);
    if (message) await bounceDelivered(client, message, { class: 'mailbox_full', diagnostic: 'over quota' });
  });
}

// A report that comes before the attempt that it is about is recorded.
async function bounceEarly(): Promise<void> {
  if (sent.length === 0) return;
  const { id, account } = pick(sent);
  await tx((client) => noteReturned(client, { tenantId: account.tenantId, id }));
}
