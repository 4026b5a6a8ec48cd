// The audit log: who changed what, when, and from where. Rows are written in the transaction of the change (change.ts).

import { newUuid } from '../base/ids.ts';
import type { Queryable } from '../db/pool.ts';
import { actorText, type Actor } from './actor.ts';

/** What was changed. */
export interface AuditEntry {
  /** Null for what belongs to no tenant. */
  tenantId: string | null;
  /** The noun, and the verb in the past: `campaign.launched`. */
  action: `${string}.${string}`;
  /** Outside id of what was changed. */
  subject: string;
  details?: Record<string, unknown>;
}

/** One row of the log. */
export interface AuditRow {
  /** UUID. */
  id: string;
  at: Date;
  /** Id of a person or key, or a word for what is neither. */
  actor: string;
  action: string;
  subject: string;
  detail: Record<string, unknown>;
  /** Client address of the request, null for changes that no request asked for. */
  ip: string | null;
}

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
  const { tenantId, action, subject, details = {} } = entry;
  const values = [tenantId, actorText(by), action, subject, JSON.stringify(details), by.ip];
  const insert = (id: string) =>
    db.query(
      `insert into audit_log (id, tenant_id, actor, action, subject, data, ip)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict (id) do nothing`,
      [id, ...values],
    );
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
  const { rowCount } = await db.query(
    'select from audit_log where id = $1 and tenant_id = $2 and action = $3',
    [by.changeId, tenantId, action],
  );
  return rowCount === 1;
}

/** A page of a tenant's log. */
export async function selectAudit(db: Queryable, tenantId: string, page: AuditPage): Promise<AuditRow[]> {
  const { rows } = await db.query<AuditRow>(
    `select a.id, a.at, a.actor, a.action, a.subject, a.data as detail, a.ip from audit_log a
     where a.tenant_id = $1 and ($2::uuid is null or a.id < $2) and ($3::uuid is null or a.id > $3)
       and ($5::text is null or a.action = $5 or starts_with(a.action, $5 || '.'))
     order by a.id ${page.oldestFirst === true ? 'asc' : 'desc'} limit $4`,
    [tenantId, page.before ?? null, page.after ?? null, page.limit, page.action ?? null],
  );
  return rows;
}

/** The addresses of people of a tenant by UUID, of those who are there. */
export async function selectEmails(
  db: Queryable,
  tenantId: string,
  userIds: string[],
): Promise<{ id: string; email: string }[]> {
  const { rows } = await db.query<{ id: string; email: string }>(
    'select u.id, u.email from memberships m join users u on u.id = m.user_id where m.tenant_id = $1 and u.id = any($2)',
    [tenantId, userIds],
  );
  return rows;
}

/** The addresses of people who were removed, by their outside ids: the log itself knows them. */
export async function selectRemovedEmails(
  db: Queryable,
  tenantId: string,
  ids: string[],
): Promise<{ id: string; email: string }[]> {
  const { rows } = await db.query<{ id: string; email: string }>(
    `select subject as id, data ->> 'email' as email from audit_log
     where tenant_id = $1 and action = 'user.removed' and subject = any($2)`,
    [tenantId, ids],
  );
  return rows;
}
