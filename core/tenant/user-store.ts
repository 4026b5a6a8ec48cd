// People, their sessions and their failed sign-ins in PostgreSQL.

import type { Queryable, Tenant } from './tenant-store.ts';

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
}

const USER_COLUMNS = 'u.id, u.tenant_id as "tenantId", u.email, u.role, u.created_at as "createdAt"';

/** Inserts a person. */
export async function insertUser(
  db: Queryable,
  user: Omit<User, 'createdAt'> & { passwordHash: string | null },
): Promise<User> {
  const { rows } = await db.query<User>(
    `insert into users as u (id, tenant_id, email, password_hash, role) values ($1, $2, $3, $4, $5)
     returning ${USER_COLUMNS}`,
    [user.id, user.tenantId, user.email, user.passwordHash, user.role],
  );
  return rows[0] as User;
}

/** The person with this normalized address and their password hash, or null. */
export async function selectUserByEmail(
  db: Queryable,
  email: string,
): Promise<(User & { passwordHash: string | null }) | null> {
  const { rows } = await db.query<User & { passwordHash: string | null }>(
    `select ${USER_COLUMNS}, u.password_hash as "passwordHash" from users u where u.email = $1`,
    [email],
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

/** Inserts a session that ends by itself after `days`. */
export async function insertSession(
  db: Queryable,
  session: { id: string; user: User; refreshHash: Buffer; userAgent: string; ip: string; days: number },
): Promise<void> {
  await db.query(
    `insert into sessions (id, user_id, tenant_id, refresh_hash, user_agent, ip, expires_at)
     values ($1, $2, $3, $4, $5, $6, now() + make_interval(days => $7))`,
    [
      session.id,
      session.user.id,
      session.user.tenantId,
      session.refreshHash,
      session.userAgent,
      session.ip,
      session.days,
    ],
  );
}

/** Puts the next refresh token in the place of the current one. False when `spent` is not the current one. */
export async function rotateRefresh(
  db: Queryable,
  sessionId: string,
  spent: Buffer,
  next: Buffer,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update sessions set refresh_hash = $3, last_used_at = now()
     where id = $1 and refresh_hash = $2 and ended_at is null and expires_at > now()`,
    [sessionId, spent, next],
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

/** One sign-in attempt on the books; `places` finds its rows again. */
export interface BookedAttempt {
  places: string[];
}

/**
 * Books an attempt under each subject before the password is looked at, so that attempts made at the same moment
 * see each other. Rows older than the window go.
 */
export async function bookSignIn(
  db: Queryable,
  subjects: string[],
  windowSeconds: number,
): Promise<BookedAttempt> {
  await db.query(
    'delete from sign_in_failures where subject = any($1) and at < now() - make_interval(secs => $2)',
    [subjects, windowSeconds],
  );
  // ctid is the place of the row: stable here, because these rows are never updated, only deleted.
  const { rows } = await db.query<{ place: string }>(
    'insert into sign_in_failures (subject) select unnest($1::text[]) returning ctid::text as place',
    [subjects],
  );
  return { places: rows.map((row) => row.place) };
}

/** How many attempts stand under each subject within the window, and when the oldest of them leaves it. */
export async function countSignIns(
  db: Queryable,
  subjects: string[],
  windowSeconds: number,
): Promise<Map<string, { count: number; freeInSeconds: number }>> {
  const { rows } = await db.query<{ subject: string; count: number; freeInSeconds: number }>(
    `select subject, count(*)::int as count,
            ceil(extract(epoch from min(at) + make_interval(secs => $2) - clock_timestamp()))::int as "freeInSeconds"
     from sign_in_failures where subject = any($1) and at > clock_timestamp() - make_interval(secs => $2)
     group by subject`,
    [subjects, windowSeconds],
  );
  return new Map(rows.map(({ subject, ...count }) => [subject, count]));
}

/** Takes an attempt off the books: it was right, or was refused before it was looked at. */
export async function unbookSignIn(db: Queryable, attempt: BookedAttempt): Promise<void> {
  await db.query('delete from sign_in_failures where ctid = any($1::tid[])', [attempt.places]);
}

/** Forgets the failures of one subject after it signed in. */
export async function forgetSignInFailures(db: Queryable, subject: string): Promise<void> {
  await db.query('delete from sign_in_failures where subject = $1', [subject]);
}
