// The daily ramp over all domains with mail: read the counts of the day, then decide and write in batches.
// Guarantee: one decision per (domain, day), with its tier, cap, history, audit row and notice in one transaction. The gate reads
// the cap from PostgreSQL's row with every batch that it admits, so there is no second place that a crash could leave
// behind. Dies anywhere in here: the batches that committed are done, a later run does the rest.

import type pg from 'pg';

import { service } from '../audit/actor.ts';
import { insertAudits, type AuditEntry } from '../audit/audit-store.ts';
import { utcDay } from '../base/clock.ts';
import { newUuid, toId } from '../base/ids.ts';
import { inTransaction } from '../db/transaction.ts';
import { addNotices, type Notice } from '../operations/notice-store.ts';
import { countOlderDay } from './counted-days.ts';
import { decideRamp, type RampAction, type RampDecision } from './decide-ramp.ts';
import {
  lockRampDomains,
  readDayCounts,
  writeRamp,
  type DomainCounts,
  type RampDomain,
  type RampWrite,
} from './ramp-store.ts';
import { useRoom } from './room-store.ts';
import { capOfTier } from './tiers.ts';

/** What one run is to do. */
export interface RampRun {
  /** Clock of the run: the day before it is decided about. */
  now: Date;
  /** A later day is decided in the same go (see decideRamp). */
  late: boolean;
  signal?: AbortSignal;
  /** Called after the commit for each domain whose tier or state changed. */
  onChange?: (tenantId: string, domainId: string) => void;
}

/** What a run did, by decision; `domains` had mail on the day. */
export interface RampSummary extends Record<RampAction, number> {
  day: string;
  domains: number;
  /** Decided by an earlier run, or not verified. */
  skipped: number;
}

const BATCH = 500; // domains whose new mail waits for one transaction, about 50 ms
const DAY_MS = 86_400_000;

/** Decides about the day before `now` for every verified domain with mail on it. */
export async function rampTiers(pool: pg.Pool, run: RampRun): Promise<RampSummary> {
  const day = utcDay(new Date(run.now.getTime() - DAY_MS));
  await countOlderDay(pool, day);
  const counted = await readDayCounts(pool, day);
  const summary: RampSummary = {
    day,
    domains: counted.length,
    advance: 0,
    hold: 0,
    demote: 0,
    pause: 0,
    skipped: 0,
  };
  for (let at = 0; at < counted.length; at += BATCH) {
    run.signal?.throwIfAborted();
    const batch = counted.slice(at, at + BATCH);
    const writes = await inTransaction(pool, (client) => rampBatch(client, batch, day, run));
    for (const write of writes) summary[write.action as RampAction] += 1;
    summary.skipped += batch.length - writes.length;
    for (const write of writes) if (write.action !== 'hold') run.onChange?.(write.tenantId, write.domainId);
  }
  return summary;
}

async function rampBatch(
  client: pg.ClientBase,
  batch: DomainCounts[],
  day: string,
  run: RampRun,
): Promise<RampWrite[]> {
  const countsOf = new Map(batch.map((counts) => [counts.domainId, counts]));
  const domains = await lockRampDomains(client, batch, day);
  if (domains.length === 0) return [];
  const decided = domains.map((domain) => {
    const counts = countsOf.get(domain.domainId)!;
    return { domain, counts, decision: decideRamp(domain, counts, run.late) };
  });
  const writes = decided.map(({ domain, counts, decision }) => toWrite(domain, counts, decision, day));
  await Promise.all([
    writeRamp(client, day, utcDay(run.now), writes),
    insertAudits(
      client,
      service('auto-ramp'),
      decided.flatMap(({ domain, decision }) => audited(domain, decision)),
    ),
    addNotices(
      client,
      decided.flatMap(({ domain, decision }) => notice(domain, decision, day)),
    ),
  ]);
  const raised = writes.filter(({ fromTier, toTier }) => toTier > fromTier);
  if (raised.length > 0) await useRoom(client, raised);
  return writes;
}

function toWrite(domain: RampDomain, counts: DomainCounts, decision: RampDecision, day: string): RampWrite {
  const { action, toTier, reason, rates } = decision;
  return {
    ...counts,
    historyId: newUuid(),
    action,
    fromTier: domain.tier,
    toTier,
    cap: capOfTier(toTier),
    pausedReason: action === 'pause' ? `on ${day} ${reason}` : null,
    reason,
    rates: { ...rates },
  };
}

function audited(domain: RampDomain, { action, toTier, reason }: RampDecision): AuditEntry[] {
  if (action === 'hold') return [];
  const { tenantId, domainId, name, tier } = domain;
  const details = { domain: name, from_tier: tier, to_tier: toTier, reason };
  return [{ tenantId, action: `warmup.${action}`, subject: toId('dom', domainId), details }];
}

// Domain names and ids only: nothing in a notice is a customer's free text.
function notice(domain: RampDomain, decision: RampDecision, day: string): Notice[] {
  const { action, toTier, reason } = decision;
  if (action !== 'pause' && action !== 'demote') return [];
  const moved = toTier < domain.tier ? `demoted from tier ${domain.tier} to ${toTier}` : '';
  const what = [action === 'pause' ? 'paused' : '', moved].filter(Boolean).join(' and ');
  const who = `${domain.name} (${toId('dom', domain.domainId)}, ${toId('tnt', domain.tenantId)})`;
  return [
    { event: `ramp:${domain.domainId}:${day}`, text: `Warm-up: ${who} was ${what}. On ${day} ${reason}.` },
  ];
}
