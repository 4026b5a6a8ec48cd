// Releases the next batch of one domain's deferred mail, in one transaction: admitted under the day's cap, dropped where
// it can never be sent, deferred again where the cap is reached or the domain may not send.

import type pg from 'pg';

import { brakeInputs } from '../../core/message/brake-cause.ts';
import type { DecisionInputs } from '../../core/message/explain-words.ts';
import {
  lockDueMessages,
  type DeferAgain,
  type DueDomain,
  type DueMessage,
} from '../../core/message/release-store.ts';
import { freeReserved, type ReleaseDomain } from '../../core/warmup/release-store.ts';
import { useRoom } from '../../core/warmup/room-store.ts';
import { bulkCap, systemReserve } from '../../core/warmup/tiers.ts';
import type { LockedDay } from '../../core/warmup/warmup-store.ts';
import {
  admit,
  BATCH,
  dropAll,
  dropSuppressed,
  lockDay,
  untilMidnight,
  withinSubCaps,
  type DomainDeps,
  type ReleaseClock,
} from './release-steps.ts';
import { releaseSystemMail, type SystemStep } from './release-system-mail.ts';

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

/**
 * Releases the next due messages of one domain, in the transaction of `client`; no `facts` of it when it was deleted. An
 * admission is kept for each message of it that is `outstanding`: that came first, and needs one if it comes back undelivered.
 */
export async function releaseDomain(
  client: pg.ClientBase,
  deps: DomainDeps,
  domain: DueDomain,
  clock: ReleaseClock,
  facts: ReleaseDomain | null,
  outstanding: { total: number; bulk: number },
): Promise<ReleaseStep> {
  if (facts === null) return dropOrphans(client, domain, clock);
  const { status } = facts;
  if (status !== 'verified')
    return closeDay(client, domain, clock, { reason: 'domain_paused', inputs: { status } }, null);
  if (facts.name !== deps.systemDomain)
    return releaseUnlessHeld(client, deps, domain, clock, facts, outstanding, null);
  const system = await releaseSystemMail(client, deps, domain, clock, facts, outstanding.total);
  if (system.more) return { ...system, waits: false, day: { ...system.day, date: clock.day } };
  const rest = await releaseUnlessHeld(client, deps, domain, clock, facts, outstanding, system);
  return {
    ...rest,
    released: rest.released + system.released,
    deferredAgain: rest.deferredAgain + system.deferredAgain,
  };
}

// Of the domain of this service's own mail, `system` is what became of that mail.
async function releaseUnlessHeld(
  client: pg.ClientBase,
  deps: DomainDeps,
  domain: DueDomain,
  clock: ReleaseClock,
  facts: ReleaseDomain,
  outstanding: { total: number; bulk: number },
  system: SystemStep | null,
): Promise<ReleaseStep> {
  const { brake, brakeCause } = facts;
  const held = heldBy(facts);
  if (held) return closeDay(client, domain, clock, held, system?.day ?? null);
  if (brake !== 'off') await untilMidnight(client, domain, clock, braked(brakeInputs(brake, brakeCause)));
  const reserve = system ? systemReserve : () => 0;
  return releaseUnderCap(client, deps, domain, clock, facts, outstanding, reserve);
}

// What somebody has to end before the domain may send.
function heldBy({ status, warmupState, isSuspended }: ReleaseDomain): DeferAgain | null {
  if (isSuspended) return { reason: 'tenant_suspended', inputs: {} };
  return warmupState === 'paused' ? { reason: 'domain_paused', inputs: { status } } : null;
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
  deps: DomainDeps,
  domain: DueDomain,
  clock: ReleaseClock,
  {
    tier,
    transactionalReserve,
    bulkLimit,
  }: Pick<ReleaseDomain, 'tier' | 'transactionalReserve' | 'bulkLimit'>,
  outstanding: { total: number; bulk: number },
  reserve: (cap: number) => number,
): Promise<ReleaseStep> {
  const day = await lockDay(client, domain, clock.day);
  const { cap, used, reserved, bulkUsed } = day;
  const system = reserve(cap);
  const most = cap - system;
  const left = most - used - outstanding.total;
  const mostBulk = bulkCap(cap, transactionalReserve);
  // By the numbers at that moment: `admit` counts in `day`.
  const full = (): DeferAgain => ({
    reason: 'warmup_cap',
    inputs: {
      ...{ tier, cap, used: day.used, reserved: 0, bulk_used: day.bulkUsed, bulk_cap: mostBulk },
      ...(system > 0 && { system_reserve: system }),
    },
  });
  const close = () => {
    const keep = Math.max(0, Math.min(outstanding.total, most - day.used));
    return closeDay(client, domain, clock, full(), day, keep, system);
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
    if (bulkLimit !== null && bulkLimit < mostBulk && bulkLeft <= 0)
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
  if (day.used >= most) return { ...(await close()), released };
  const isAll = due.length < limit && bulkLeft > 0 && wanted.length === sendable.length;
  const step = { released, deferredAgain: 0, waits: false };
  if (!isAll) return { ...step, more: true, day: { ...day, date: clock.day } };
  return { ...step, ...(await freeUnused(client, domain, clock, day, system)) };
}

function braked(inputs: DecisionInputs): DeferAgain {
  return { reason: 'brake', stream: 'bulk', inputs };
}

function ruled(used: number, limit: number): DeferAgain {
  return { reason: 'sender_rules', stream: 'bulk', inputs: { bulk_used: used, bulk_limit: limit } };
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
  system = 0,
): Promise<ReleaseStep> {
  const waiting = await untilMidnight(client, domain, clock, why, keep);
  const freed = await freeUnused(client, domain, clock, day, keep > 0 ? null : system);
  return { released: 0, deferredAgain: waiting, waits: keep > 0, ...freed };
}

// Frees admissions that were reserved for more mail than there was. Mail that was deferred meanwhile uses them, unless they are
// kept for what is outstanding (`system` null).
async function freeUnused(
  client: pg.ClientBase,
  domain: DueDomain,
  clock: ReleaseClock,
  day: LockedDay | null,
  system: number | null,
): Promise<Pick<ReleaseStep, 'more' | 'day'>> {
  const left = (await freeReserved(client, domain, clock.day)) ?? { reserved: 0, bulkReserved: 0 };
  if (!day) return { more: false, day: null };
  const isFreed = system !== null && left.reserved < day.reserved;
  const due = isFreed ? await useRoom(client, [domain], system) : 0;
  return { more: due > 0, day: { ...day, ...left, date: clock.day } };
}

// At most so many bulk messages, and all transactional ones.
function firstBulk(due: DueMessage[], mostBulk: number): DueMessage[] {
  let left = mostBulk;
  return due.filter(({ stream }) => stream !== 'bulk' || left-- > 0);
}
