// The SAML connections of tenants in PostgreSQL.

import type pg from 'pg';

import { hasSso, PLANS } from '../tenant/plan.ts';
import type { Queryable } from '../db/pool.ts';

/** The identity provider of a tenant. */
export interface SamlConnection {
  idpEntityId: string;
  /** Where sign-ins are sent, by the HTTP-Redirect binding. */
  idpSsoUrl: string;
  /** PEM. Any of them may have signed. */
  certificates: string[];
  enabled: boolean;
  /** Members may not use passwords. */
  required: boolean;
  /**
   * Domains whose people are made members when they first sign in, as long as the tenant has them verified. Lower case
   * ASCII.
   */
  emailDomains: string[];
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS = `s.idp_entity_id as "idpEntityId", s.idp_sso_url as "idpSsoUrl", s.certificates, s.enabled, s.required,
  s.email_domains as "emailDomains", s.created_at as "createdAt", s.updated_at as "updatedAt"`;

/** The connection of a tenant, or null. `lock` makes other changes wait until this transaction ends. */
export async function selectConnection(
  db: Queryable,
  tenantId: string,
  options: { lock?: boolean } = {},
): Promise<SamlConnection | null> {
  const { rows } = await db.query<SamlConnection>(
    `select ${COLUMNS} from saml_connections s where s.tenant_id = $1 ${options.lock ? 'for update' : ''}`,
    [tenantId],
  );
  return rows[0] ?? null;
}

/** The connection of a tenant that may be used now: it is enabled and the plan has it. */
export async function selectUsable(db: Queryable, tenantId: string): Promise<SamlConnection | null> {
  const { rows } = await db.query<SamlConnection>(
    `select ${COLUMNS} from saml_connections s join tenants t on t.id = s.tenant_id
     where s.tenant_id = $1 and s.enabled and t.plan = any($2)`,
    [tenantId, PLANS.filter(hasSso)],
  );
  return rows[0] ?? null;
}

/** The tenant with a usable connection that has verified this domain as its own, or null. */
export async function selectTenantByDomain(db: Queryable, domain: string): Promise<string | null> {
  const { rows } = await db.query<{ tenantId: string }>(
    `select d.tenant_id as "tenantId" from domains d
       join saml_connections s on s.tenant_id = d.tenant_id join tenants t on t.id = d.tenant_id
     where d.name = $1 and d.status = 'verified' and s.enabled and t.plan = any($2)`,
    [domain, PLANS.filter(hasSso)],
  );
  return rows[0]?.tenantId ?? null;
}

/** Which of these domains the tenant has verified as its own, now. */
export async function selectVerifiedDomains(
  db: Queryable,
  tenantId: string,
  domains: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    "select name from domains where tenant_id = $1 and name = any($2) and status = 'verified'",
    [tenantId, domains],
  );
  return rows.map(({ name }) => name);
}

/** Makes or replaces the connection of a tenant. */
export async function upsertConnection(
  client: pg.PoolClient,
  tenantId: string,
  row: Omit<SamlConnection, 'createdAt' | 'updatedAt'>,
): Promise<SamlConnection> {
  const { rows } = await client.query<SamlConnection>(
    `insert into saml_connections as s
       (tenant_id, idp_entity_id, idp_sso_url, certificates, enabled, required, email_domains)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (tenant_id) do update set idp_entity_id = $2, idp_sso_url = $3, certificates = $4, enabled = $5,
       required = $6, email_domains = $7, updated_at = now()
     returning ${COLUMNS}`,
    [tenantId, row.idpEntityId, row.idpSsoUrl, row.certificates, row.enabled, row.required, row.emailDomains],
  );
  return rows[0]!;
}

/** Removes the connection of a tenant. False when there is none. */
export async function deleteConnectionRow(client: pg.PoolClient, tenantId: string): Promise<boolean> {
  const { rowCount } = await client.query('delete from saml_connections where tenant_id = $1', [tenantId]);
  return rowCount === 1;
}
