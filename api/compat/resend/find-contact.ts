// The contact that a path names, by its id or its address.

import { notFound } from '../../../core/base/errors.ts';
import { fromId } from '../../../core/base/ids.ts';
import type { Contact } from '../../../core/contact/contact.ts';
import { getContact, listContacts } from '../../../core/contact/contacts.ts';
import type { Database } from '../../../core/db/pool.ts';
import { normalizeEmail } from '../../../core/mail/address.ts';

/** The contact, on this list when one is given. Throws not_found. */
export async function findContact(
  db: Database,
  tenantId: string,
  who: string,
  listId?: string,
): Promise<Contact> {
  const id = fromId('con', who);
  const contact = id === null ? await byEmail(db, tenantId, who) : await getContact(db, tenantId, id);
  if (!contact || (listId !== undefined && !contact.lists.includes(listId))) throw notFound('contact');
  return contact;
}

async function byEmail(db: Database, tenantId: string, email: string): Promise<Contact | undefined> {
  const page = { before: null, limit: 1, emailKey: normalizeEmail(email) };
  return (await listContacts(db, tenantId, page))[0];
}
