// What needs an operator's attention, over all buckets. A list is one page: an operator works from the top, and reads it again.

import type { Buckets } from '../db/buckets.ts';
import type { Queryable } from '../db/pool.ts';
import {
  selectExpiringCertificates,
  selectFailingWebhooks,
  selectTenantProblems,
  selectTroubledDomains,
  selectTroubledTenants,
  selectWaitingMail,
  type ExpiringCertificate,
  type FailingWebhook,
  type TenantProblem,
  type TroubledDomain,
  type WaitingMail,
} from './health-store.ts';

/** The most rows that each list has; of domains, for each problem. */
const MOST_LISTED = 50;

/** Domains with a problem, by problem. */
export function readTroubledDomains(buckets: Buckets): Promise<TroubledDomain[]> {
  return inAll(buckets, (db) => selectTroubledDomains(db, MOST_LISTED));
}

/** Waiting mail by domain and reason, the oldest first. */
export async function readWaitingMail(buckets: Buckets): Promise<WaitingMail[]> {
  const found = await inAll(buckets, (db) => selectWaitingMail(db, MOST_LISTED));
  return found.toSorted((a, b) => a.oldestAt.getTime() - b.oldestAt.getTime()).slice(0, MOST_LISTED);
}

/** Webhooks that fail, the latest first. */
export async function readFailingWebhooks(buckets: Buckets): Promise<FailingWebhook[]> {
  const found = await inAll(buckets, (db) => selectFailingWebhooks(db, null, MOST_LISTED));
  return found.toSorted((a, b) => b.since.getTime() - a.since.getTime()).slice(0, MOST_LISTED);
}

/** Certificates of tracking hosts that expire within 21 days, the first to expire first. */
export async function readExpiringCertificates(buckets: Buckets): Promise<ExpiringCertificate[]> {
  const found = await inAll(buckets, (db) => selectExpiringCertificates(db, null, MOST_LISTED));
  return found.toSorted((a, b) => a.expiresAt.getTime() - b.expiresAt.getTime()).slice(0, MOST_LISTED);
}

/** Webhooks of one tenant that fail, the latest first. */
export function readFailingWebhooksOf(db: Queryable, tenantId: string): Promise<FailingWebhook[]> {
  return selectFailingWebhooks(db, tenantId, MOST_LISTED);
}

/** Certificates of one tenant's tracking hosts that expire within 21 days, the first to expire first. */
export function readExpiringCertificatesOf(db: Queryable, tenantId: string): Promise<ExpiringCertificate[]> {
  return selectExpiringCertificates(db, tenantId, MOST_LISTED);
}

/** The problems of these tenants; a tenant without any is missing. */
export async function readTenantProblems(
  buckets: Buckets,
  tenantIds: readonly string[],
): Promise<Map<string, TenantProblem[]>> {
  const found = await inAll(buckets, (db) => selectTenantProblems(db, tenantIds));
  const byTenant = Map.groupBy(found, ({ tenantId }) => tenantId);
  return new Map([...byTenant].map(([id, rows]) => [id, rows.map(({ problem }) => problem)]));
}

/** The tenants that have a problem. */
export function readTroubledTenants(buckets: Buckets, problem: TenantProblem): Promise<string[]> {
  return inAll(buckets, (db) => selectTroubledTenants(db, problem));
}

async function inAll<T>(buckets: Buckets, read: (db: Queryable) => Promise<T[]>): Promise<T[]> {
  const names = await buckets.list();
  return (await Promise.all(names.map((name) => read(buckets.database(name).pool)))).flat();
}
