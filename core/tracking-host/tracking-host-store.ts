// Tracking hosts in PostgreSQL: whose record is looked up next, what was found, and what is served.
// SQL by hand: claims by due time, many rows to a statement, and the database's clock.

import { CLOCK, HERE, later } from '../db/citus-forms.ts';
import type { RecordStatus } from '../db/schema/domain.ts';
import type { Queryable } from '../db/pool.ts';
import { trackingDomain } from '../domain/domain.ts';
import type { HostCertificate } from './certificate.ts';

/** A host whose record is to be looked up now. */
export interface HostToCheck {
  domainId: string;
  tenantId: string;
  name: string;
  /** The domain's own name. */
  domain: string;
  /** What was seen of the record last. */
  seen: RecordStatus | null;
  certificateFingerprint: string | null;
}

/** What a look-up found. */
export interface CheckedHost {
  domainId: string;
  tenantId: string;
  found: boolean;
}

/** A host as it is served. */
export interface ServedRow {
  name: string;
  tenantId: string;
  domainId: string;
  certificateFingerprint: string;
}

// A record that goes is noticed within a minute, with the second or so that a resolver keeps it. 10,000 hosts are 500
// look-ups a second.
const CHECK_SECONDS = 20;
// One that is gone is asked for less and less: a twentieth of the time that it has been missing, an hour at most.
const MISSING_PART = 20;
const MOST_SECONDS = 3_600;

/** Gives each verified domain whose record was found its row. Returns how many are new. */
export async function adoptHosts(db: Queryable): Promise<number> {
  const { rowCount } = await db.query({
    name: 'tracking-host.adopt',
    text: `with found as materialized (
             select d.id, d.tenant_id, $1::text || d.name as name, now() as a, now() as b, now() as c from domains d
             where d.status = 'verified' and d.record_status -> 'tracking' ->> 'status' = 'found'
               and not exists (select 1 from tracking_hosts h where h.domain_id = d.id and h.tenant_id = d.tenant_id)),
           adopted as (
             insert into tracking_hosts (domain_id, tenant_id, name, checked_at, check_at, order_at)
             select found.* from found, ${HERE} on conflict (domain_id) do nothing returning 1)
           select 1 from adopted`,
    values: [trackingDomain('')],
  });
  return rowCount ?? 0;
}

/** Claims hosts whose look-up is due. One that is not written afterwards is due again soon. */
export async function claimChecks(db: Queryable, limit: number): Promise<HostToCheck[]> {
  const { rows } = await db.query<HostToCheck>({
    name: 'tracking-host.claim-checks',
    text: `with due as materialized (
             select domain_id from tracking_hosts where check_at <= now() order by check_at limit $1 for update skip locked)
           update tracking_hosts h set check_at = now() + make_interval(secs => $2)
           from due, domains d
           where h.domain_id = due.domain_id and d.id = h.domain_id and d.tenant_id = h.tenant_id
           returning h.domain_id as "domainId", h.tenant_id as "tenantId", h.name, d.name as domain,
             d.record_status -> 'tracking' as seen, h.certificate_fingerprint as "certificateFingerprint"`,
    values: [limit, CHECK_SECONDS],
  });
  return rows;
}

/** Writes that these were looked up, and when each is next. */
export async function writeChecked(db: Queryable, hosts: CheckedHost[]): Promise<void> {
  await db.query({
    name: 'tracking-host.checked',
    text: `update tracking_hosts h
           set checked_at = now(), missing_since = case when q.found then null else coalesce(h.missing_since, clock.now) end,
             check_at = ${later(
               'clock.now',
               `make_interval(secs => case when q.found then $4::float8 else least(greatest($4,
                 extract(epoch from clock.now - coalesce(h.missing_since, clock.now)) / $5), $6) end)`,
             )}
           from unnest($1::uuid[], $2::uuid[], $3::bool[]) as q(tenant_id, domain_id, found), ${CLOCK}
           where h.domain_id = q.domain_id and h.tenant_id = q.tenant_id`,
    values: [
      hosts.map((one) => one.tenantId),
      hosts.map((one) => one.domainId),
      hosts.map((one) => one.found),
      CHECK_SECONDS,
      MISSING_PART,
      MOST_SECONDS,
    ],
  });
}

/** Writes what is seen of a record now. */
export async function writeSeen(
  db: Queryable,
  { tenantId, domainId }: Pick<HostToCheck, 'tenantId' | 'domainId'>,
  seen: RecordStatus,
): Promise<void> {
  await db.query({
    name: 'tracking-host.seen',
    text: `update domains set record_status = record_status || jsonb_build_object('tracking', $3::jsonb)
           where tenant_id = $1 and id = $2`,
    values: [tenantId, domainId, JSON.stringify(seen)],
  });
}

/** Stores a certificate from the operator, if the domain is verified. None is ordered before it expires. */
export async function storeGiven(
  db: Queryable,
  { tenantId, domainId }: Pick<HostToCheck, 'tenantId' | 'domainId'>,
  certificate: HostCertificate,
): Promise<void> {
  await db.query({
    name: 'tracking-host.store-given',
    text: `update tracking_hosts
           set certificate = $3, certificate_fingerprint = $4, certificate_expires_at = $5, sealed_key = $6, order_at = $5,
             claim_version = claim_version + 1, order_url = null, sealed_order_key = null, challenge_token = null,
             challenge_answer = null, failures = 0, problem = null
           where tenant_id = $1 and domain_id = $2 and exists (
             select from domains d where d.tenant_id = $1 and d.id = $2 and d.status = 'verified')`,
    values: [
      tenantId,
      domainId,
      certificate.chain,
      certificate.fingerprint,
      certificate.expiresAt,
      certificate.sealedKey,
    ],
  });
}

/** The hosts of these names that have a certificate and whose domain is verified: one tenant at a time has a name verified. */
export async function selectServed(db: Queryable, names: string[]): Promise<ServedRow[]> {
  const { rows } = await db.query<ServedRow>({
    name: 'tracking-host.served',
    text: `select h.name, h.tenant_id as "tenantId", h.domain_id as "domainId",
             h.certificate_fingerprint as "certificateFingerprint"
           from tracking_hosts h join domains d on d.id = h.domain_id and d.tenant_id = h.tenant_id
           where h.name = any($1::text[]) and h.certificate is not null and d.status = 'verified'`,
    values: [names],
  });
  return rows;
}

/** The certificates of hosts, with their sealed keys. */
export async function selectCertificates(
  db: Queryable,
  hosts: Pick<ServedRow, 'tenantId' | 'domainId'>[],
): Promise<{ fingerprint: string; chain: string; sealedKey: Buffer }[]> {
  const { rows } = await db.query<{ fingerprint: string; chain: string; sealedKey: Buffer }>({
    name: 'tracking-host.certificates',
    text: `select h.certificate_fingerprint as fingerprint, h.certificate as chain, h.sealed_key as "sealedKey"
           from unnest($1::uuid[], $2::uuid[]) as q(tenant_id, domain_id)
           join tracking_hosts h on h.domain_id = q.domain_id and h.tenant_id = q.tenant_id
           where h.certificate is not null`,
    values: [hosts.map((one) => one.tenantId), hosts.map((one) => one.domainId)],
  });
  return rows;
}

/** What to answer to these tokens of HTTP-01 challenges (RFC 8555 section 8.3). */
export async function selectChallenges(
  db: Queryable,
  tokens: string[],
): Promise<{ token: string; answer: string }[]> {
  const { rows } = await db.query<{ token: string; answer: string }>({
    name: 'tracking-host.challenges',
    text: `select challenge_token as token, challenge_answer as answer from tracking_hosts
           where challenge_token = any($1::text[])`,
    values: [tokens],
  });
  return rows;
}
