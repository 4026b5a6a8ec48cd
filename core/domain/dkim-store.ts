// Signing keys in PostgreSQL. Private halves are sealed; only signing reads them.
// SQL by hand: keys of many domains at once, and changes that depend on the state of a key.

import type { NewDkimKey } from './dkim-key.ts';
import type { DkimKeyInfo, Domain } from './domain.ts';
import type { Queryable } from '../db/pool.ts';
import type { BrakeCause } from '../message/brake-cause.ts';
import { BRAKE_CAUSE, BRAKE_STATE, type BrakeState } from '../message/brake-state.ts';
import { suspendedSql } from '../tenant/suspended.ts';
import { TRACKING_HOST_LIVE, WITH_TRACKING_HOST } from './tracking-host.ts';

/** What delivery needs to know of a domain, once a second. */
export interface SigningState {
  tenantId: string;
  domainId: string;
  name: string;
  status: Domain['status'];
  warmupState: Domain['warmupState'];
  isSuspended: boolean;
  brake: BrakeState;
  brakeCause: BrakeCause | null;
  recordStatus: Domain['recordStatus'];
  cfblEnabled: boolean;
  pool: string | null;
  trackingHostLive: boolean;
  keys: { id: string; selector: string; algorithm: DkimKeyInfo['algorithm'] }[];
}

/** Stores keys of a domain. */
export async function insertKeys(
  db: Queryable,
  owner: { tenantId: string; domainId: string },
  state: DkimKeyInfo['state'],
  keys: NewDkimKey[],
): Promise<void> {
  await db.query(
    `insert into dkim_keys (id, tenant_id, domain_id, selector, algorithm, state, public_key, sealed_private_key)
     select q.id, $1, $2, q.selector, q.algorithm, $3, q.public_key, q.sealed
     from unnest($4::uuid[], $5::text[], $6::text[], $7::text[], $8::bytea[])
       as q(id, selector, algorithm, public_key, sealed)`,
    [
      owner.tenantId,
      owner.domainId,
      state,
      keys.map((key) => key.id),
      keys.map((key) => key.selector),
      keys.map((key) => key.algorithm),
      keys.map((key) => key.publicKey),
      keys.map((key) => key.sealedPrivateKey),
    ],
  );
}

/** The keys of these domains by domain id, the oldest first. */
export async function selectKeys(
  db: Queryable,
  domains: { tenantId: string; id: string }[],
): Promise<Map<string, DkimKeyInfo[]>> {
  const { rows } = await db.query<DkimKeyInfo>({
    name: 'dkim.keys',
    text: `select k.id, k.domain_id as "domainId", k.selector, k.algorithm, k.state, k.public_key as "publicKey",
             k.created_at as "createdAt"
           from unnest($1::uuid[], $2::uuid[]) as q(tenant_id, domain_id)
           join dkim_keys k on k.domain_id = q.domain_id and k.tenant_id = q.tenant_id
           order by k.id`,
    values: [domains.map((one) => one.tenantId), domains.map((one) => one.id)],
  });
  const byDomain = new Map<string, DkimKeyInfo[]>(domains.map((one) => [one.id, []]));
  for (const row of rows) byDomain.get(row.domainId)?.push(row);
  return byDomain;
}

/** The pending keys sign from now on, the ones before them no more. */
export async function promotePending(db: Queryable, tenantId: string, domainId: string): Promise<void> {
  await db.query(
    `update dkim_keys set state = case state when 'pending' then 'active' else 'retired' end
     where tenant_id = $1 and domain_id = $2 and state in ('active', 'pending')
       and exists (select from dkim_keys p
         where p.tenant_id = $1 and p.domain_id = $2 and p.state = 'pending' and p.algorithm = 'rsa-sha256')`,
    [tenantId, domainId],
  );
}

/** Removes keys whose record was not seen yet. Returns whether there were any. */
export async function deletePending(db: Queryable, tenantId: string, domainId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    "delete from dkim_keys where tenant_id = $1 and domain_id = $2 and state = 'pending'",
    [tenantId, domainId],
  );
  return (rowCount ?? 0) > 0;
}

/** State and signing keys of domains, without private halves. */
export async function selectSigningStates(
  db: Queryable,
  wanted: { tenantId: string; domainId: string }[],
): Promise<SigningState[]> {
  const { rows } = await db.query<SigningState>({
    name: 'dkim.signing-states',
    text: `select d.tenant_id as "tenantId", d.id as "domainId", d.name, d.status,
             d.warmup_state as "warmupState", ${suspendedSql('d.tenant_id')} as "isSuspended", ${BRAKE_STATE} as brake, ${BRAKE_CAUSE} as "brakeCause", d.record_status as "recordStatus", d.cfbl_enabled as "cfblEnabled",
             d.pool, ${TRACKING_HOST_LIVE} as "trackingHostLive",
             (select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'selector', k.selector,
                'algorithm', k.algorithm) order by k.id), '[]')
              from dkim_keys k where k.domain_id = d.id and k.state = 'active') as keys
           from unnest($1::uuid[], $2::uuid[]) as q(tenant_id, id)
           join domains d on d.id = q.id and d.tenant_id = q.tenant_id ${WITH_TRACKING_HOST}`,
    values: [wanted.map((one) => one.tenantId), wanted.map((one) => one.domainId)],
  });
  return rows;
}

/** The sealed private halves of these keys. */
export async function selectSealed(db: Queryable, ids: string[]): Promise<Map<string, Buffer>> {
  const { rows } = await db.query<{ id: string; sealed: Buffer }>({
    name: 'dkim.sealed',
    text: 'select id, sealed_private_key as sealed from dkim_keys where id = any($1::uuid[])',
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, row.sealed]));
}
