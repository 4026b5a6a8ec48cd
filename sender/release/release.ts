// Takes deferred mail that is due through the gate again, first come first served, domain by domain.
// What does not fit waits for the next 00:00 UTC. Every sender does this all the time, the scheduler asks for it at
// midnight, and any number may at once: the day's row is the lock of a domain's release.
// Dies anywhere in here: docs/crashes.md, rows release.*: the batch is released as a whole or still due.

import type pg from 'pg';

import { nextUtcMidnight } from '../../core/base/clock.ts';
import type { Fail } from '../../core/base/failpoint.ts';
import { newUuid } from '../../core/base/ids.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import { normalizeEmail } from '../../core/mail/address.ts';
import { insertBirthEvents, readSuppressed } from '../../core/message/accept-store.ts';
import {
  admitMessages,
  clearReserved,
  deferAgain,
  deferForEsp,
  dropMessages,
  lockDueMessages,
  readDueDomains,
  readReleaseClock,
  readReleaseDomain,
  type DueDomain,
  type DueMessage,
  type ReleaseDomain,
} from '../../core/warmup/release-store.ts';
import { addEspUse } from '../../core/warmup/esp-cap-store.ts';
import { bulkCap } from '../../core/warmup/tiers.ts';
import { lockDays, openDays, takeSlots, type LockedDay } from '../../core/warmup/warmup-store.ts';
import { openEspCount, type EspPolicy } from '../accept/esp-shares.ts';
import type { Gate } from '../accept/gate/gate.ts';

/** What a release needs. */
export interface ReleaseDeps {
  pool: pg.Pool;
  gate: Gate;
  fail: Fail;
  maxAgeMs: number;
  /** How routes are capped. */
  esp?: EspPolicy;
  /** Admitted messages wait for any sender. */
  wake: (count: number) => void;
}

/** How far a run has come. */
export interface ReleaseProgress {
  released: number;
  deferredAgain: number;
}

/** What one run is to do. */
export interface ReleaseRun {
  /** Clock of this run; null is the database's. */
  now: Date | null;
  /** Only this tenant's mail; null is everyone's. */
  tenantId: string | null;
  signal?: AbortSignal;
  onProgress?: (progress: ReleaseProgress) => void;
}

const BATCH = 1000; // messages of one transaction: about 50 ms, the longest that new mail of the domain waits
const LOOK_AHEAD = 20_000; // due messages that one look for domains reads

/** Releases everything that is due. Resolves when nothing due is left. */
export async function releaseDue(deps: ReleaseDeps, run: ReleaseRun): Promise<ReleaseProgress> {
  const total: ReleaseProgress = { released: 0, deferredAgain: 0 };
  for (;;) {
    const domains = await readDueDomains(deps.pool, run.now, run.tenantId, LOOK_AHEAD);
    if (domains.length === 0) return total;
    for (const domain of domains) {
      let more = true;
      while (more) {
        if (run.signal?.aborted) return total;
        const step = await releaseBatch(deps, domain, run.now);
        total.released += step.released;
        total.deferredAgain += step.deferredAgain;
        more = step.more;
        if (step.released > 0) deps.wake(step.released);
        run.onProgress?.(total);
      }
    }
  }
}

interface Clock {
  now: Date;
  day: string;
}

interface Step extends ReleaseProgress {
  /** Whether another batch of this domain may be due. */
  more: boolean;
  /** The day's row after this batch; null when the domain may not send at all. */
  day: (LockedDay & { date: string }) | null;
}

async function releaseBatch(deps: ReleaseDeps, domain: DueDomain, runNow: Date | null): Promise<Step> {
  const step = await inTransaction(deps.pool, async (client): Promise<Step> => {
    const clock = await readReleaseClock(client, runNow);
    const facts = await readReleaseDomain(client, domain);
    const result = await releaseFrom(client, deps, domain, clock, facts);
    deps.fail('release.before-commit');
    return result;
  });
  deps.fail('release.after-commit');
  // Slots were handed out under the row's lock; Redis is told the count.
  if (step.day) await deps.gate.correct({ ...domain, day: step.day.date }, step.day);
  return step;
}

async function releaseFrom(
  client: pg.ClientBase,
  deps: ReleaseDeps,
  domain: DueDomain,
  clock: Clock,
  facts: ReleaseDomain | null,
): Promise<Step> {
  if (facts === null) return dropOrphans(client, domain, clock);
  const sendable = facts.status === 'verified' && facts.warmupState !== 'paused';
  if (!sendable) return closeDay(client, domain, clock, 'domain_paused', null);
  return letThrough(client, deps, domain, clock, facts.transactionalReserve);
}

// The domain was deleted while its mail waited: nothing can ever send it.
async function dropOrphans(client: pg.ClientBase, domain: DueDomain, clock: Clock): Promise<Step> {
  const due = await lockDueMessages(client, domain, clock.now, BATCH, true);
  await dropAll(client, domain, due, 'domain_deleted');
  return { released: 0, deferredAgain: 0, more: due.length === BATCH, day: null };
}

async function letThrough(
  client: pg.ClientBase,
  deps: ReleaseDeps,
  domain: DueDomain,
  clock: Clock,
  reservePercent: number,
): Promise<Step> {
  const day = await lockDay(client, domain, clock.day);
  const room = day.cap - day.used;
  if (room <= 0) return closeDay(client, domain, clock, 'warmup_cap', day);
  // When campaigns have had their part, the transactional mail behind them still goes.
  const bulkRoom = Math.min(room, bulkCap(day.cap, reservePercent) - day.bulkUsed);
  const due = await lockDueMessages(client, domain, clock.now, Math.min(BATCH, room), bulkRoom > 0);
  if (due.length === 0) return closeDay(client, domain, clock, 'warmup_cap', day);
  const wanted = withinBulkRoom(await dropSuppressed(client, domain, due), bulkRoom);
  const chosen = await withinEspRoom(client, deps.esp ?? null, domain, clock, wanted);
  if (chosen.length > 0) await admit(client, deps.maxAgeMs, domain, day, clock.day, chosen);
  return { released: chosen.length, deferredAgain: 0, more: true, day: { ...day, date: clock.day } };
}

// Nothing more of this domain fits, or nothing is due: what is left waits, and no slot stays reserved for it.
async function closeDay(
  client: pg.ClientBase,
  domain: DueDomain,
  clock: Clock,
  reason: 'warmup_cap' | 'domain_paused',
  day: LockedDay | null,
): Promise<Step> {
  const waiting = await deferAgain(client, domain, clock.now, nextUtcMidnight(clock.now), reason);
  await clearReserved(client, domain, clock.day);
  return {
    released: 0,
    deferredAgain: waiting,
    more: false,
    day: day && { ...day, reserved: 0, date: clock.day },
  };
}

async function admit(
  client: pg.ClientBase,
  maxAgeMs: number,
  domain: DueDomain,
  day: LockedDay,
  date: string,
  chosen: DueMessage[],
): Promise<void> {
  const total = chosen.length;
  const bulk = chosen.filter(({ stream }) => stream === 'bulk').length;
  const rows = await takeSlots(client, date, [{ ...domain, total, bulk, fromReserved: total }]);
  if (rows !== 1) throw new Error("the day's cap refused slots that were counted under its lock");
  const ids = chosen.map(({ id }) => id);
  await admitMessages(client, domain, ids, date, maxAgeMs);
  day.used += total;
  day.bulkUsed += bulk;
  day.reserved = Math.max(0, day.reserved - total);
}

async function lockDay(client: pg.ClientBase, domain: DueDomain, day: string): Promise<LockedDay> {
  const found = (await lockDays(client, [domain], day)).get(domain.domainId);
  if (found) return found;
  await openDays(client, [domain], day);
  return (await lockDays(client, [domain], day)).get(domain.domainId)!;
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
  await Promise.all([dropMessages(client, tenantId, ids, reason), insertBirthEvents(client, events)]);
}

// What its route has no room for waits for the next day; the order within a route stays.
async function withinEspRoom(
  client: pg.ClientBase,
  policy: EspPolicy,
  domain: DueDomain,
  clock: Clock,
  wanted: DueMessage[],
): Promise<DueMessage[]> {
  const count = await openEspCount(client, policy, [domain.tenantId], clock.day);
  if (!count) return wanted;
  const chosen: DueMessage[] = [];
  const over: string[] = [];
  for (const message of wanted) {
    if (count.take(domain.tenantId, message)) chosen.push(message);
    else over.push(message.id);
  }
  if (over.length > 0) await deferForEsp(client, domain, over, nextUtcMidnight(clock.now));
  await addEspUse(client, clock.day, count.uses());
  return chosen;
}

function withinBulkRoom(due: DueMessage[], bulkRoom: number): DueMessage[] {
  let left = bulkRoom;
  return due.filter(({ stream }) => stream !== 'bulk' || left-- > 0);
}
