// Releases what this service itself has to send, before all other mail of its domain: resets, then notices, then invitations.
// Neither a pause nor the brake holds it. Resets and notices may use all of the day's cap, invitations what other mail may.

import type pg from 'pg';

import { isUrgent } from '../../core/message/origin.ts';
import { lockDueSystemMail, type DeferAgain, type DueDomain } from '../../core/message/release-store.ts';
import type { ReleaseDomain } from '../../core/warmup/release-store.ts';
import { systemReserve } from '../../core/warmup/tiers.ts';
import type { LockedDay } from '../../core/warmup/warmup-store.ts';
import {
  admit,
  BATCH,
  dropSuppressed,
  lockDay,
  untilMidnight,
  withinSubCaps,
  type DomainDeps,
  type ReleaseClock,
} from './release-steps.ts';

/** What a batch of it did. */
export interface SystemStep {
  released: number;
  deferredAgain: number;
  /** Whether more of it may be due. */
  more: boolean;
  /** The day's row after this batch. */
  day: LockedDay;
}

/** Releases the next of it; what the cap does not allow is deferred. The domain is that of SYSTEM_MAIL_FROM. */
export async function releaseSystemMail(
  client: pg.ClientBase,
  deps: DomainDeps,
  domain: DueDomain,
  clock: ReleaseClock,
  { tier }: Pick<ReleaseDomain, 'tier'>,
  outstanding: number,
): Promise<SystemStep> {
  const day = await lockDay(client, domain, clock.day);
  const due = await lockDueSystemMail(client, domain, clock.now, BATCH);
  if (due.length === 0) return { released: 0, deferredAgain: 0, more: false, day };
  const sendable = await dropSuppressed(client, domain, due);
  const { cap, used, reserved } = day;
  const urgent = sendable.filter(({ origin }) => isUrgent(origin)).slice(0, Math.max(0, cap - used));
  const left = cap - systemReserve(cap) - used - urgent.length - outstanding;
  const others = sendable.filter(({ origin }) => !isUrgent(origin)).slice(0, Math.max(0, left));
  const wanted = [...urgent, ...others];
  const chosen = await withinSubCaps(client, deps.esp ?? null, domain, clock, wanted);
  const numbers = { tier, cap, used, reserved };
  if (chosen.length > 0) await admit(client, deps.maxAgeMs, domain, day, clock.day, chosen, numbers);
  const step = { released: chosen.length, deferredAgain: 0, day };
  if (wanted.length === sendable.length) return { ...step, more: due.length === BATCH };
  const inputs = { tier, cap, used: day.used, reserved: 0 };
  const full: DeferAgain = { reason: 'warmup_cap', system: true, inputs };
  return { ...step, more: false, deferredAgain: await untilMidnight(client, domain, clock, full) };
}
