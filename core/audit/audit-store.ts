// The audit log: who changed what, who read what a message says, when, and from where. Rows are written in the transaction of
// the change (change.ts), or before what is read is shown (note-read.ts).

import { and, asc, desc, eq, gt, gte, inArray, lt, or, sql } from 'drizzle-orm';

import { newUuid } from '../base/ids.ts';
import { orm } from '../db/orm.ts';
import type { Queryable } from '../db/pool.ts';
import { auditLog } from '../db/schema/operations.ts';
import { users } from '../db/schema/people.ts';
import { actorText, type Actor } from './actor.ts';

/** What changes: the first part of an action. The dashboard's filter and docs/people.md have a line for each. */
export const AUDIT_KINDS = [
  'session',
  'sign_in',
  'second_factor',
  'user',
  'invitation',
  'api_key',
  'sso',
  'domain',
  'warmup',
  'webhook',
  'alert',
  'campaign',
  'contact',
  'list',
  'export',
  'bulk',
  'import',
  'template',
  'suppression',
  'message',
  'inbound_message',
  'mailbox',
  'tenant',
  'admin_token',
] as const;

/** What was changed or read. */
export interface AuditEntry {
  /** Null for what belongs to no tenant. */
  tenantId: string | null;
  /** The noun, and the verb in the past: `campaign.launched`. */
  action: `${(typeof AUDIT_KINDS)[number]}.${string}`;
  /** Outside id of what was changed. */
  subject: string;
  details?: Record<string, unknown>;
}

/** One row of the log. `ip` is the client address of the request, null for changes that no request asked for. */
export type AuditRow = Omit<typeof auditLog.$inferSelect, 'tenantId' | 'data'> & {
  tenantId: string;
  detail: Record<string, unknown>;
};

/** Which rows: newest first unless `oldestFirst`, older than `before`, newer than `after`. */
export interface AuditPage {
  before?: string | undefined;
  after?: string | undefined;
  oldestFirst?: boolean;
  limit: number;
}

/** Filters of a log. A filter that is not set matches every row. */
export interface AuditFilter {
  /** An action (`user.removed`) or a kind of them (`user`). */
  action?: string | undefined;
  /** Only rows of one of these actors, as the log spells them. */
  actors?: string[] | undefined;
  /** Rows from this time on. */
  since?: Date | undefined;
  /** Rows before this time. */
  until?: Date | undefined;
}

/** Adds rows of one actor to the log, for what a job changes in many domains at once. */
export async function insertAudits(db: Queryable, by: Actor, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const actor = actorText(by);
  const rows = entries.map(({ tenantId, action, subject, details: data = {} }) => {
    return { id: newUuid(), tenantId, actor, action, subject, data, ip: by.ip };
  });
  await orm(db).insert(auditLog).values(rows);
}

/**
 * Adds a row to the log. The first of a request is under its `changeId`, by which a retry of a request whose process
 * died knows that the change is made.
 */
export async function insertAudit(db: Queryable, by: Actor, entry: AuditEntry): Promise<void> {
  const { tenantId, action, subject, details: data = {} } = entry;
  const row = { tenantId, actor: actorText(by), action, subject, data, ip: by.ip };
  const insert = (id: string) =>
    orm(db)
      .insert(auditLog)
      .values({ id, ...row })
      .onConflictDoNothing({ target: auditLog.id });
  const { rowCount } = await insert(by.changeId ?? newUuid());
  if (rowCount === 0) await insert(newUuid());
}

/** Whether the change that this actor's request asks for is committed: its process died before it could answer. */
export async function isApplied(
  db: Queryable,
  tenantId: string,
  by: Actor,
  action: AuditEntry['action'],
): Promise<boolean> {
  if (by.changeId === undefined) return false;
  const rows = await orm(db)
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(and(eq(auditLog.id, by.changeId), eq(auditLog.tenantId, tenantId), eq(auditLog.action, action)));
  return rows.length === 1;
}

/** A page of a tenant's log. Ids are in the order of time; a row may be a day younger than its id, when its request was repeated. */
export function selectAudit(
  db: Queryable,
  tenantId: string,
  page: AuditPage,
  filter: AuditFilter = {},
): Promise<AuditRow[]> {
  const { id, at, actor, action, subject, data: detail, ip } = auditLog;
  return orm(db)
    .select({ id, at, tenantId: sql<string>`${auditLog.tenantId}`, actor, action, subject, detail, ip })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.tenantId, tenantId),
        page.before === undefined ? undefined : lt(id, page.before),
        page.after === undefined ? undefined : gt(id, page.after),
        filter.action === undefined
          ? undefined
          : or(eq(action, filter.action), sql`starts_with(${action}, ${`${filter.action}.`})`),
        filter.actors && inArray(actor, filter.actors),
        filter.since &&
          and(
            gte(at, filter.since),
            sql`${id} >= uuid_floor(${filter.since}::timestamptz - interval '1 day')`,
          ),
        filter.until &&
          and(lt(at, filter.until), sql`${id} < uuid_floor(${filter.until}::timestamptz + interval '1 day')`),
      ),
    )
    .orderBy(page.oldestFirst === true ? asc(id) : desc(id))
    .limit(page.limit);
}

/** The addresses of people by UUID, whatever tenant they are of. */
export function selectEmails(db: Queryable, userIds: string[]): Promise<{ id: string; email: string }[]> {
  return orm(db).select({ id: users.id, email: users.email }).from(users).where(inArray(users.id, userIds));
}

/** The UUID of the person with this address, whatever tenant they are of; null when there is nobody. */
export async function selectPersonId(db: Queryable, email: string): Promise<string | null> {
  const [row] = await orm(db).select({ id: users.id }).from(users).where(eq(users.email, email));
  return row?.id ?? null;
}

/** The addresses of people who were removed, by their outside ids: the log itself knows them. */
export function selectRemovedEmails(
  db: Queryable,
  tenantId: string,
  ids: string[],
): Promise<{ id: string; email: string }[]> {
  return orm(db)
    .select({ id: auditLog.subject, email: sql<string>`${auditLog.data} ->> 'email'` })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.tenantId, tenantId),
        eq(auditLog.action, 'user.removed'),
        inArray(auditLog.subject, ids),
      ),
    );
}

/** The outside ids of people with this address who were removed from a tenant. */
export async function selectRemovedIds(db: Queryable, tenantId: string, email: string): Promise<string[]> {
  const rows = await orm(db)
    .select({ id: auditLog.subject })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.tenantId, tenantId),
        eq(auditLog.action, 'user.removed'),
        sql`${auditLog.data} ->> 'email' = ${email}`,
      ),
    );
  return rows.map(({ id }) => id);
}
