// Releases mail that needs an admission of the day, domain by domain, first come first served: deferred mail that is
// due, and what is undelivered of earlier days. What fits under the day's cap is queued, the rest waits for the next
// 00:00 UTC. Senders do this all the time, the scheduler asks for it at midnight, and any number may do it at once: each
// takes domains that no other has, and the day's row is the lock of a domain's release.
// Dies anywhere in here: docs/crashes.md, rows release.*: the batch is released as a whole or still due.

import type pg from 'pg';

import type { Fail } from '../../core/base/failpoint.ts';
import { sleep } from '../../core/base/clock.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import { readDueDomains, type DueDomain } from '../../core/message/release-store.ts';
import { resumeBraked, resumeRuled } from '../../core/message/resume-store.ts';
import { resumeMailOf, selectJustReactivated } from '../../core/suspension/suspension-store.ts';
import { lockJustReleased } from '../../core/warmup/brake-store.ts';
import {
  beginRelease,
  freeIdleReserved,
  lockJustLifted,
  openDueDays,
  readOutstanding,
  readReleaseDomain,
  type Outstanding,
} from '../../core/warmup/release-store.ts';
import { selectJustRaised } from '../../core/warmup/history-store.ts';
import { useRoom } from '../../core/warmup/room-store.ts';
import { lockOpenDays } from '../../core/warmup/warmup-store.ts';
import type { EspPolicy } from '../accept/esp-shares.ts';
import type { Gate } from '../accept/gate/gate.ts';
import { refundAll } from './refund-earlier-days.ts';
import { releaseDomain, type ReleaseStep } from './release-domain.ts';

/** What a release needs. */
export interface ReleaseDeps {
  pool: pg.Pool;
  gate: Gate;
  fail: Fail;
  maxAgeMs: number;
  /** Domain of SYSTEM_MAIL_FROM; none when it is left out. */
  systemDomain?: string | null;
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

const LOOK_AHEAD = 20_000; // due messages that one query for domains reads
const AT_ONCE = 2; // domains of one process, while one waits for PostgreSQL another is worked at
const WAKE_AFTER = 1_000; // released messages: each time, all senders look for due mail
const BUSY_MS = 50; // until looking again when others have all domains that are due

/** Releases everything that is due. Mail stays due while it waits for older mail that senders have in flight. */
export async function releaseDue(deps: ReleaseDeps, run: ReleaseRun): Promise<ReleaseProgress> {
  const total: ReleaseProgress = { released: 0, deferredAgain: 0 };
  await refundAll(deps.pool, deps.esp ?? null, run);
  for (;;) {
    const domains = await readDueDomains(deps.pool, run.now, run.tenantId, LOOK_AHEAD);
    if (domains.length === 0) return total;
    await openDueDays(deps.pool, domains, run.now);
    const outstanding = await readOutstanding(deps.pool, run.now);
    let free = 0; // batches of domains that nobody else released
    let waiting = 0; // those of them after which mail of the domain waits for what is outstanding
    let unwoken = 0;
    const wake = (least: number) => {
      if (unwoken >= least) deps.wake(unwoken);
      if (unwoken >= least) unwoken = 0;
    };
    const queue = domains.values();
    const work = async () => {
      for (const domain of queue) {
        for (let more = true; more && !run.signal?.aborted;) {
          const step = await releaseBatch(deps, domain, run.now, outstanding);
          if (!step) break;
          free += 1;
          if (step.waits) waiting += 1;
          total.released += step.released;
          total.deferredAgain += step.deferredAgain;
          more = step.more;
          unwoken += step.released;
          wake(WAKE_AFTER);
          run.onProgress?.(total);
        }
        if (run.signal?.aborted) return;
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
    wake(1);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    if (run.signal?.aborted) return total;
    if (free === 0) await sleep(BUSY_MS, run.signal);
    else if (free === waiting) return total;
  }
}

// Null when another transaction releases the domain, or the day changed since `outstanding` was read.
async function releaseBatch(
  deps: ReleaseDeps,
  domain: DueDomain,
  runNow: Date | null,
  outstanding: Outstanding,
): Promise<ReleaseStep | null> {
  const step = await inTransaction(deps.pool, async (client): Promise<ReleaseStep | null> => {
    const [clock, facts] = await Promise.all([
      beginRelease(client, domain, runNow),
      readReleaseDomain(client, domain),
    ]);
    if (clock === null || clock.day !== outstanding.day) return null;
    const out = outstanding.byDomain.get(domain.domainId) ?? { total: 0, bulk: 0 };
    const result = await releaseDomain(client, deps, domain, clock, facts, out);
    deps.fail('release.before-commit');
    return result;
  });
  if (!step) return null;
  deps.fail('release.after-commit');
  // The admissions were counted under the row's lock; the counter in Redis follows.
  if (step.day) await deps.gate.correct({ ...domain, day: step.day.date }, step.day);
  return step;
}

/** Lets waiting mail, and then new mail, use what today reserves for earlier mail that has ended or was cancelled. */
export async function freeReserved({ pool, gate }: Pick<ReleaseDeps, 'pool' | 'gate'>): Promise<void> {
  const freed = await inTransaction(pool, async (client) => {
    const rows = await freeIdleReserved(client);
    if (rows.length > 0) await useRoom(client, rows);
    return rows;
  });
  for (const row of freed) await gate.correct(row, row);
}

/**
 * Makes mail due that waits for a brake which was taken off within the last minute. For a minute, because senders may still
 * postpone what they read before.
 */
export async function resumeAfterBrakes({ pool, wake }: Pick<ReleaseDeps, 'pool' | 'wake'>): Promise<void> {
  const resumed = await inTransaction(pool, async (client) => {
    const domains = await lockJustReleased(client);
    for (const { state, ...domain } of domains) await resumeBraked(client, domain, state === 'off');
    return domains.length;
  });
  if (resumed > 0) wake(resumed);
}

/**
 * Makes mail due that today's cap has room for since a tier was raised within the last minute. For a minute, because senders may
 * still defer what they read the old cap for.
 */
export async function useRaisedCaps({ pool, wake }: Pick<ReleaseDeps, 'pool' | 'wake'>): Promise<void> {
  const domains = await selectJustRaised(pool);
  if (domains.length === 0) return;
  const due = await inTransaction(pool, async (client) => {
    await lockOpenDays(client, domains);
    return useRoom(client, domains);
  });
  if (due > 0) wake(due);
}

/**
 * Makes mail due that waits for a suspension which ended within the last minute. For a minute, because senders may still postpone
 * what they read before.
 */
export async function resumeAfterSuspensions({
  pool,
  wake,
}: Pick<ReleaseDeps, 'pool' | 'wake'>): Promise<void> {
  const tenants = await selectJustReactivated(pool);
  for (const tenantId of tenants) await inTransaction(pool, (client) => resumeMailOf(client, tenantId));
  if (tenants.length > 0) wake(tenants.length);
}

/** Makes campaign mail due that waited for the sender rules of a domain which meets them since the last minute. */
export async function resumeAfterRules({ pool }: Pick<ReleaseDeps, 'pool'>): Promise<void> {
  await inTransaction(pool, async (client) => {
    for (const domain of await lockJustLifted(client)) await resumeRuled(client, domain);
  });
}
