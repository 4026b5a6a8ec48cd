// Mailboxes: addresses whose mail people read.

import type { Queryable } from '../db/pool.ts';

/** One mailbox. `address` is normalized; `*@domain` is a catch-all. */
export interface Mailbox {
  /** UUID. */
  id: string;
  address: string;
  name: string | null;
  createdAt: Date;
}

const COLUMNS = 'id, address, name, created_at as "createdAt"';

/** Inserts a mailbox if the tenant has that domain verified. Null when it does not. Throws when it is there already. */
export async function insertMailbox(
  db: Queryable,
  tenantId: string,
  mailbox: { id: string; address: string; domain: string; name: string | null },
): Promise<Mailbox | null> {
  const { rows } = await db.query<Mailbox>({
    name: 'mailbox-insert',
    text: `insert into mailboxes (id, tenant_id, address, name)
           select $2, $1, $3, $5 from domains where tenant_id = $1 and name = $4 and status = 'verified'
           returning ${COLUMNS}`,
    values: [tenantId, mailbox.id, mailbox.address, mailbox.domain, mailbox.name],
  });
  return rows[0] ?? null;
}

/** One mailbox of a tenant, or null. */
export async function selectMailbox(db: Queryable, tenantId: string, id: string): Promise<Mailbox | null> {
  const { rows } = await db.query<Mailbox>({
    name: 'mailbox-by-id',
    text: `select ${COLUMNS} from mailboxes where tenant_id = $1 and id = $2`,
    values: [tenantId, id],
  });
  return rows[0] ?? null;
}

/** A page of a tenant's mailboxes, newest first. */
export async function listMailboxes(
  db: Queryable,
  tenantId: string,
  page: { before: string | null; limit: number },
): Promise<Mailbox[]> {
  const { rows } = await db.query<Mailbox>({
    name: 'mailbox-list',
    text: `select ${COLUMNS} from mailboxes where tenant_id = $1 and ($2::uuid is null or id < $2)
           order by id desc limit $3`,
    values: [tenantId, page.before, page.limit],
  });
  return rows;
}

/** Renames a mailbox; null when it is not there. */
export async function renameMailbox(
  db: Queryable,
  tenantId: string,
  id: string,
  name: string | null,
): Promise<Mailbox | null> {
  const { rows } = await db.query<Mailbox>({
    name: 'mailbox-rename',
    text: `update mailboxes set name = $3 where tenant_id = $1 and id = $2 returning ${COLUMNS}`,
    values: [tenantId, id, name],
  });
  return rows[0] ?? null;
}

/** Deletes a mailbox; its mail stays, in no mailbox. False when it is not there. */
export async function deleteMailbox(db: Queryable, tenantId: string, id: string): Promise<boolean> {
  const { rows } = await db.query<{ gone: boolean }>({
    name: 'mailbox-delete',
    text: `with gone as (delete from mailboxes where tenant_id = $1 and id = $2 returning id),
           kept as (update inbound_messages m set mailbox_id = null from gone
                    where m.mailbox_id = gone.id and m.tenant_id = $1)
           select exists (select 1 from gone) as gone`,
    values: [tenantId, id],
  });
  return rows[0]?.gone ?? false;
}

/** How many unread messages each of these mailboxes has. */
export async function countUnread(
  db: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await db.query<{ id: string; unread: number }>({
    name: 'mailbox-unread',
    text: `select mailbox_id as id, count(*)::int as unread from inbound_messages
           where tenant_id = $1 and mailbox_id = any($2::uuid[]) and not read and kind = 'mail' group by mailbox_id`,
    values: [tenantId, ids],
  });
  return new Map(rows.map((row) => [row.id, row.unread]));
}
