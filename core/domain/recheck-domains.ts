// The checks that nobody asks for: of every sending domain once a day, and of new ones that wait for their records every five
// minutes. Built for 100,000 of them: pages by id, a bounded number of domains looked
// up at a time, and one statement per page for all that stay what they are. Dies anywhere: the next run checks
// everything again; nothing is half done, because each domain is written once.

import type { Logger } from '../base/log.ts';
import { applyDecision, RECHECK } from './apply-decision.ts';
import { checkRecords } from './check-records.ts';
import { decideStatus, type Decision } from './decide-status.ts';
import { selectKeys } from './dkim-store.ts';
import type { DkimKeyInfo, Domain } from './domain.ts';
import { claimPending, selectToRecheck, updateCheckedMany } from './domain-store.ts';
import { records } from './records.ts';
import { settleClaims } from './settle-claims.ts';
import type { VerifyDeps } from './verify-domain.ts';

/** What a run did. */
export interface RecheckSummary {
  checked: number;
  verified: number;
  failed: number;
  /** Domains of which at least one record could not be looked up. */
  unreachable: number;
}

const PAGE = 500; // domains; one update writes as many
const AT_ONCE = 50; // domains, about 350 look-ups in flight: a resolver answers thousands a second
const PENDING_DAYS = 7; // a new domain whose records never come is left alone then
const FAILED_DAYS = 14; // one that failed may repair itself for as long as its tier is kept
const PENDING_ROUND = 100; // domains of one claim
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Looks all domains up again. `now` is the clock of the run. Stops between pages when the signal aborts. */
export async function recheckDomains(
  deps: VerifyDeps,
  options: { now: Date; signal?: AbortSignal },
): Promise<RecheckSummary> {
  await settleClaims(deps.db.pool);
  const summary: RecheckSummary = { checked: 0, verified: 0, failed: 0, unreachable: 0 };
  let after = FIRST_ID;
  while (!options.signal?.aborted) {
    const page = await selectToRecheck(deps.db.pool, {
      now: options.now,
      after,
      limit: PAGE,
      pendingDays: PENDING_DAYS,
      failedDays: FAILED_DAYS,
    });
    const last = page.at(-1);
    if (!last) break;
    after = last.id;
    await recheckPage(deps, page, options.now, summary);
  }
  return summary;
}

/**
 * Looks up pending domains that are due: every five minutes for three days from their creation. Owners get mail about one that
 * is verified by it. False when less than a round was due.
 */
export async function checkPending(deps: VerifyDeps): Promise<boolean> {
  const due = await claimPending(deps.db.pool, PENDING_ROUND);
  const [first] = due;
  if (!first) return false;
  await recheckPage(deps, due, first.readAt, { checked: 0, verified: 0, failed: 0, unreachable: 0 });
  return due.length === PENDING_ROUND;
}

interface Checked {
  domain: Domain;
  decision: Decision;
}

async function recheckPage(
  deps: VerifyDeps,
  page: Domain[],
  now: Date,
  summary: RecheckSummary,
): Promise<void> {
  const keys = await selectKeys(deps.db.pool, page);
  const checked: Checked[] = [];
  const waiting = page.values();
  const worker = async () => {
    for (const domain of waiting) {
      const own = keys.get(domain.id) ?? [];
      checked.push({ domain, decision: await check(deps, domain, own, now, summary) });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  summary.checked += checked.length;
  await write(deps, checked, summary);
}

async function check(
  deps: VerifyDeps,
  domain: Domain,
  keys: DkimKeyInfo[],
  now: Date,
  summary: RecheckSummary,
): Promise<Decision> {
  const wanted = records(domain, keys, deps.config);
  const results = await checkRecords(deps.dns, domain.name, wanted, keys);
  if ([...results.values()].some((result) => result.status === 'unknown')) summary.unreachable++;
  return decideStatus(domain, keys, results, now);
}

async function write(deps: VerifyDeps, checked: Checked[], summary: RecheckSummary): Promise<void> {
  const changes = ({ domain, decision }: Checked) =>
    decision.status !== domain.status || decision.promoteKeys;
  const same = checked.filter((one) => !changes(one));
  if (same.length > 0)
    await updateCheckedMany(
      deps.db.pool,
      same.map(({ domain, decision }) => ({
        tenantId: domain.tenantId,
        id: domain.id,
        expected: domain.status,
        status: domain.status,
        recordStatus: decision.recordStatus,
        failingSince: decision.failingSince,
      })),
    );
  for (const { domain, decision } of checked.filter(changes)) {
    const status = await applyDecision(deps, RECHECK, domain, decision);
    if (status === null || status === domain.status) continue;
    if (status === 'verified') summary.verified++;
    if (status === 'failed') summary.failed++;
    logChange(deps.log, domain, decision, status);
  }
}

function logChange(log: Logger, domain: Domain, decision: Decision, status: string): void {
  log.info(
    { domain: domain.name, from: domain.status, to: status, reason: decision.reason },
    'a domain changed',
  );
}
