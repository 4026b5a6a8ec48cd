// Pages of filtered lists for what works on them in the background, newest first: exports and bulk changes.

import type { Contact } from '../contact/contact.ts';
import { selectContacts } from '../contact/contact-store.ts';
import type { Database } from '../db/pool.ts';
import { normalizeEmail } from '../mail/address.ts';
import { toMessageFilter } from '../message/list-input.ts';
import { listMessages } from '../message/list-messages.ts';
import type { MessageSummary } from '../message/message-store.ts';
import type { Suppression } from '../suppression/suppression-store.ts';
import { listSuppressions } from '../suppression/suppressions.ts';
import { EXPORT_FILTERS } from './export-input.ts';

/** Which rows of a list. */
interface PageWanted {
  /** The cursor of the row before the first; null for the newest. */
  after: string[] | null;
  limit: number;
  /** Only rows that were made by then, to the millisecond. */
  until?: Date;
}

/** A row, what names it in its tenant, and the cursor of what comes after it. */
interface ListedRow<Row> {
  row: Row;
  key: string;
  cursor: string[];
}

type ReadPage<Row> = (
  db: Database,
  tenantId: string,
  filter: Record<string, unknown>,
  page: PageWanted,
) => Promise<ListedRow<Row>[]>;

/** The lists whose rows can be changed. */
export type ListedKind = 'messages' | 'contacts' | 'suppressions';

/** How each is read. The filter is as the caller gave it; throws ZodError for one that is no such filter. */
export const LIST_PAGES: {
  messages: ReadPage<MessageSummary>;
  contacts: ReadPage<Contact>;
  suppressions: ReadPage<Suppression>;
} = {
  async messages({ pool }, tenantId, given, { after, limit, until }) {
    const filter = toMessageFilter(EXPORT_FILTERS.messages.parse(given));
    const page = { before: after?.[0], limit };
    const bounded = { ...filter, until: earlier(filter.until, until) };
    return (await listMessages(pool, tenantId, bounded, page)).map(byId);
  },
  async contacts({ pool }, tenantId, given, { after, limit, until }) {
    const { email, list_id, tag, status } = EXPORT_FILTERS.contacts.parse(given);
    const emailKey = email === undefined ? undefined : normalizeEmail(email);
    const filter = { emailKey, listId: list_id, tag, status, until: earlier(undefined, until) };
    return (await selectContacts(pool, tenantId, { ...filter, before: after?.[0] ?? null, limit })).map(byId);
  },
  async suppressions(db, tenantId, given, { after, limit, until }) {
    const { reason, ...filter } = EXPORT_FILTERS.suppressions.parse(given);
    const [at, email] = after ?? [];
    const found = await listSuppressions(db, tenantId, {
      ...filter,
      until: earlier(filter.until, until),
      limit,
      reasons: reason && [reason],
      before: at === undefined || email === undefined ? undefined : { createdAt: new Date(at), email },
    });
    return found.map((row) => ({ row, key: row.email, cursor: [row.createdAt.toISOString(), row.email] }));
  },
};

function byId<Row extends { id: string }>(row: Row): ListedRow<Row> {
  return { row, key: row.id, cursor: [row.id] };
}

// Times are kept to the millisecond: what was made in the last one belongs to it.
function earlier(filter: Date | undefined, until: Date | undefined): Date | undefined {
  if (until === undefined) return filter;
  const end = new Date(until.getTime() + 1);
  return filter !== undefined && filter < end ? filter : end;
}
