// Creating, reading, changing and deleting contacts.

import { AppError, invalidField, notFound } from '../base/errors.ts';
import { toId } from '../base/ids.ts';
import type { Database } from '../db/pool.ts';
import { isUniqueViolation } from '../db/sql-state.ts';
import { inTransaction } from '../db/transaction.ts';
import { normalizeEmail } from '../mail/address.ts';
import type { Contact } from './contact.ts';
import type { ContactChange, NewContact } from './contact-input.ts';
import {
  deleteContactRow,
  insertContact,
  selectContact,
  selectContacts,
  updateContact,
  type ContactQuery,
} from './contact-store.ts';
import { holdLists, setLists } from './list-store.ts';

/**
 * Creates a contact under the given id; the same id again gives the contact that is there. Throws conflict when the
 * tenant has the address already. Without a status, an address that unsubscribed or complained before stays
 * unsubscribed.
 */
export async function createContact(
  db: Database,
  tenantId: string,
  id: string,
  input: NewContact,
): Promise<Contact> {
  const row = {
    id,
    tenantId,
    email: input.email.email,
    emailKey: normalizeEmail(input.email),
    firstName: input.first_name ?? null,
    lastName: input.last_name ?? null,
    attributes: input.attributes ?? {},
    tags: input.tags ?? [],
    status: input.status ?? null,
  };
  try {
    await inTransaction(db.pool, async (client) => {
      await insertContact(client, row);
      if (input.lists) await putOnLists(client, tenantId, id, input.lists);
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const existing = await selectContact(db.pool, tenantId, id);
    if (!existing) throw addressTaken(row.email);
    return existing;
  }
  return getContact(db, tenantId, id);
}

/** One contact. Throws not_found. */
export async function getContact(db: Database, tenantId: string, id: string): Promise<Contact> {
  const contact = await selectContact(db.pool, tenantId, id);
  if (!contact) throw notFound('contact');
  return contact;
}

/** A page of contacts, newest first. */
export function listContacts(db: Database, tenantId: string, query: ContactQuery): Promise<Contact[]> {
  return selectContacts(db.pool, tenantId, query);
}

/** Changes what is named. Throws not_found, or conflict when another contact has the new address. */
export async function changeContact(
  db: Database,
  tenantId: string,
  id: string,
  change: ContactChange,
): Promise<Contact> {
  try {
    await inTransaction(db.pool, async (client) => {
      const found = await updateContact(client, tenantId, id, {
        email: change.email?.email,
        emailKey: change.email && normalizeEmail(change.email),
        firstName: change.first_name,
        lastName: change.last_name,
        attributes: change.attributes,
        tags: change.tags,
        status: change.status,
      });
      if (!found) throw notFound('contact');
      if (change.lists) await putOnLists(client, tenantId, id, change.lists);
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw addressTaken(change.email?.email ?? '');
    throw error;
  }
  return getContact(db, tenantId, id);
}

/** Deletes a contact; a suppression of the address stays. Throws not_found. */
export async function deleteContact(db: Database, tenantId: string, id: string): Promise<void> {
  if (!(await inTransaction(db.pool, (client) => deleteContactRow(client, tenantId, id))))
    throw notFound('contact');
}

async function putOnLists(
  client: Parameters<typeof setLists>[0],
  tenantId: string,
  contactId: string,
  lists: string[],
): Promise<void> {
  const held = await holdLists(client, tenantId, lists);
  const missing = lists.findIndex((list) => !held.has(list));
  if (missing >= 0)
    throw invalidField(`lists[${missing}]`, `there is no list ${toId('lst', lists[missing]!)}`);
  await setLists(client, tenantId, contactId, lists);
}

function addressTaken(email: string): AppError {
  return new AppError('conflict', `There is a contact with the address ${email} already.`);
}
