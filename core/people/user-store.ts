// People, their sessions and their failed sign-ins in PostgreSQL.

import type pg from 'pg';

import { inTransaction } from '../db/transaction.ts';
import { hasSso, PLANS } from '../tenant/plan.ts';
import type { Tenant } from '../tenant/tenant-store.ts';
import type { Queryable } from '../db/pool.ts';

/** What a person may do: `owner` manages the tenant, `member` uses it, `super_admin` runs the service. */
export type Role = 'owner' | 'member' | 'super_admin';

/** A person of a tenant. */
export interface User {
  /** UUID. */
  id: string;
  tenantId: string;
  email: string;
  role: Role;
  createdAt: Date;
  /** Null until they signed in for the first time. */
  lastSignedInAt: Date | null;
  /** False for those who sign in by SSO only. */
  hasPassword: boolean;
}

/** How somebody proved who they are. */
export type SignInMethod = 'password' | 'saml';

/** Columns of a User, of `users u`. */
export const USER_COLUMNS = `u.id, u.tenant_id as "tenantId", u.email, u.role, u.created_at as "createdAt",
  u.last_signed_in_at as "lastSignedInAt", u.password_hash is not null as "hasPassword"`;

/** Inserts a person. */
export async function insertUser(
  db: Queryable,
  user: Pick<User, 'id' | 'tenantId' | 'email' | 'role'> & { passwordHash: string | null },
): Promise<User> {
  const { rows } = await db.query<User>(
    `insert into users as u (id, tenant_id, email, password_hash, role) values ($1, $2, $3, $4, $5)
     returning ${USER_COLUMNS}`,
    [user.id, user.tenantId, user.email, user.passwordHash, user.role],
  );
  return rows[0] as User;
}

/** A person as signing in needs to know them. */
export interface SigningIn extends User {
  passwordHash: string | null;
  /** Their tenant wants its people to sign in by SSO. */
  ssoRequired: boolean;
}

/** The person with this normalized address, or null. One address has one account, whatever the tenant. */
export async function selectUserByEmail(db: Queryable, email: string): Promise<SigningIn | null> {
  const { rows } = await db.query<SigningIn>(
    `select ${USER_COLUMNS}, u.password_hash as "passwordHash",
       coalesce(s.enabled and s.required and t.plan = any($2), false) as "ssoRequired"
     from users u join tenants t on t.id = u.tenant_id left join saml_connections s on s.tenant_id = u.tenant_id
     where u.email = $1`,
    [email, PLANS.filter(hasSso)],
  );
  return rows[0] ?? null;
}

/** One person of a tenant, or null. */
export async function selectUser(db: Queryable, tenantId: string, id: string): Promise<User | null> {
  const { rows } = await db.query<User>({
    name: 'user.by-id',
    text: `select ${USER_COLUMNS} from users u where u.tenant_id = $1 and u.id = $2`,
    values: [tenantId, id],
  });
  return rows[0] ?? null;
}

/** The person of a live session with their tenant: what a request needs to know. */
export async function selectSessionUser(
  db: Queryable,
  sessionId: string,
): Promise<{ user: User; tenant: Tenant } | null> {
  type Row = User & { tenantName: string; plan: Tenant['plan']; tenantCreatedAt: Date };
  const { rows } = await db.query<Row>({
    name: 'session.user',
    text: `select ${USER_COLUMNS}, t.name as "tenantName", t.plan, t.created_at as "tenantCreatedAt"
           from sessions s join users u on u.id = s.user_id join tenants t on t.id = u.tenant_id
           where s.id = $1 and s.ended_at is null and s.expires_at > now()`,
    values: [sessionId],
  });
  if (!rows[0]) return null;
  const { tenantName, plan, tenantCreatedAt, ...user } = rows[0];
  return { user, tenant: { id: user.tenantId, name: tenantName, plan, createdAt: tenantCreatedAt } };
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

/** Inserts a session that ends by itself after `days`, and notes that the person signed in. */
export async function insertSession(db: Queryable, session: NewSession): Promise<void> {
  await db.query(
    `with signed_in as (update users set last_signed_in_at = now() where id = $2 and tenant_id = $3)
     insert into sessions (id, user_id, tenant_id, refresh_hash, user_agent, ip, method, expires_at)
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

/** Ends a session. Returns the tenant and person when it was live until now. */
export async function endSession(
  db: Queryable,
  sessionId: string,
): Promise<{ tenantId: string; userId: string } | null> {
  const { rows } = await db.query<{ tenantId: string; userId: string }>(
    `update sessions set ended_at = now() where id = $1 and ended_at is null
     returning tenant_id as "tenantId", user_id as "userId"`,
    [sessionId],
  );
  return rows[0] ?? null;
}

/** How many failures a subject (`email:…`, `ip:…`) may have within the window. */
export interface SignInLimit {
  subject: string;
  failures: number;
}

/** A booked attempt, whose rows `places` finds again; or the seconds until another may be made. */
export type SignInBooking = { ok: true; places: string[] } | { ok: false; freeInSeconds: number };

/**
 * Books an attempt as failed before the password is looked at, unless a subject has its fill of failures. Attempts
 * on one subject wait for each other here, so that many made at the same moment cannot pass together.
 */
export async function bookSignIn(
  pool: pg.Pool,
  limits: SignInLimit[],
  windowSeconds: number,
): Promise<SignInBooking> {
  const subjects = limits.map(({ subject }) => subject).sort(); // one order for all: no deadlock
  return inTransaction(pool, async (client) => {
    for (const subject of subjects) {
      await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`sign-in ${subject}`]);
    }
    await client.query(
      'delete from sign_in_failures where subject = any($1) and at < clock_timestamp() - make_interval(secs => $2)',
      [subjects, windowSeconds],
    );
    const { rows: full } = await client.query<{ freeInSeconds: number }>(
      `select ceil(extract(epoch from min(f.at) + make_interval(secs => $3) - clock_timestamp()))::int
                as "freeInSeconds"
       from sign_in_failures f join unnest($1::text[], $2::int[]) as l (subject, failures) using (subject)
       group by l.subject, l.failures having count(*) >= l.failures`,
      [limits.map(({ subject }) => subject), limits.map(({ failures }) => failures), windowSeconds],
    );
    if (full[0]) {
      return { ok: false, freeInSeconds: Math.max(1, ...full.map((row) => row.freeInSeconds)) };
    }
    // ctid is the place of the row: stable here, because these rows are never updated, only deleted.
    const { rows } = await client.query<{ place: string }>(
      'insert into sign_in_failures (subject) select unnest($1::text[]) returning ctid::text as place',
      [subjects],
    );
    return { ok: true, places: rows.map(({ place }) => place) };
  });
}

/** After a sign-in: takes its own attempt off the books, and all failures of one subject. */
export async function forgetSignIn(db: Queryable, places: string[], subject: string): Promise<void> {
  await db.query('delete from sign_in_failures where ctid = any($1::tid[]) or subject = $2', [
    places,
    subject,
  ]);
}
