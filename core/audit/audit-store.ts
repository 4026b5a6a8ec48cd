// The audit log: who changed what, who read what a message says, when, and from where. Rows are written in the transaction of
// the change (change.ts), or before what is read is shown (note-read.ts).

import { and, asc, desc, eq, gt, inArray, lt, or, sql } from 'drizzle-orm';

import { newUuid } from '../base/ids.ts';
import { orm } from '../db/orm.ts';
import type { Queryable } from '../db/pool.ts';
import { auditLog } from '../db/schema/operations.ts';
import { memberships, users } from '../db/schema/people.ts';
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
  detail: Record<string, unknown>;
};

/** Which rows: newest first unless `oldestFirst`, older than `before`, newer than `after`. */
export interface AuditPage {
  before?: string | undefined;
  after?: string | undefined;
  oldestFirst?: boolean;
  limit: number;
  /** An action (`user.removed`) or a kind of them (`user`). */
  action?: string | undefined;
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

/** A page of a tenant's log. */
export function selectAudit(db: Queryable, tenantId: string, page: AuditPage): Promise<AuditRow[]> {
  const { id, at, actor, action, subject, data: detail, ip } = auditLog;
  return orm(db)
    .select({ id, at, actor, action, subject, detail, ip })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.tenantId, tenantId),
        page.before === undefined ? undefined : lt(id, page.before),
        page.after === undefined ? undefined : gt(id, page.after),
        page.action === undefined
          ? undefined
          : or(eq(action, page.action), sql`starts_with(${action}, ${`${page.action}.`})`),
      ),
    )
    .orderBy(page.oldestFirst === true ? asc(id) : desc(id))
    .limit(page.limit);
}

/** The addresses of people of a tenant by UUID, of those who are there. */
export function selectEmails(
  db: Queryable,
  tenantId: string,
  userIds: string[],
): Promise<{ id: string; email: string }[]> {
  return orm(db)
    .select({ id: users.id, email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.tenantId, tenantId), inArray(users.id, userIds)));
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
