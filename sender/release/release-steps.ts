// The steps of releasing a batch of one domain's deferred mail, system mail or not: each in the transaction of `client`.

import type pg from 'pg';

import { nextUtcMidnight } from '../../core/base/clock.ts';
import { newUuid } from '../../core/base/ids.ts';
import { normalizeEmail } from '../../core/mail/address.ts';
import { readSuppressed } from '../../core/message/accept-facts-store.ts';
import { insertEvents } from '../../core/message/event-store.ts';
import type { DecisionInputs } from '../../core/message/explain-words.ts';
import {
  deferAgain,
  deferForRoute,
  dropDeferred,
  releaseDeferred,
  type DayNumbers,
  type DeferAgain,
  type DueDomain,
  type DueMessage,
} from '../../core/message/release-store.ts';
import { stopsMail } from '../../core/suppression/is-suppressed.ts';
import type { SuppressionStream } from '../../core/suppression/suppression-store.ts';
import { addEspUse } from '../../core/warmup/esp-cap-store.ts';
import { addAdmissions, lockDays, openDays, type LockedDay } from '../../core/warmup/warmup-store.ts';
import { openEspCount, type EspPolicy } from '../accept/esp-shares.ts';

/** What releasing a domain's mail needs. */
export interface DomainDeps {
  maxAgeMs: number;
  esp?: EspPolicy;
  systemDomain?: string | null;
}

/** The time of a release and its UTC day, YYYY-MM-DD. */
export interface ReleaseClock {
  now: Date;
  day: string;
}

/** Messages of one transaction: about 50 ms, the longest that new mail of the domain waits. */
export const BATCH = 1000;

/** Locks the day of a domain, opened if it was not. */
export async function lockDay(client: pg.ClientBase, domain: DueDomain, day: string): Promise<LockedDay> {
  const found = (await lockDays(client, [domain], day)).get(domain.domainId);
  if (found) return found;
  const [, opened] = await Promise.all([openDays(client, [domain], day), lockDays(client, [domain], day)]);
  return opened.get(domain.domainId)!;
}

/**
 * Drops those of the due messages whose recipients are suppressed. Returns the others, and among them transactional mail that
 * a suppression of marketing mail may stop: whether it does is in its content, which is read at its delivery.
 */
export async function dropSuppressed<T extends DueMessage>(
  client: pg.ClientBase,
  domain: DueDomain,
  due: T[],
): Promise<T[]> {
  const { tenantId } = domain;
  const emailOf = (message: DueMessage) => normalizeEmail(message.rcptTo);
  const wanted = due.map((message) => ({ tenantId, email: emailOf(message) }));
  const suppressed = await readSuppressed(client, wanted);
  const stops = (message: DueMessage): SuppressionStream | null => {
    const stream = suppressed.get(`${tenantId} ${emailOf(message)}`)?.stream;
    return stream && stopsMail(stream, message.stream === 'bulk') ? stream : null;
  };
  const byStream = Map.groupBy(due, stops);
  await dropAll(client, domain, byStream.get('all') ?? [], 'suppressed', 'all');
  await dropAll(client, domain, byStream.get('bulk') ?? [], 'suppressed', 'bulk');
  return byStream.get(null) ?? [];
}

/** Drops messages that can never be sent. */
export async function dropAll(
  client: pg.ClientBase,
  { tenantId, domainId }: DueDomain,
  dropped: DueMessage[],
  reason: 'suppressed' | 'domain_deleted',
  suppressedIn: SuppressionStream | null = null,
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
  await Promise.all([
    dropDeferred(client, tenantId, ids, reason, suppressedIn),
    insertEvents(client, events),
  ]);
}

/** Those that fit under the sub-caps of their routes; the others wait for the next day. The order within a route stays. */
export async function withinSubCaps(
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

/** Admits messages to the day, in the order given, and releases them. Counts them in `day`. */
export async function admit(
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
  day.bulkReserved = Math.max(0, day.bulkReserved - bulk);
}

/** Defers what is due, but for the first `keep` messages, until the next 00:00 UTC. Returns how many. */
export function untilMidnight(
  client: pg.ClientBase,
  domain: DueDomain,
  { now }: ReleaseClock,
  why: DeferAgain,
  keep = 0,
): Promise<number> {
  return deferAgain(client, domain, now, nextUtcMidnight(now), why, keep);
}
