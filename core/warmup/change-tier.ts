// Manual changes of a domain's tier. Every change is one transaction: the domain, today's cap, a line of history and
// the audit log. The gate reads the cap from the same row, so no change can be half seen.

import type pg from 'pg';
import type { z } from 'zod';

import { actorName, type Actor } from '../audit/actor.ts';
import { isApplied } from '../audit/audit-store.ts';
import { change, type ChangeDeps, type LiveChangeDeps, type RecordChange } from '../audit/change.ts';
import { AppError, notFound } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import { addNotices } from '../operations/notice-store.ts';
import type { resumeInput, tierInput } from './tier-input.ts';
import {
  endPause,
  insertHistory,
  lockDomain,
  readWarmup,
  wasHeld,
  writeTier,
  type DomainRef,
  type LockedDomain,
  type Warmup,
} from './tier-store.ts';
import { TOP_TIER } from './tiers.ts';

/** Which domain of which tenant. */
export interface TierTarget {
  tenantId: string;
  domain: DomainRef;
}

/** Changes the tier or freezes it. A change beyond tier 0 or 10 is a conflict. Answers the warm-up afterwards. */
export async function overrideTier(
  deps: LiveChangeDeps,
  by: Actor,
  { tenantId, domain: ref }: TierTarget,
  input: z.output<typeof tierInput>,
): Promise<Warmup> {
  const action = input.action ?? 'set';
  return change(deps, by, async (client, record) => {
    const domain = await requireDomain(client, tenantId, ref);
    if (!(await isApplied(client, tenantId, by, `warmup.${action}`))) {
      const next = afterChange(domain, input);
      await writeTier(client, tenantId, domain.id, next);
      const { reason } = input;
      await recordTier({ client, record, by, tenantId }, domain, { action, toTier: next.tier, reason });
      if (next.tier < domain.tier) await addNotices(client, [demotion(tenantId, domain, next.tier, by)]);
    }
    return readWarmup(client, tenantId, { id: domain.id });
  });
}

/** Lifts a pause at the tier that the domain has; what waited goes to the gate at once. */
export async function resumeDomain(
  deps: ChangeDeps,
  by: Actor,
  { tenantId, domain: ref }: TierTarget,
  { reason }: z.output<typeof resumeInput>,
): Promise<Warmup> {
  return change(deps, by, async (client, record) => {
    const domain = await requireDomain(client, tenantId, ref);
    if (!(await isApplied(client, tenantId, by, 'warmup.resume'))) {
      if (domain.state !== 'paused') throw new AppError('conflict', `${domain.name} is not paused.`);
      const state = (await wasHeld(client, tenantId, domain.id)) ? 'held' : 'active';
      await endPause(client, tenantId, domain.id, state);
      const entry = { action: 'resume', toTier: domain.tier, reason } as const;
      await recordTier({ client, record, by, tenantId }, domain, entry);
    }
    return readWarmup(client, tenantId, { id: domain.id });
  });
}

async function requireDomain(client: pg.ClientBase, tenantId: string, ref: DomainRef): Promise<LockedDomain> {
  const domain = await lockDomain(client, tenantId, ref);
  if (!domain) throw notFound('domain');
  return domain;
}

function afterChange(
  domain: LockedDomain,
  { action, tier: wanted }: z.output<typeof tierInput>,
): Pick<LockedDomain, 'tier' | 'state'> {
  const { tier, state } = domain;
  switch (action) {
    case 'advance':
      return { tier: checkTier(tier + 1), state };
    case 'demote':
      return { tier: checkTier(tier - 1), state };
    case 'hold':
      if (state === 'paused') throw new AppError('conflict', `${domain.name} is paused; resume it first.`);
      return { tier, state: 'held' };
    case 'release':
      if (state !== 'held') throw new AppError('conflict', `${domain.name} is not held.`);
      return { tier, state: 'active' };
    case undefined:
      return { tier: checkTier(wanted ?? tier), state };
    default:
      return action satisfies never;
  }
}

function checkTier(tier: number): number {
  if (Number.isInteger(tier) && tier >= 0 && tier <= TOP_TIER) return tier;
  throw new AppError('conflict', `There is no tier ${tier}: tiers go from 0 to ${TOP_TIER}.`);
}

async function recordTier(
  under: { client: pg.ClientBase; record: RecordChange; by: Actor; tenantId: string },
  domain: LockedDomain,
  entry: { action: string; toTier: number; reason: string },
): Promise<void> {
  const { client, record, by, tenantId } = under;
  await insertHistory(client, tenantId, domain, { ...entry, actor: actorName(by) });
  await record({
    tenantId,
    action: `warmup.${entry.action}`,
    subject: toId('dom', domain.id),
    details: {
      domain: domain.name,
      from_tier: domain.tier,
      to_tier: entry.toTier,
      reason: entry.reason,
    },
    topic: 'warmup',
  });
}

function demotion(tenantId: string, domain: LockedDomain, toTier: number, by: Actor) {
  const who = `${domain.name} (${toId('dom', domain.id)}, ${toId('tnt', tenantId)})`;
  const text = `Warm-up: ${who} was demoted from tier ${domain.tier} to ${toTier} by ${actorName(by)}.`;
  return { event: `override:${newUuid()}`, text };
}
