// Creating, reading, changing and deleting contacts.

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps, type ChangeEntry } from '../audit/change.ts';
import { AppError, invalidField, notFound } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import type { ListCount } from '../base/list-count.ts';
import { countUpTo } from '../db/bounded-count.ts';
import type { Database } from '../db/pool.ts';
import { isUniqueViolation } from '../db/sql-state.ts';
import { normalizeEmail } from '../mail/address.ts';
import type { Contact } from './contact.ts';
import type { ContactChange, NewContact } from './contact-input.ts';
import {
  countContactRows,
  deleteContactRows,
  insertContact,
  selectContact,
  selectContacts,
  updateContact,
  type ContactFilter,
  type ContactQuery,
} from './contact-store.ts';
import { holdLists, setLists } from './list-store.ts';

/**
 * Creates a contact. A retry of the same request gives the contact that is there. Throws conflict when the tenant has
 * the address already. Without a status, an address that unsubscribed or complained before stays
 * unsubscribed.
 */
export async function createContact(
  deps: ChangeDeps,
  by: Actor,
  tenantId: string,
  input: NewContact,
): Promise<Contact> {
  const { db } = deps;
  const id = by.changeId ?? newUuid();
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
    await change(deps, by, async (client, record) => {
      await insertContact(client, row);
      if (input.lists) await putOnLists(client, tenantId, id, input.lists);
      await record(contactEntry('contact.created', tenantId, id));
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

/** A page of contacts. */
export function listContacts(db: Database, tenantId: string, query: ContactQuery): Promise<Contact[]> {
  return selectContacts(db.pool, tenantId, query);
}

/** How many contacts match; null when counting them takes too long. */
export function countContacts(
  db: Database,
  tenantId: string,
  filter: ContactFilter,
): Promise<ListCount | null> {
  return countUpTo(db, (client, limit) => countContactRows(client, tenantId, filter, limit));
}

/** Changes what is named. Throws not_found, or conflict when another contact has the new address. */
export async function changeContact(
  deps: ChangeDeps,
  by: Actor,
  tenantId: string,
  id: string,
  fields: ContactChange,
): Promise<Contact> {
  try {
    await change(deps, by, async (client, record) => {
      const found = await updateContact(client, tenantId, id, {
        email: fields.email?.email,
        emailKey: fields.email && normalizeEmail(fields.email),
        firstName: fields.first_name,
        lastName: fields.last_name,
        attributes: fields.attributes,
        tags: fields.tags,
        status: fields.status,
      });
      if (!found) throw notFound('contact');
      if (fields.lists) await putOnLists(client, tenantId, id, fields.lists);
      await record(contactEntry('contact.changed', tenantId, id, { fields: Object.keys(fields) }));
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw addressTaken(fields.email?.email ?? '');
    throw error;
  }
  return getContact(deps.db, tenantId, id);
}

/** Deletes a contact; a suppression of the address stays. Throws not_found. */
export async function deleteContact(
  deps: ChangeDeps,
  by: Actor,
  tenantId: string,
  id: string,
): Promise<void> {
  await change(deps, by, async (client, record) => {
    if ((await deleteContactRows(client, tenantId, [id])) === 0) throw notFound('contact');
    await record(contactEntry('contact.deleted', tenantId, id));
  });
}

// Without the address: a person who is deleted does not live on in the audit log.
function contactEntry(
  action: `contact.${string}`,
  tenantId: string,
  id: string,
  details: Record<string, unknown> = {},
): ChangeEntry {
  return { action, tenantId, subject: toId('con', id), details };
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
    throw invalidField(`lists[${missing}]`, `does not exist: ${toId('lst', lists[missing]!)}`);
  await setLists(client, tenantId, contactId, lists);
}

function addressTaken(email: string): AppError {
  return new AppError('conflict', `A contact with the address ${email} already exists.`);
}
