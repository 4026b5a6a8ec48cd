// Invitations in PostgreSQL. Tokens are never here, only their SHA-256. SQL by hand: what an invitation opens is a
// condition that it shares with memberships (ssoOnly).

import type pg from 'pg';

import type { Queryable } from '../db/pool.ts';
import { ssoOnly, SSO_PLANS, type Role } from './membership-store.ts';

/** An open invitation as owners see it. */
export interface Invitation {
  /** UUID. */
  id: string;
  tenantId: string;
  email: string;
  role: Role;
  /** Address of who invited. */
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
}

/** An invitation and what became of its mail. */
export interface MailedInvitation extends Invitation {
  /** State of the message, or null when it was not sent. */
  mail: string | null;
}

/** An open invitation with the name of the tenant that it is for. */
export interface OpenInvitation extends Invitation {
  tenantName: string;
  /** The tenant has SSO, and the role may use it. */
  hasSso: boolean;
  /** The tenant insists on SSO for the role. */
  ssoOnly: boolean;
  /** The address has a person with a password. */
  hasPassword: boolean;
}

const COLUMNS = `i.id, i.tenant_id as "tenantId", i.email, i.role, i.invited_by_email as "invitedBy",
  i.created_at as "createdAt", i.expires_at as "expiresAt"`;
const OPEN = 'i.accepted_at is null and i.revoked_at is null';

/** An invitation to insert. */
export interface NewInvitation {
  id: string;
  tenantId: string;
  email: string;
  role: Role;
  tokenHash: Buffer;
  /** UUIDv7 of the message that will bring the link. */
  messageId: string;
  invitedBy: { userId: string; email: string };
  days: number;
}

/** Inserts an invitation in the place of an open one for the same address. */
export async function insertInvitation(client: pg.PoolClient, row: NewInvitation): Promise<Invitation> {
  await client.query(
    `update invitations i set revoked_at = now() where i.tenant_id = $1 and i.email = $2 and ${OPEN}`,
    [row.tenantId, row.email],
  );
  const { rows } = await client.query<Invitation>(
    `insert into invitations as i
       (id, tenant_id, email, role, token_hash, message_id, invited_by, invited_by_email, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(days => $9)) returning ${COLUMNS}`,
    [
      row.id,
      row.tenantId,
      row.email,
      row.role,
      row.tokenHash,
      row.messageId,
      row.invitedBy.userId,
      row.invitedBy.email,
      row.days,
    ],
  );
  return rows[0]!;
}

/** The open invitations of a tenant, newest first. */
export async function selectInvitations(db: Queryable, tenantId: string): Promise<MailedInvitation[]> {
  const { rows } = await db.query<MailedInvitation>(
    `select ${COLUMNS}, (select m.state from messages m where m.id = i.message_id) as mail from invitations i
     where i.tenant_id = $1 and ${OPEN} and i.expires_at > now() order by i.id desc`,
    [tenantId],
  );
  return rows;
}

/** How many invitations of a tenant were mailed within 24 hours: to anybody, and to this address. */
export async function countRecent(
  db: Queryable,
  tenantId: string,
  email: string,
): Promise<{ all: number; same: number }> {
  const { rows } = await db.query<{ all: number; same: number }>(
    `select count(*)::int as all, (count(*) filter (where email = $2))::int as same
     from invitations where tenant_id = $1 and created_at > now() - interval '24 hours'`,
    [tenantId, email],
  );
  return rows[0]!;
}

/** The tenant that has verified this domain, or null: a name is verified by one tenant at most. */
export async function selectVerifiedOwner(db: Queryable, domain: string): Promise<string | null> {
  const { rows } = await db.query<{ tenantId: string }>(
    `select tenant_id as "tenantId" from domains where name = $1 and status = 'verified'`,
    [domain],
  );
  return rows[0]?.tenantId ?? null;
}

/** The open invitation of a token, or null. The token itself names the tenant. */
export async function selectByToken(db: Queryable, tokenHash: Buffer): Promise<OpenInvitation | null> {
  const { rows } = await db.query<OpenInvitation>(
    `select ${COLUMNS}, t.name as "tenantName", ${ssoOnly('i', '$2')} as "ssoOnly",
       i.role <> 'super_admin' and coalesce(c.enabled and t.plan = any($2), false) as "hasSso",
       exists (select from users u where u.email = i.email and u.password_hash is not null) as "hasPassword"
     from invitations i join tenants t on t.id = i.tenant_id
       left join saml_connections c on c.tenant_id = i.tenant_id
     where i.token_hash = $1 and ${OPEN} and i.expires_at > now()`,
    [tokenHash, SSO_PLANS],
  );
  return rows[0] ?? null;
}

/**
 * Uses up the open invitation of an address in a tenant, found by id or, after SSO, by address. Null when there is
 * none; by address none for a super_admin counts, because no identity provider can make one.
 */
export async function acceptOpen(
  client: pg.PoolClient,
  tenantId: string,
  which: { id: string } | { email: string },
): Promise<Invitation | null> {
  const { rows } = await client.query<Invitation>(
    `update invitations i set accepted_at = now()
     where i.tenant_id = $1 and (i.id = $2 or (i.email = $3 and i.role <> 'super_admin'))
       and ${OPEN} and i.expires_at > now()
     returning ${COLUMNS}`,
    [tenantId, 'id' in which ? which.id : null, 'email' in which ? which.email : null],
  );
  return rows[0] ?? null;
}

/** Takes an open invitation back. Null when there is none. */
export async function revokeOpen(
  client: pg.PoolClient,
  tenantId: string,
  id: string,
): Promise<Invitation | null> {
  const { rows } = await client.query<Invitation>(
    `update invitations i set revoked_at = now() where i.tenant_id = $1 and i.id = $2 and ${OPEN}
     returning ${COLUMNS}`,
    [tenantId, id],
  );
  return rows[0] ?? null;
}

/** Takes back what somebody invited who may not invite any more. */
export async function revokeInvitationsBy(
  client: pg.PoolClient,
  tenantId: string,
  userId: string,
): Promise<void> {
  await client.query(
    `update invitations i set revoked_at = now() where i.tenant_id = $1 and i.invited_by = $2 and ${OPEN}`,
    [tenantId, userId],
  );
}
