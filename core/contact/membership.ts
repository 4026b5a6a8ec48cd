// Putting contacts on lists and taking them off, one by one: what somebody else does with their other lists meanwhile
// stays as it is.

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import { notFound } from '../base/errors.ts';
import { toId } from '../base/ids.ts';
import { selectContact } from './contact-store.ts';
import { holdLists, joinLists, leaveList } from './list-store.ts';

/** One contact and one list of a tenant. */
export interface Membership {
  tenantId: string;
  contactId: string;
  listId: string;
}

/** Puts a contact on a list, also one that is on it. Throws not_found for either. */
export async function addToList(
  deps: ChangeDeps,
  by: Actor,
  { tenantId, contactId, listId }: Membership,
): Promise<void> {
  await change(deps, by, async (client, record) => {
    if (!(await holdLists(client, tenantId, [listId])).has(listId)) throw notFound('list');
    if (!(await selectContact(client, tenantId, contactId))) throw notFound('contact');
    await joinLists(client, tenantId, contactId, [listId]);
    await record(membershipEntry('contact.list_joined', { tenantId, contactId, listId }));
  });
}

/** Takes a contact off a list. Throws not_found when it is not on it. */
export async function removeFromList(deps: ChangeDeps, by: Actor, of: Membership): Promise<void> {
  await change(deps, by, async (client, record) => {
    if ((await leaveList(client, of.tenantId, [of.contactId], of.listId)) === 0) throw notFound('contact');
    await record(membershipEntry('contact.list_left', of));
  });
}

function membershipEntry(action: `contact.${string}`, { tenantId, contactId, listId }: Membership) {
  return { action, tenantId, subject: toId('con', contactId), details: { list: toId('lst', listId) } };
}
