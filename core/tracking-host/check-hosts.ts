// Looks the records of tracking hosts up all the time, so that one that is gone is noticed within a minute, and gives hosts
// the certificates of the folder. Any number of schedulers may do so side by side: each claims what is due.

import type { Config } from '../base/config.ts';
import { deriveKeys } from '../base/secrets.ts';
import type { Database } from '../db/pool.ts';
import { checkRecords, type CheckResult } from '../domain/check-records.ts';
import type { RecordDns } from '../domain/dns-lookup.ts';
import { trackingRecord } from '../domain/records.ts';
import type { TrackingSettings } from '../domain/tracking-host.ts';
import { makeStored } from './certificate.ts';
import type { GivenCertificates } from './given-certificates.ts';
import {
  adoptHosts,
  claimChecks,
  storeGiven,
  writeChecked,
  writeSeen,
  type HostToCheck,
} from './tracking-host-store.ts';

/** What the checks need. */
export interface CheckDeps {
  db: Database;
  dns: RecordDns;
  config: TrackingSettings & Pick<Config, 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS'>;
  /** Null without a folder. */
  given: GivenCertificates | null;
}

const ROUND = 200; // hosts of one claim
const AT_ONCE = 50; // look-ups in flight

/** Checks what is due. False when there is less than a round of it. */
export async function checkHosts(deps: CheckDeps): Promise<boolean> {
  const { pool } = deps.db;
  await adoptHosts(pool);
  const due = await claimChecks(pool, ROUND);
  if (due.length === 0) return false;
  await deps.given?.refresh();
  const checked: { domainId: string; tenantId: string; found: boolean }[] = [];
  const waiting = due.values();
  const worker = async () => {
    for (const host of waiting) checked.push({ ...host, found: await check(deps, host) });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await writeChecked(pool, checked);
  return due.length === ROUND;
}

// Whether its record is there, written if that is news. DNS that does not answer is none.
async function check(deps: CheckDeps, host: HostToCheck): Promise<boolean> {
  const { pool } = deps.db;
  const record = trackingRecord(host.domain, deps.config);
  const result: CheckResult =
    record === null
      ? { status: 'missing', problem: null }
      : ((await checkRecords(deps.dns, host.domain, [record], [])).get(record.key) as CheckResult);
  if (
    result.status !== 'unknown' &&
    (result.status !== host.seen?.status || result.problem !== host.seen.problem)
  )
    await writeSeen(pool, host, { status: result.status, problem: result.problem });
  const found = (result.status === 'unknown' ? host.seen?.status : result.status) === 'found';
  if (found) await give(deps, host);
  return found;
}

async function give({ db, config, given }: CheckDeps, host: HostToCheck): Promise<void> {
  const pair = given?.find(host.name);
  if (!pair || pair.certificate.fingerprint256 === host.certificateFingerprint) return;
  const [sealKey] = deriveKeys(config, 'secret-box');
  await storeGiven(db.pool, host, makeStored(host.name, pair.chain, pair.key, sealKey));
}
