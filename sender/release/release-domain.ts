// Releases the next batch of one domain's deferred mail, in one transaction: admitted under the day's cap, dropped where
// it can never be sent, deferred again where the cap is reached or the domain may not send.

import type pg from 'pg';

import { nextUtcMidnight } from '../../core/base/clock.ts';
import { newUuid } from '../../core/base/ids.ts';
import { normalizeEmail } from '../../core/mail/address.ts';
import { readSuppressed } from '../../core/message/accept-facts-store.ts';
import { brakeInputs } from '../../core/message/brake-cause.ts';
import { insertEvents } from '../../core/message/event-store.ts';
import type { DecisionInputs } from '../../core/message/explain-words.ts';
import {
  deferAgain,
  deferForRoute,
  dropDeferred,
  lockDueMessages,
  releaseDeferred,
  type DayNumbers,
  type DeferAgain,
  type DueDomain,
  type DueMessage,
} from '../../core/message/release-store.ts';
import { addEspUse } from '../../core/warmup/esp-cap-store.ts';
import { freeReserved, type ReleaseDomain } from '../../core/warmup/release-store.ts';
import { bulkCap } from '../../core/warmup/tiers.ts';
import { addAdmissions, lockDays, openDays, type LockedDay } from '../../core/warmup/warmup-store.ts';
import { openEspCount, type EspPolicy } from '../accept/esp-shares.ts';

/** The time of a release and its UTC day, YYYY-MM-DD. */
export interface ReleaseClock {
  now: Date;
  day: string;
}

/** What one batch did. */
export interface ReleaseStep {
  released: number;
  deferredAgain: number;
  /** Whether another batch of this domain may be due. */
  more: boolean;
  /** Whether mail stays due because older mail is outstanding, for which admissions are kept. */
  waits: boolean;
  /** The day's row after this batch; null when the domain may not send at all. */
  day: (LockedDay & { date: string }) | null;
}

const BATCH = 1000; // messages of one transaction: about 50 ms, the longest that new mail of the domain waits

/**
 * Releases the next due messages of one domain, in the transaction of `client`; no `facts` of it when it was deleted. An
 * admission is kept for each message of it that is `outstanding`: that came first, and needs one if it comes back undelivered.
 */
export async function releaseDomain(
  client: pg.ClientBase,
  deps: { maxAgeMs: number; esp?: EspPolicy },
  domain: DueDomain,
  clock: ReleaseClock,
  facts: ReleaseDomain | null,
  outstanding: { total: number; bulk: number },
): Promise<ReleaseStep> {
  if (facts === null) return dropOrphans(client, domain, clock);
  const sendable = facts.status === 'verified' && facts.warmupState !== 'paused';
  const { status, brake, brakeCause } = facts;
  if (!sendable)
    return closeDay(client, domain, clock, { reason: 'domain_paused', inputs: { status } }, null);
  if (brake !== 'off') await untilMidnight(client, domain, clock, braked(brakeInputs(brake, brakeCause)));
  return releaseUnderCap(client, deps, domain, clock, facts, outstanding);
}

// The domain was deleted while its mail waited: nothing can ever send it.
async function dropOrphans(
  client: pg.ClientBase,
  domain: DueDomain,
  clock: ReleaseClock,
): Promise<ReleaseStep> {
  const due = await lockDueMessages(client, domain, clock.now, BATCH, true);
  await dropAll(client, domain, due, 'domain_deleted');
  return { released: 0, deferredAgain: 0, more: due.length === BATCH, waits: false, day: null };
}

async function releaseUnderCap(
  client: pg.ClientBase,
  deps: { maxAgeMs: number; esp?: EspPolicy },
  domain: DueDomain,
  clock: ReleaseClock,
  {
    tier,
    transactionalReserve,
    bulkLimit,
  }: Pick<ReleaseDomain, 'tier' | 'transactionalReserve' | 'bulkLimit'>,
  outstanding: { total: number; bulk: number },
): Promise<ReleaseStep> {
  const day = await lockDay(client, domain, clock.day);
  const left = day.cap - day.used - outstanding.total;
  const { cap, used, reserved, bulkUsed } = day;
  const most = bulkCap(cap, transactionalReserve);
  // By the numbers at that moment: `admit` counts in `day`.
  const full = (): DeferAgain => ({
    reason: 'warmup_cap',
    inputs: { tier, cap, used: day.used, reserved: 0, bulk_used: day.bulkUsed, bulk_cap: most },
  });
  const close = () => {
    const keep = Math.max(0, Math.min(outstanding.total, day.cap - day.used));
    return closeDay(client, domain, clock, full(), day, keep);
  };
  if (left <= 0) return close();
  // When bulk mail has reached its part of the cap, transactional mail behind it is still released.
  const bulkLeft = Math.min(
    left,
    bulkCap(cap, transactionalReserve, bulkLimit) - bulkUsed - outstanding.bulk,
  );
  const limit = Math.min(BATCH, left);
  const due = await lockDueMessages(client, domain, clock.now, limit, bulkLeft > 0);
  if (due.length === 0) {
    if (bulkLimit !== null && bulkLimit < most && bulkLeft <= 0)
      await untilMidnight(client, domain, clock, ruled(bulkUsed, bulkLimit));
    return close();
  }
  const sendable = await dropSuppressed(client, domain, due);
  const wanted = firstBulk(sendable, bulkLeft);
  const chosen = await withinSubCaps(client, deps.esp ?? null, domain, clock, wanted);
  const numbers = { tier, cap, used, reserved };
  if (chosen.length > 0) await admit(client, deps.maxAgeMs, domain, day, clock.day, chosen, numbers);
  const released = chosen.length;
  // Most domains have one batch: what there is to say at its end is said in the same transaction.
  if (day.used >= cap) return { ...(await close()), released };
  const isAll = due.length < limit && bulkLeft > 0 && wanted.length === sendable.length;
  const step = { released, deferredAgain: 0, waits: false };
  if (!isAll) return { ...step, more: true, day: { ...day, date: clock.day } };
  day.reserved = (await freeReserved(client, domain, clock.day)) ?? 0;
  return { ...step, more: false, day: { ...day, date: clock.day } };
}

function braked(inputs: DecisionInputs): DeferAgain {
  return { reason: 'brake', stream: 'bulk', inputs };
}

function ruled(used: number, limit: number): DeferAgain {
  return { reason: 'sender_rules', stream: 'bulk', inputs: { bulk_used: used, bulk_limit: limit } };
}

function untilMidnight(
  client: pg.ClientBase,
  domain: DueDomain,
  { now }: ReleaseClock,
  why: DeferAgain,
  keep = 0,
): Promise<number> {
  return deferAgain(client, domain, now, nextUtcMidnight(now), why, keep);
}

// Nothing more of this domain fits, or nothing is due: the rest but the first `keep` is deferred, and the day reserves nothing
// more for it.
async function closeDay(
  client: pg.ClientBase,
  domain: DueDomain,
  clock: ReleaseClock,
  why: DeferAgain,
  day: LockedDay | null,
  keep = 0,
): Promise<ReleaseStep> {
  const waiting = await untilMidnight(client, domain, clock, why, keep);
  const reserved = await freeReserved(client, domain, clock.day);
  return {
    released: 0,
    deferredAgain: waiting,
    more: false,
    waits: keep > 0,
    day: day && { ...day, reserved: reserved ?? 0, date: clock.day },
  };
}

async function admit(
  client: pg.ClientBase,
  maxAgeMs: number,
  domain: DueDomain,
  day: LockedDay,
  date: string,
  chosen: DueMessage[],
  numbers: DayNumbers,
): Promise<void> {
  const total = chosen.length;
  const bulk = chosen.filter(({ stream }) => stream === 'bulk').length;
  const ids = chosen.map(({ id }) => id);
  const [rows] = await Promise.all([
    addAdmissions(client, date, [{ ...domain, total, bulk, fromReserved: total }]),
    releaseDeferred(client, domain, ids, date, maxAgeMs, numbers),
  ]);
  if (rows !== 1) throw new Error("the day's cap refused admissions that were counted under its lock");
  day.used += total;
  day.bulkUsed += bulk;
  day.reserved = Math.max(0, day.reserved - total);
}

async function lockDay(client: pg.ClientBase, domain: DueDomain, day: string): Promise<LockedDay> {
  const found = (await lockDays(client, [domain], day)).get(domain.domainId);
  if (found) return found;
  const [, opened] = await Promise.all([openDays(client, [domain], day), lockDays(client, [domain], day)]);
  return opened.get(domain.domainId)!;
}

async function dropSuppressed(
  client: pg.ClientBase,
  domain: DueDomain,
  due: DueMessage[],
): Promise<DueMessage[]> {
  const { tenantId } = domain;
  const emailOf = (message: DueMessage) => normalizeEmail(message.rcptTo);
  const wanted = due.map((message) => ({ tenantId, email: emailOf(message) }));
  const suppressed = await readSuppressed(client, wanted);
  const isSuppressed = (message: DueMessage) => suppressed.has(`${tenantId} ${emailOf(message)}`);
  await dropAll(client, domain, due.filter(isSuppressed), 'suppressed');
  return due.filter((message) => !isSuppressed(message));
}

async function dropAll(
  client: pg.ClientBase,
  { tenantId, domainId }: DueDomain,
  dropped: DueMessage[],
  reason: 'suppressed' | 'domain_deleted',
): Promise<void> {
  if (dropped.length === 0) return;
  const ids = dropped.map((message) => message.id);
  const events = dropped.map((message) => ({
    id: newUuid(),
    tenantId,
    type: 'dropped' as const,
    messageId: message.id,
    domainId,
    campaignId: message.campaignId,
    recipient: message.rcptTo,
    data: { reason },
  }));
  await Promise.all([dropDeferred(client, tenantId, ids, reason), insertEvents(client, events)]);
}

// What is over the sub-cap of its route waits for the next day; the order within a route stays.
async function withinSubCaps(
  client: pg.ClientBase,
  policy: EspPolicy,
  domain: DueDomain,
  clock: ReleaseClock,
  wanted: DueMessage[],
): Promise<DueMessage[]> {
  const count = await openEspCount(client, policy, [domain.tenantId], clock.day);
  if (!count) return wanted;
  const chosen: DueMessage[] = [];
  const over: { id: string; inputs: DecisionInputs }[] = [];
  for (const message of wanted) {
    if (count.admit(domain.tenantId, message)) chosen.push(message);
    else over.push({ id: message.id, inputs: count.numbers(domain.tenantId, message) });
  }
  if (over.length > 0) await deferForRoute(client, domain, over, clock.now, nextUtcMidnight(clock.now));
  await addEspUse(client, clock.day, count.uses());
  return chosen;
}

// At most so many bulk messages, and all transactional ones.
function firstBulk(due: DueMessage[], mostBulk: number): DueMessage[] {
  let left = mostBulk;
  return due.filter(({ stream }) => stream !== 'bulk' || left-- > 0);
}
