// Invitations in PostgreSQL. Tokens are never here, only their SHA-256.

import type pg from 'pg';

import { and, count, desc, eq, getTableColumns, gt, inArray, isNull, ne, sql, type SQL } from 'drizzle-orm';

import { orm } from '../db/orm.ts';
import type { Queryable } from '../db/pool.ts';
import { domainClaims } from '../db/schema/bucket.ts';
import { messages } from '../db/schema/message.ts';
import { invitations, samlConnections, users } from '../db/schema/people.ts';
import { tenants } from '../db/schema/tenant.ts';
import { HAS_SSO, ssoOnly } from './membership-store.ts';

/** An open invitation as owners see it. */
export type Invitation = Pick<
  typeof invitations.$inferSelect,
  'id' | 'tenantId' | 'email' | 'role' | 'createdAt' | 'expiresAt'
> & {
  /** Address of who invited. */
  invitedBy: string;
};

/** An invitation and what became of its mail. */
export type MailedInvitation = Invitation & {
  /** State of the message, or null when it was not sent. */
  mail: string | null;
};

/** An open invitation with the name of the tenant that it is for. */
export type OpenInvitation = Invitation & {
  tenantName: string;
  /** The tenant has SSO, and the role may use it. */
  hasSso: boolean;
  /** The tenant insists on SSO for the role. */
  ssoOnly: boolean;
  /** The address has a person with a password. */
  hasPassword: boolean;
};

const { id, tenantId, email, role, createdAt, expiresAt } = getTableColumns(invitations);
const INVITATION = { id, tenantId, email, role, invitedBy: invitations.invitedByEmail, createdAt, expiresAt };
const OPEN = and(isNull(invitations.acceptedAt), isNull(invitations.revokedAt));
const NOT_OVER = gt(invitations.expiresAt, sql`now()`);

/** An invitation to insert. */
export type NewInvitation = Omit<
  typeof invitations.$inferInsert,
  'createdAt' | 'expiresAt' | 'acceptedAt' | 'revokedAt'
> & { days: number };

/** Inserts an invitation in the place of an open one for the same address. */
export async function insertInvitation(
  client: pg.PoolClient,
  { days, ...row }: NewInvitation,
): Promise<Invitation> {
  await revoke(client, row.tenantId, eq(invitations.email, row.email));
  const [made] = await orm(client)
    .insert(invitations)
    .values({ ...row, expiresAt: sql`now() + make_interval(days => ${days})` })
    .returning(INVITATION);
  return made!;
}

/** The open invitations of a tenant, newest first. What became of a mail is known in the bucket of the tenant that sent it. */
export function selectInvitations(
  db: Queryable,
  tenantId: string,
): Promise<(MailedInvitation & { messageId: string | null })[]> {
  const mail = orm(db)
    .select({ state: messages.state })
    .from(messages)
    .where(eq(messages.id, invitations.messageId));
  return orm(db)
    .select({ ...INVITATION, messageId: invitations.messageId, mail: sql<string | null>`(${mail})` })
    .from(invitations)
    .where(and(eq(invitations.tenantId, tenantId), OPEN, NOT_OVER))
    .orderBy(desc(invitations.id));
}

/** The states of these messages, as far as they are in this bucket. */
export async function selectMailStates(db: Queryable, ids: string[]): Promise<Map<string, string>> {
  const rows = await orm(db)
    .select({ id: messages.id, state: messages.state })
    .from(messages)
    .where(inArray(messages.id, ids));
  return new Map(rows.map((row) => [row.id, row.state]));
}

/** How many invitations of a tenant were mailed within 24 hours: to anybody, and to this address. */
export async function countRecent(
  db: Queryable,
  tenantId: string,
  email: string,
): Promise<{ all: number; same: number }> {
  const [row] = await orm(db)
    .select({
      all: count(),
      same: sql<number>`(count(*) filter (where ${invitations.email} = ${email}))::int`,
    })
    .from(invitations)
    .where(
      and(eq(invitations.tenantId, tenantId), gt(invitations.createdAt, sql`now() - interval '24 hours'`)),
    );
  return row!;
}

/** The messages of the invitations of a tenant that were mailed within 24 hours. */
export async function selectRecentMail(db: Queryable, tenantId: string): Promise<string[]> {
  const rows = await orm(db)
    .select({ messageId: invitations.messageId })
    .from(invitations)
    .where(
      and(eq(invitations.tenantId, tenantId), gt(invitations.createdAt, sql`now() - interval '24 hours'`)),
    );
  return rows.flatMap(({ messageId }) => messageId ?? []);
}

/** The tenant that has verified this domain, in whichever bucket it is, or null: a name is verified by one tenant at most. */
export async function selectVerifiedOwner(db: Queryable, domain: string): Promise<string | null> {
  const [row] = await orm(db)
    .select({ tenantId: domainClaims.tenantId })
    .from(domainClaims)
    .where(and(eq(domainClaims.name, domain), domainClaims.held));
  return row?.tenantId ?? null;
}

/** The open invitation of a token, or null. The token itself names the tenant. */
export async function selectByToken(db: Queryable, tokenHash: Buffer): Promise<OpenInvitation | null> {
  const [row] = await orm(db)
    .select({
      ...INVITATION,
      tenantName: tenants.name,
      hasSso: sql<boolean>`${invitations.role} <> 'super_admin' and ${HAS_SSO}`,
      ssoOnly: ssoOnly(invitations.role),
      hasPassword: sql<boolean>`${users.passwordHash} is not null`,
    })
    .from(invitations)
    .innerJoin(tenants, eq(tenants.id, invitations.tenantId))
    .leftJoin(samlConnections, eq(samlConnections.tenantId, invitations.tenantId))
    .leftJoin(users, eq(users.email, invitations.email))
    .where(and(eq(invitations.tokenHash, tokenHash), OPEN, NOT_OVER));
  return row ?? null;
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
  const one =
    'id' in which
      ? eq(invitations.id, which.id)
      : and(eq(invitations.email, which.email), ne(invitations.role, 'super_admin'));
  const [row] = await orm(client)
    .update(invitations)
    .set({ acceptedAt: sql`now()` })
    .where(and(eq(invitations.tenantId, tenantId), one, OPEN, NOT_OVER))
    .returning(INVITATION);
  return row ?? null;
}

/** Takes an open invitation back. Null when there is none. */
export async function revokeOpen(
  client: pg.PoolClient,
  tenantId: string,
  id: string,
): Promise<Invitation | null> {
  const [row] = await revoke(client, tenantId, eq(invitations.id, id));
  return row ?? null;
}

/** Takes back what somebody invited who may not invite any more. */
export async function revokeInvitationsBy(
  client: pg.PoolClient,
  tenantId: string,
  userId: string,
): Promise<void> {
  await revoke(client, tenantId, eq(invitations.invitedBy, userId));
}

function revoke(client: pg.PoolClient, tenantId: string, which: SQL): Promise<Invitation[]> {
  return orm(client)
    .update(invitations)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(invitations.tenantId, tenantId), which, OPEN))
    .returning(INVITATION);
}
