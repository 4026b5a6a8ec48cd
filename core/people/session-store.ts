// Sessions in PostgreSQL. A session belongs to a person and works in one tenant at a time (`tenant_id`): one that began
// with a password may go from tenant to tenant, one that an identity provider vouched for stays in that tenant. An ended
// session opens nothing a second later on any process (authenticate.ts). SQL by hand: what a session may open is one
// condition of many statements (ssoOnly), and PostgreSQL's clock decides what is live.

import { and, eq, isNull, sql } from 'drizzle-orm';

import { orm } from '../db/orm.ts';
import type { Queryable } from '../db/pool.ts';
import { sessions, users } from '../db/schema/people.ts';
import type { Tenant } from '../tenant/tenant-store.ts';
import { ssoOnly, SSO_PLANS, USER_COLUMNS, type User } from './membership-store.ts';

/** How somebody proved who they are. */
export type SignInMethod = (typeof sessions.$inferSelect)['method'];

/** A live session as its person sees it. */
export interface Session {
  /** UUID. */
  id: string;
  userAgent: string;
  /** Client address of the last refresh, as the rate limits count it. */
  ip: string;
  createdAt: Date;
  /** Right to within the 15 minutes that an access token lasts. */
  lastUsedAt: Date;
  method: SignInMethod;
}

/** Whose sessions: all of a person, or, for a session that SSO bound to a tenant, those that work in that tenant. */
export interface SessionOwner {
  userId: string;
  boundTo: string | null;
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
}

const COLUMNS = `s.id, s.user_agent as "userAgent", s.ip, s.created_at as "createdAt",
  s.last_used_at as "lastUsedAt", s.method`;
const LIVE = 's.ended_at is null and s.expires_at > now()';
const OWN = `s.user_id = $1 and ($2::uuid is null or s.tenant_id = $2) and ${LIVE}`;
const MOST_LISTED = 200; // nobody can tell more of them apart

// A session opens a membership of its person. By a password: unless the tenant insists on SSO. By SSO: only that of the
// tenant whose identity provider vouched, and never one that runs the service.
const OPENS = `case s.method when 'password' then not ${ssoOnly('m', '$2')}
  else m.tenant_id = s.tenant_id and m.role <> 'super_admin' end`;

/** Inserts a session that ends by itself after `days`, and notes that the person signed in to the tenant. */
export async function insertSession(db: Queryable, session: NewSession): Promise<void> {
  await noteSignIn(db, session.user.tenantId, session.user.id);
  await db.query(
    `insert into sessions (id, user_id, tenant_id, refresh_hash, user_agent, ip, method, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(days => $8))`,
    [
      session.id,
      session.user.id,
      session.user.tenantId,
      session.refreshHash,
      session.userAgent,
      session.ip,
      session.method,
      session.days,
    ],
  );
}

async function noteSignIn(db: Queryable, tenantId: string, userId: string): Promise<void> {
  await db.query('update memberships set last_signed_in_at = now() where tenant_id = $1 and user_id = $2', [
    tenantId,
    userId,
  ]);
}

/**
 * What a live session opens in a tenant, or null. Without a tenant: in the one it works in, or, when it may not work
 * there any more, in the person's tenant used last.
 */
export async function selectSessionUser(
  db: Queryable,
  sessionId: string,
  tenantId: string | null,
): Promise<SessionUser | null> {
  type Row = User & {
    tenantName: string;
    plan: Tenant['plan'];
    tenantCreatedAt: Date;
    method: SignInMethod;
  };
  const { rows } = await db.query<Row>({
    name: 'session.user',
    text: `select ${USER_COLUMNS}, t.name as "tenantName", t.plan, t.created_at as "tenantCreatedAt", s.method
           from sessions s join users u on u.id = s.user_id join memberships m on m.user_id = u.id
             join tenants t on t.id = m.tenant_id left join saml_connections c on c.tenant_id = m.tenant_id
           where s.id = $1 and ${LIVE} and ${OPENS} and ($3::uuid is null or m.tenant_id = $3)
           order by m.tenant_id = s.tenant_id desc, m.last_signed_in_at desc nulls last, m.tenant_id limit 1`,
    values: [sessionId, SSO_PLANS, tenantId],
  });
  if (!rows[0]) return null;
  const { tenantName, plan, tenantCreatedAt, method, ...user } = rows[0];
  const tenant = { id: user.tenantId, name: tenantName, plan, createdAt: tenantCreatedAt };
  return { user, tenant, method };
}

/** Makes a session work in another tenant of its person from now on. */
export async function updateSessionTenant(db: Queryable, sessionId: string, user: User): Promise<void> {
  await db.query('update sessions set tenant_id = $2 where id = $1', [sessionId, user.tenantId]);
  await noteSignIn(db, user.tenantId, user.id);
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
  const { rowCount } = await db.query(
    `update sessions set refresh_hash = $3, last_used_at = now(), ip = coalesce($4, ip)
     where id = $1 and refresh_hash = $2 and ended_at is null and expires_at > now()`,
    [sessionId, tokens.spent, tokens.next, ip],
  );
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
export async function selectSessions(db: Queryable, owner: SessionOwner): Promise<Session[]> {
  const { rows } = await db.query<Session>(
    `select ${COLUMNS} from sessions s where ${OWN} order by s.last_used_at desc, s.id limit ${MOST_LISTED}`,
    [owner.userId, owner.boundTo],
  );
  return rows;
}

/** One live session of a person, or null. */
export async function selectSession(
  db: Queryable,
  owner: SessionOwner,
  sessionId: string,
): Promise<Session | null> {
  const { rows } = await db.query<Session>(`select ${COLUMNS} from sessions s where ${OWN} and s.id = $3`, [
    owner.userId,
    owner.boundTo,
    sessionId,
  ]);
  return rows[0] ?? null;
}

/** Ends one live session of a person. False when there is none. */
export async function endOwnSession(db: Queryable, owner: SessionOwner, sessionId: string): Promise<boolean> {
  const { rowCount } = await db.query(`update sessions s set ended_at = now() where ${OWN} and s.id = $3`, [
    owner.userId,
    owner.boundTo,
    sessionId,
  ]);
  return rowCount === 1;
}

/** Ends all live sessions of a person except one. Returns how many. */
export async function endOtherSessions(db: Queryable, owner: SessionOwner, keptId: string): Promise<number> {
  const { rowCount } = await db.query(`update sessions s set ended_at = now() where ${OWN} and s.id <> $3`, [
    owner.userId,
    owner.boundTo,
    keptId,
  ]);
  return rowCount ?? 0;
}
