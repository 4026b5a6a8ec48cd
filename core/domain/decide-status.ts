// The status of a domain after a DNS check. Pure: the same result gives the same decision.
//
//   pending, failed → verified   DKIM key and return path found
//   verified → failed            DKIM key lost: at once; return path lost: after the grace period
//   DNS did not answer           nothing changes

import type { RecordStatus } from '../db/schema/domain.ts';
import type { CheckResult, CheckResults } from './check-records.ts';
import type { DkimKeyInfo, Domain, DomainStatus } from './domain.ts';
import { DOMAIN_KEY, dkimRecordKey, signingKey } from './records.ts';

/** The domain as it should stand now. */
export interface Decision {
  status: DomainStatus;
  recordStatus: Record<string, RecordStatus>;
  failingSince: Date | null;
  /** The keys of a rotation were seen: they sign from now on. */
  promoteKeys: boolean;
  /** Why a domain that was verified is no longer. */
  reason: string | null;
}

// Long enough for a weekend; meanwhile bounces may be lost, but mail is signed and delivered.
const RETURN_PATH_GRACE_MS = 72 * 3_600_000;

/** Decides. `now` is the clock of the run. */
export function decideStatus(
  domain: Domain,
  keys: DkimKeyInfo[],
  results: CheckResults,
  now: Date,
): Decision {
  const pending = keys.find((key) => key.state === 'pending' && key.algorithm === 'rsa-sha256');
  const promoteKeys = pending !== undefined && resultOf(results, pending)?.status === 'found';
  const dkim = resultOf(results, promoteKeys ? pending : signingKey(keys));
  const returnPath = results.get('return_path');
  const recordStatus = mergeStatus(domain.recordStatus, results);
  const base = { recordStatus, promoteKeys, reason: null };
  if (domain.status !== 'verified') {
    const complete = dkim?.status === 'found' && returnPath?.status === 'found';
    if (!complete) return { ...base, status: domain.status, failingSince: domain.failingSince };
    delete recordStatus[DOMAIN_KEY]; // if the name is still another's, applying says so again
    return { ...base, status: 'verified', failingSince: null };
  }
  if (isLost(dkim)) {
    const reason = `the DKIM record is ${dkim?.status ?? 'missing'}`;
    return { ...base, status: 'failed', failingSince: domain.failingSince ?? now, reason };
  }
  if (!isLost(returnPath)) {
    const failingSince = returnPath?.status === 'found' ? null : domain.failingSince;
    return { ...base, status: 'verified', failingSince };
  }
  const failingSince = domain.failingSince ?? now;
  const over = now.getTime() - failingSince.getTime() >= RETURN_PATH_GRACE_MS;
  return over
    ? {
        ...base,
        status: 'failed',
        failingSince,
        reason: 'the return path record has been missing for three days',
      }
    : { ...base, status: 'verified', failingSince };
}

function resultOf(results: CheckResults, key: DkimKeyInfo | null): CheckResult | undefined {
  return key ? results.get(dkimRecordKey(key.selector)) : undefined;
}

function isLost(result: CheckResult | undefined): boolean {
  return result === undefined || result.status === 'missing' || result.status === 'wrong';
}

// A record that could not be looked up keeps what was last seen of it, with a word about why it is not newer.
// What is not looked up any more (keys that retired) is forgotten.
function mergeStatus(
  before: Record<string, RecordStatus>,
  results: CheckResults,
): Record<string, RecordStatus> {
  const after: Record<string, RecordStatus> = {};
  for (const [key, result] of results) {
    after[key] =
      result.status === 'unknown'
        ? { status: before[key]?.status ?? 'pending', problem: result.problem }
        : { status: result.status, problem: result.problem };
  }
  const refusal = before[DOMAIN_KEY];
  if (refusal) after[DOMAIN_KEY] = refusal;
  return after;
}
