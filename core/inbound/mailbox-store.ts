// Mailboxes: addresses whose mail people read. Two things at once (the check of the domain and the insert, the deletion
// and what happens to the mail) are one statement each, in SQL by hand: nothing can come between.

import { and, count, desc, eq, getTableColumns, inArray, lt, sql } from 'drizzle-orm';

import { HERE } from '../db/citus-forms.ts';
import { orm } from '../db/orm.ts';
import type { Queryable } from '../db/pool.ts';
import { inboundMessages, mailboxes } from '../db/schema/inbound.ts';

/** One mailbox. `address` is normalized; `*@domain` is a catch-all. The id is a UUID. */
export type Mailbox = Omit<typeof mailboxes.$inferSelect, 'tenantId'>;

const { tenantId: _, ...MAILBOX } = getTableColumns(mailboxes);

/** Inserts a mailbox if the tenant has that domain verified. Null when it does not. Throws when it is there already. */
export async function insertMailbox(
  db: Queryable,
  tenantId: string,
  mailbox: { id: string; address: string; domain: string; name: string | null },
): Promise<Mailbox | null> {
  const { rows } = await db.query<Mailbox>({
    name: 'mailbox-insert',
    text: `with allowed as materialized (
             select $2::uuid as id, tenant_id, $3::text as address, $5::text as name, now() as created_at from domains
             where tenant_id = $1 and name = $4 and status = 'verified'),
           made as (
             insert into mailboxes (id, tenant_id, address, name, created_at) select allowed.* from allowed, ${HERE}
             returning id, address, name, created_at)
           select id, address, name, created_at as "createdAt" from made`,
    values: [tenantId, mailbox.id, mailbox.address, mailbox.domain, mailbox.name],
  });
  return rows[0] ?? null;
}

/** One mailbox of a tenant, or null. */
export async function selectMailbox(db: Queryable, tenantId: string, id: string): Promise<Mailbox | null> {
  const [row] = await orm(db).select(MAILBOX).from(mailboxes).where(isMailbox(tenantId, id));
  return row ?? null;
}

/** A page of a tenant's mailboxes, newest first. */
export function listMailboxes(
  db: Queryable,
  tenantId: string,
  page: { before: string | null; limit: number },
): Promise<Mailbox[]> {
  const older = page.before === null ? undefined : lt(mailboxes.id, page.before);
  return orm(db)
    .select(MAILBOX)
    .from(mailboxes)
    .where(and(eq(mailboxes.tenantId, tenantId), older))
    .orderBy(desc(mailboxes.id))
    .limit(page.limit);
}

/** Renames a mailbox; null when it is not there. */
export async function renameMailbox(
  db: Queryable,
  tenantId: string,
  id: string,
  name: string | null,
): Promise<Mailbox | null> {
  const [row] = await orm(db)
    .update(mailboxes)
    .set({ name })
    .where(isMailbox(tenantId, id))
    .returning(MAILBOX);
  return row ?? null;
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
  const mailboxId = sql<string>`${inboundMessages.mailboxId}`; // never null: it is one of `ids`
  const rows = await orm(db)
    .select({ mailboxId, unread: count() })
    .from(inboundMessages)
    .where(
      and(
        eq(inboundMessages.tenantId, tenantId),
        inArray(inboundMessages.mailboxId, ids),
        eq(inboundMessages.read, false),
        eq(inboundMessages.kind, 'mail'),
      ),
    )
    .groupBy(inboundMessages.mailboxId);
  return new Map(rows.map((row) => [row.mailboxId, row.unread]));
}

function isMailbox(tenantId: string, id: string) {
  return and(eq(mailboxes.tenantId, tenantId), eq(mailboxes.id, id));
}
