// The sessions of one person in PostgreSQL: the list, and ending them. An ended session opens nothing a second later
// on any process (authenticate.ts).

import { hasSso, PLANS } from '../tenant/plan.ts';
import type { SignInMethod } from './user-store.ts';
import type { Queryable } from '../db/pool.ts';

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

/** Whose sessions. */
export interface SessionOwner {
  tenantId: string;
  userId: string;
}

const COLUMNS = `s.id, s.user_agent as "userAgent", s.ip, s.created_at as "createdAt",
  s.last_used_at as "lastUsedAt", s.method`;
const LIVE = 's.tenant_id = $1 and s.user_id = $2 and s.ended_at is null and s.expires_at > now()';
const MOST_LISTED = 200; // nobody can tell more of them apart

/** The live sessions of a person, the one used last first. */
export async function selectSessions(db: Queryable, owner: SessionOwner): Promise<Session[]> {
  const { rows } = await db.query<Session>(
    `select ${COLUMNS} from sessions s where ${LIVE} order by s.last_used_at desc, s.id limit ${MOST_LISTED}`,
    [owner.tenantId, owner.userId],
  );
  return rows;
}

/** One live session of a person, or null. */
export async function selectSession(
  db: Queryable,
  owner: SessionOwner,
  sessionId: string,
): Promise<Session | null> {
  const { rows } = await db.query<Session>(`select ${COLUMNS} from sessions s where ${LIVE} and s.id = $3`, [
    owner.tenantId,
    owner.userId,
    sessionId,
  ]);
  return rows[0] ?? null;
}

/** Ends one live session of a person. False when there is none. */
export async function endOwnSession(db: Queryable, owner: SessionOwner, sessionId: string): Promise<boolean> {
  const { rowCount } = await db.query(`update sessions s set ended_at = now() where ${LIVE} and s.id = $3`, [
    owner.tenantId,
    owner.userId,
    sessionId,
  ]);
  return rowCount === 1;
}

/** Ends all live sessions of a person except one. Returns how many. */
export async function endOtherSessions(
  db: Queryable,
  owner: SessionOwner,
  keptId: string | null,
): Promise<number> {
  const { rowCount } = await db.query(
    `update sessions s set ended_at = now() where ${LIVE} and ($3::uuid is null or s.id <> $3)`,
    [owner.tenantId, owner.userId, keptId],
  );
  return rowCount ?? 0;
}

/**
 * Where SSO is a duty: ends the sessions of the tenant's members that began with a password. Call it when the duty
 * begins, and when somebody becomes a member.
 */
export async function endPasswordSessionsWhereSso(db: Queryable, tenantId: string): Promise<void> {
  await db.query(
    `update sessions s set ended_at = now()
     from users u join tenants t on t.id = u.tenant_id join saml_connections c on c.tenant_id = t.id
     where s.tenant_id = $1 and u.id = s.user_id and u.tenant_id = $1 and u.role = 'member'
       and s.method = 'password' and s.ended_at is null and c.enabled and c.required and t.plan = any($2)`,
    [tenantId, PLANS.filter(hasSso)],
  );
}
