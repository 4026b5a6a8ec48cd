// Every statement of the table of moves (core/message/states.ts), run on messages in every state: those in a state that
// it moves from end in one that it moves to, all others stay exactly as they are.

import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { nextUtcMidnight } from '../../core/base/clock.ts';
import { newUuid } from '../../core/base/ids.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import { acceptMessages, type MessageRow } from '../../core/message/accept-store.ts';
import {
  cancelCampaignMail,
  holdCampaignMail,
  resumeCampaignMail,
} from '../../core/message/campaign-mail-store.ts';
import { cancelWaiting } from '../../core/message/cancel-store.ts';
import type { Claim } from '../../core/message/claim.ts';
import { claimByDomain, claimByIds, claimDue, recordOutcomes } from '../../core/message/delivery-store.ts';
import { keepPlain } from '../../core/message/stored-content.ts';
import type { Outcome } from '../../core/message/outcome.ts';
import { decisionsOf } from '../../core/message/explain.ts';
import { RULES } from '../../core/message/explain-rules.ts';
import { readExplained } from '../../core/message/explain-store.ts';
import { reclaimForgotten, reclaimFromLost } from '../../core/message/reclaim-store.ts';
import {
  deferAgain,
  deferForRoute,
  dropDeferred,
  refundEarlierDays,
  releaseDeferred,
} from '../../core/message/release-store.ts';
import { bounceDelivered, lockReportedMessage, noteReturned } from '../../core/message/report-store.ts';
import { deferRestored } from '../../core/message/restored-store.ts';
import {
  resumeAdmitted,
  resumeBrakedAdmitted,
  resumeBrakedUnadmitted,
  resumeCapped,
  resumeRuled,
  resumeUnadmitted,
} from '../../core/message/resume-store.ts';
import { makeDue } from '../../core/message/try-now-store.ts';
import { rescheduleWaiting } from '../../core/message/schedule-store.ts';
import { MESSAGE_STATES, MOVES, type MessageState, type Move } from '../../core/message/states.ts';
import { ATTEMPT as ANSWERED } from '../harness/attempt-history.ts';
import { createContext, type Context } from '../harness/context.ts';
import { standingOf, type StandingRow } from '../harness/standing.ts';

const HOUR_MS = 3_600_000;
const DAY = new Date().toISOString().slice(0, 10);
const TOMORROW = new Date(Date.now() + 24 * HOUR_MS);
const HELD = new Date('9999-12-31T00:00:00Z');

let context: Context;
let pool: pg.Pool;

beforeAll(async () => {
  context = await createContext();
  pool = context.db.pool;
});

afterAll(() => context.close());

/** A message as it can stand in a state; deferred ones wait for their admission or for a retry, held ones for nothing. */
type Kind = {
  state: MessageState;
  admitted?: boolean;
  held?: boolean;
  scheduled?: boolean;
  /** Waits for an hour, for this reason. */
  waitsFor?: 'brake' | 'sender_rules' | 'remote_4xx' | 'domain_paused' | 'warmup_cap';
};

const KINDS: Kind[] = MESSAGE_STATES.flatMap((state): Kind[] => {
  if (state === 'deferred')
    return [true, false]
      .flatMap((admitted): Kind[] => [true, false].map((held) => ({ state, admitted, held })))
      .concat({ state, admitted: false, scheduled: true })
      .concat([true, false].map((admitted): Kind => ({ state, admitted, waitsFor: 'brake' })))
      .concat([true, false].map((admitted): Kind => ({ state, admitted, waitsFor: 'domain_paused' })))
      .concat({ state, admitted: false, waitsFor: 'sender_rules' })
      .concat({ state, admitted: false, waitsFor: 'warmup_cap' })
      .concat({ state, admitted: true, waitsFor: 'remote_4xx' });
  if (state === 'queued') return [{ state }, { state, held: true }];
  return [{ state }];
});

describe.each(MOVES.filter((move) => move.name !== 'acceptMessages'))('$name', (move: Move) => {
  test.each(MESSAGE_STATES.filter((state) => move.from.includes(state)))('moves from %s', async (state) => {
    const kinds = KINDS.filter((kind) => kind.state === state);
    const moved: { before: Row; after: Row }[] = [];
    for (const kind of kinds) moved.push(await runOn(move.name, kind));
    for (const { before, after } of moved) if (unlike(before, after)) await expectExplained(move, after);
    const ends = moved.flatMap(({ before, after }) => (unlike(before, after) ? [after.state] : []));
    expect(ends.length, 'messages that it changed').toBeGreaterThan(0);
    for (const end of ends) expect(move.to.length === 0 ? [state] : move.to).toContain(end);
  });

  test.each(MESSAGE_STATES.filter((state) => !move.from.includes(state)))(
    'leaves %s as it is',
    async (state) => {
      for (const kind of KINDS.filter((one) => one.state === state)) {
        const { before, after } = await runOn(move.name, kind);
        expect(after).toEqual(before);
      }
    },
  );
});

test('acceptMessages stores messages in the states of the table', async () => {
  const [accept] = MOVES;
  expect(accept.name).toBe('acceptMessages');
  for (const state of accept.to) expect((await insert({ state })).state).toBe(state);
});

test('recordOutcomes ends in every state of the table, each by its outcome', async () => {
  const ends = await Promise.all(
    OUTCOMES.map(async (outcomeOf) => {
      const row = await insert({ state: 'sending' });
      await recordOutcomes(pool, [outcomeOf(claimOf(row))]);
      const after = await read(row.id);
      const last = decisionsOf((await readExplained(pool, row.tenant_id, row.id))!).at(-1)!;
      expect(RULES[last.rule].standing(last)).toEqual(standingOf(after));
      return after.state;
    }),
  );
  const { to } = MOVES.find((move) => move.name === 'recordOutcomes')!;
  expect(new Set(ends)).toEqual(new Set(to));
});

test('of named messages so many are claimed as the octets hold, and one at least', async () => {
  const rows = await Promise.all(Array.from({ length: 4 }, () => insert({ state: 'queued' })));
  const wanted = rows.map((row) => ({ id: row.id, tenantId: row.tenant_id }));
  const claim = async (octets: number) => (await claimByIds(pool, newUuid(), wanted, octets)).length;
  expect([await claim(0), await claim(2), await claim(2), await claim(2)]).toEqual([1, 2, 1, 0]);
});

test('a packed content counts with the octets that it takes once it is unpacked', async () => {
  const rows = await Promise.all(Array.from({ length: 4 }, () => insert({ state: 'queued' })));
  const ids = rows.map((row) => row.id);
  await pool.query('update message_contents set plain_octets = 1000 where message_id = any($1)', [ids]);
  const byIds = (octets: number) => {
    const wanted = rows.map((row) => ({ id: row.id, tenantId: row.tenant_id }));
    return claimByIds(pool, newUuid(), wanted, octets);
  };
  const byDomain = (octets: number) => {
    const shares = rows.map((row) => ({ ...domainOf(row), stream: 'transactional' as const, most: 10 }));
    return claimByDomain(pool, newUuid(), shares, octets);
  };
  const claimed = [await byIds(900), await byDomain(1_999), await byDomain(2_000)];
  expect(claimed.map((claims) => claims.map(({ octets }) => octets))).toEqual([[1000], [1000], [1000, 1000]]);
});

// The last decision says where the message stands now, by a rule of this statement.
async function expectExplained({ name }: Move, row: Row): Promise<void> {
  const explained = await readExplained(pool, row.tenant_id, row.id);
  const last = decisionsOf(explained!).at(-1)!;
  const moves: readonly string[] = RULES[last.rule].moves;
  expect(moves, last.rule).toContain(name);
  expect(RULES[last.rule].standing(last)).toEqual(standingOf(row));
}

interface Row extends StandingRow {
  id: string;
  tenant_id: string;
  domain_id: string;
  campaign_id: string;
  claim_version: number;
  claimed_by: string | null;
}

async function runOn(name: string, kind: Kind): Promise<{ before: Row; after: Row }> {
  const before = await insert(kind);
  await RUN[name as keyof typeof RUN](before);
  return { before, after: await read(before.id) };
}

function unlike(before: Row, after: Row): boolean {
  return JSON.stringify(before) !== JSON.stringify(after);
}

const tx = (work: (client: pg.PoolClient) => Promise<unknown>) => inTransaction(pool, work);
const campaignOf = (row: Row) => ({ tenantId: row.tenant_id, id: row.campaign_id });
const domainOf = (row: Row) => ({ tenantId: row.tenant_id, domainId: row.domain_id });
const now = new Date();
const NUMBERS = { tier: 0, cap: 50, used: 7, reserved: 0 };
const PAUSED = { reason: 'domain_paused', inputs: { status: 'verified' } } as const;
const inAnHour = () => new Date(Date.now() + HOUR_MS);

// How each statement is run so that it would change the message if its state let it.
const RUN: Record<
  Exclude<(typeof MOVES)[number]['name'], 'acceptMessages'>,
  (row: Row) => Promise<unknown>
> = {
  claimDue: () => claimDue(pool, newUuid(), { messages: 1000, transactional: 1000, bulk: 1000, octets: 1e9 }),
  claimByDomain: (row) =>
    claimByDomain(pool, newUuid(), [{ ...domainOf(row), stream: 'transactional', most: 1000 }], 1e9),
  claimByIds: (row) => claimByIds(pool, newUuid(), [{ id: row.id, tenantId: row.tenant_id }], 1e9),
  recordOutcomes: (row) => recordOutcomes(pool, [{ kind: 'expired', claim: claimOf(row), attempt: null }]),
  bounceDelivered: (row) =>
    tx(async (client) =>
      bounceDelivered(client, (await lockReportedMessage(client, row.tenant_id, row.id))!),
    ),
  noteReturned: (row) => tx((client) => noteReturned(client, { tenantId: row.tenant_id, id: row.id })),
  reclaimFromLost: () => reclaimFromLost(pool, 1000),
  reclaimForgotten: (row) => reclaimForgotten(pool, row.claimed_by ?? newUuid(), [row.id]),
  refundEarlierDays: () => tx((client) => refundEarlierDays(client, TOMORROW, null, 1000)),
  deferRestored: () => tx((client) => deferRestored(client)),
  releaseDeferred: (row) =>
    tx((client) => releaseDeferred(client, domainOf(row), [row.id], DAY, HOUR_MS, NUMBERS)),
  dropDeferred: (row) => tx((client) => dropDeferred(client, row.tenant_id, [row.id], 'suppressed')),
  cancelWaiting: (row) => tx((client) => cancelWaiting(client, row.tenant_id, [row.id])),
  rescheduleWaiting: (row) => tx((client) => rescheduleWaiting(client, row.tenant_id, row.id, inAnHour())),
  cancelCampaignMail: (row) => tx((client) => cancelCampaignMail(client, campaignOf(row), 10)),
  deferAgain: (row) => tx((client) => deferAgain(client, domainOf(row), now, nextUtcMidnight(now), PAUSED)),
  deferForRoute: (row) =>
    tx((client) =>
      deferForRoute(client, domainOf(row), [{ id: row.id, inputs: {} }], now, nextUtcMidnight(now)),
    ),
  holdCampaignMail: (row) => holdCampaignMail(pool, campaignOf(row), 10),
  resumeCampaignMail: (row) => resumeCampaignMail(pool, campaignOf(row), HOUR_MS, 10),
  resumeUnadmitted: (row) => tx((client) => resumeUnadmitted(client, domainOf(row), 'domain_paused')),
  resumeAdmitted: (row) => tx((client) => resumeAdmitted(client, domainOf(row), 'domain_paused')),
  resumeBrakedUnadmitted: (row) => tx((client) => resumeBrakedUnadmitted(client, domainOf(row), true)),
  resumeBrakedAdmitted: (row) => tx((client) => resumeBrakedAdmitted(client, domainOf(row), true)),
  makeDue: (row) => tx((client) => makeDue(client, row.tenant_id, row.id)),
  resumeRuled: (row) => tx((client) => resumeRuled(client, domainOf(row))),
  resumeCapped: (row) => tx((client) => resumeCapped(client, [{ ...domainOf(row), total: 10, bulk: 10 }])),
};

const ATTEMPT = { ...ANSWERED, at: new Date(), esp: 'direct', provider: null };
const STOPS = { rule: 'sender_stops', inputs: {} } as const;
const OUTCOMES: ((claim: Claim) => Outcome)[] = [
  (claim) => ({ kind: 'delivered', claim, attempt: ATTEMPT }),
  (claim) => ({ kind: 'deferred', claim, attempt: ATTEMPT, reason: 'remote_4xx', retryInMs: HOUR_MS }),
  (claim) => ({ kind: 'bounced', claim, attempt: ATTEMPT, hard: true, suppresses: null }),
  (claim) => ({ kind: 'expired', claim, attempt: ATTEMPT }),
  (claim) => ({ kind: 'dropped', claim, reason: 'suppressed', detail: null }),
  (claim) => ({ kind: 'postponed', claim, reason: null, retryInMs: HOUR_MS, because: STOPS }),
];

async function insert(kind: Kind): Promise<Row> {
  const { state, admitted = state !== 'deferred', held = false, scheduled = false, waitsFor } = kind;
  const id = newUuid();
  const due = held ? HELD : waitsFor ? inAnHour() : new Date(Date.now() - 60_000);
  const open = state === 'queued' || state === 'sending' || state === 'deferred';
  const sending = state === 'sending';
  const row: MessageRow = {
    id,
    tenantId: newUuid(),
    domainId: newUuid(),
    stream: 'transactional',
    origin: 'api' as const,
    state,
    reason: null,
    deferReason: state === 'deferred' ? (scheduled ? 'scheduled' : (waitsFor ?? 'domain_paused')) : null,
    deferredUntil: open && !admitted ? due : null,
    nextAttemptAt: open && admitted ? due : null,
    admittedDay: admitted ? DAY : null,
    esp: null,
    headerFrom: 'Shop <shop@example.com>',
    rcptTo: 'ann@example.net',
    subject: 'Hello',
    templateId: null,
    templateVersion: null,
    groupId: null,
    addressField: null,
    campaignId: newUuid(),
    contactId: null,
    tags: [],
    claimVersion: sending ? 1 : 0,
    claimedBy: sending ? newUuid() : null,
    expiresAt: admitted ? inAnHour() : null,
    finishedAt: open ? null : new Date(),
    dayTier: null,
    dayCap: null,
    dayUsed: null,
    dayReserved: null,
    decisions: null,
    content: keepPlain(Buffer.from('x')),
    confidential: false,
  };
  await tx((client) => acceptMessages(client, [row]));
  return read(id);
}

async function read(id: string): Promise<Row> {
  return (await pool.query<Row>('select * from messages where id = $1', [id])).rows[0]!;
}

function claimOf(row: Row): Claim {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    domainId: row.domain_id,
    stream: 'transactional',
    origin: 'api' as const,
    claimVersion: row.claim_version,
    admittedDay: DAY,
    attempts: 0,
    rcptTo: 'ann@example.net',
    headerFrom: 'Shop <shop@example.com>',
    esp: null,
    campaignId: row.campaign_id,
    templateVersion: null,
    groupId: null,
    createdAt: new Date(),
    expiresAt: inAnHour(),
    content: Buffer.from('x'),
    octets: 1,
  };
}
