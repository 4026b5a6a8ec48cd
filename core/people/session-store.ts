// Sessions in PostgreSQL. A session belongs to a person and works in one tenant at a time (`tenant_id`): one that began
// with a password may go from tenant to tenant, one that an identity provider vouched for stays in that tenant. An ended
// session opens nothing a second later on any process (authenticate.ts).

import { and, desc, eq, getTableColumns, gt, isNull, ne, sql } from 'drizzle-orm';

import { orm, prepared } from '../db/orm.ts';
import type { Queryable } from '../db/pool.ts';
import { memberships, samlConnections, sessions, users } from '../db/schema/people.ts';
import { tenants } from '../db/schema/tenant.ts';
import type { Tenant } from '../tenant/tenant-store.ts';
import { ssoOnly, USER, type User } from './membership-store.ts';

/** How somebody proved who they are. */
export type SignInMethod = (typeof sessions.$inferSelect)['method'];

/**
 * A live session as its person sees it. `ip` is the client address of the last refresh, as the rate limits count it;
 * `lastUsedAt` is right to within the 15 minutes that an access token lasts.
 */
export type Session = Pick<
  typeof sessions.$inferSelect,
  'id' | 'userAgent' | 'ip' | 'createdAt' | 'lastUsedAt' | 'method'
>;

/** Whose sessions: all of a person, or only the sessions opened by the SSO of one tenant. */
export interface SessionOwner {
  userId: string;
  /** The tenant of that SSO; null: all. */
  openedBySsoOf: string | null;
}

/** A session to insert. */
export interface NewSession {
  id: string;
  user: User;
  refreshHash: Buffer;
  userAgent: string;
  ip: string;
  method: SignInMethod;
  days: number;
}

/** What a live session opens: a person in a tenant. */
export interface SessionUser {
  user: User;
  tenant: Tenant;
  method: SignInMethod;
  /** The tenant that the session worked in until now. */
  worksIn: string;
}

const { id, userAgent, ip, createdAt, lastUsedAt, method } = getTableColumns(sessions);
const SESSION = { id, userAgent, ip, createdAt, lastUsedAt, method };
const LIVE = and(isNull(sessions.endedAt), gt(sessions.expiresAt, sql`now()`));
const MOST_LISTED = 200; // nobody can make sense of more
const MOST_ORIGINS = 500; // sign-ins that are remembered: a year and more of one a day

// A session opens a membership of its person. By a password: unless the tenant insists on SSO. By SSO: only that of the
// tenant whose identity provider vouched, and never one that runs the service.
const OPENS = sql`case ${sessions.method} when 'password' then not ${ssoOnly(memberships.role)}
  else ${memberships.tenantId} = ${sessions.tenantId} and ${memberships.role} <> 'super_admin' end`;

/** Where a person signed in from until now, the latest first: what tells whether a sign-in is from somewhere new. */
export function selectOrigins(db: Queryable, userId: string): Promise<Pick<Session, 'ip' | 'userAgent'>[]> {
  return orm(db)
    .select({ ip, userAgent })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.id))
    .limit(MOST_ORIGINS);
}

/** Inserts a session that ends by itself after `days`, and notes that the person signed in to the tenant. */
export async function insertSession(db: Queryable, session: NewSession): Promise<void> {
  const { user, days, ...row } = session;
  await noteSignIn(db, user);
  await orm(db)
    .insert(sessions)
    .values({
      ...row,
      userId: user.id,
      tenantId: user.tenantId,
      expiresAt: sql`now() + make_interval(days => ${days})`,
    });
}

async function noteSignIn(db: Queryable, { id: userId, tenantId }: User): Promise<void> {
  await orm(db)
    .update(memberships)
    .set({ lastSignedInAt: sql`now()` })
    .where(and(eq(memberships.tenantId, tenantId), eq(memberships.userId, userId)));
}

const userOfSession = prepared((db) =>
  db
    .select({
      user: USER,
      tenant: getTableColumns(tenants),
      method: sessions.method,
      worksIn: sessions.tenantId,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(memberships, eq(memberships.userId, users.id))
    .innerJoin(tenants, eq(tenants.id, memberships.tenantId))
    .leftJoin(samlConnections, eq(samlConnections.tenantId, memberships.tenantId))
    .where(
      and(
        eq(sessions.id, sql.placeholder('sessionId')),
        LIVE,
        OPENS,
        sql`${memberships.tenantId} = coalesce(${sql.placeholder('tenantId')}, ${memberships.tenantId})`,
      ),
    )
    .orderBy(
      sql`${memberships.tenantId} = ${sessions.tenantId} desc`,
      sql`${memberships.lastSignedInAt} desc nulls last`,
      memberships.tenantId,
    )
    .limit(1)
    .prepare('session.user'),
);

/**
 * What a live session opens in a tenant, or null. Without a tenant: in the one it works in, or, when it may not work
 * there any more, in the person's tenant used last.
 */
export async function selectSessionUser(
  db: Queryable,
  sessionId: string,
  tenantId: string | null,
): Promise<SessionUser | null> {
  const [row] = await userOfSession(db).execute({ sessionId, tenantId });
  return row ?? null;
}

/** Whether the person of a session proved who they are within so many minutes. */
export async function isSessionConfirmed(
  db: Queryable,
  sessionId: string,
  minutes: number,
): Promise<boolean> {
  const recent = gt(sessions.confirmedAt, sql`now() - make_interval(mins => ${minutes})`);
  const rows = await orm(db)
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), recent, LIVE));
  return rows.length === 1;
}

/** Notes that the person of a session proved just now who they are. */
export async function updateConfirmed(db: Queryable, sessionId: string): Promise<void> {
  await orm(db)
    .update(sessions)
    .set({ confirmedAt: sql`now()` })
    .where(eq(sessions.id, sessionId));
}

/** Makes a session work in another tenant of its person from now on. */
export async function updateSessionTenant(db: Queryable, sessionId: string, user: User): Promise<void> {
  await orm(db).update(sessions).set({ tenantId: user.tenantId }).where(eq(sessions.id, sessionId));
  await noteSignIn(db, user);
}

/**
 * Puts the next refresh token in the place of the current one, and notes where the session is used from. False when
 * `spent` is not the current one.
 */
export async function rotateRefresh(
  db: Queryable,
  sessionId: string,
  tokens: { spent: Buffer; next: Buffer },
  ip: string | null,
): Promise<boolean> {
  const { rowCount } = await orm(db)
    .update(sessions)
    .set({ refreshHash: tokens.next, lastUsedAt: sql`now()`, ...(ip !== null && { ip }) })
    .where(and(eq(sessions.id, sessionId), eq(sessions.refreshHash, tokens.spent), LIVE));
  return rowCount === 1;
}

/** Ends a session. Returns its tenant and person when it was live until now. */
export async function endSession(
  db: Queryable,
  sessionId: string,
): Promise<{ tenantId: string; user: Pick<User, 'id' | 'email'> } | null> {
  const [row] = await orm(db)
    .update(sessions)
    .set({ endedAt: sql`now()` })
    .from(users)
    .where(and(eq(sessions.id, sessionId), isNull(sessions.endedAt), eq(users.id, sessions.userId)))
    .returning({ tenantId: sessions.tenantId, user: { id: users.id, email: users.email } });
  return row ?? null;
}

/** The live sessions of a person, the one used last first. */
export function selectSessions(db: Queryable, owner: SessionOwner): Promise<Session[]> {
  return orm(db)
    .select(SESSION)
    .from(sessions)
    .where(liveOf(owner))
    .orderBy(desc(sessions.lastUsedAt), sessions.id)
    .limit(MOST_LISTED);
}

/** One live session of a person, or null. */
export async function selectSession(
  db: Queryable,
  owner: SessionOwner,
  sessionId: string,
): Promise<Session | null> {
  const [row] = await orm(db)
    .select(SESSION)
    .from(sessions)
    .where(and(liveOf(owner), eq(sessions.id, sessionId)));
  return row ?? null;
}

/** Ends one live session of a person. False when there is none. */
export async function endOwnSession(db: Queryable, owner: SessionOwner, sessionId: string): Promise<boolean> {
  const { rowCount } = await orm(db)
    .update(sessions)
    .set({ endedAt: sql`now()` })
    .where(and(liveOf(owner), eq(sessions.id, sessionId)));
  return rowCount === 1;
}

/** Ends all live sessions of a person, except one if it is named. Returns how many. */
export async function endOtherSessions(
  db: Queryable,
  owner: SessionOwner,
  keptId: string | null,
): Promise<number> {
  const { rowCount } = await orm(db)
    .update(sessions)
    .set({ endedAt: sql`now()` })
    .where(and(liveOf(owner), keptId === null ? undefined : ne(sessions.id, keptId)));
  return rowCount ?? 0;
}

function liveOf({ userId, openedBySsoOf }: SessionOwner) {
  const some =
    openedBySsoOf === null
      ? undefined
      : and(eq(sessions.tenantId, openedBySsoOf), eq(sessions.method, 'saml'));
  return and(eq(sessions.userId, userId), some, LIVE);
}
