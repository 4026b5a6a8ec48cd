// contacts.create, get, list, update and remove. A contact is named by its id or its address. Ours are on any number of
// lists: a path with an audience means the contact as far as it is on that list, so removing it there leaves the rest.

import { z } from 'zod';

import type { Actor } from '../../../core/audit/actor.ts';
import { idInput } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import type { Contact } from '../../../core/contact/contact.ts';
import type { NewContact } from '../../../core/contact/contact-input.ts';
import { changeContact, createContact, deleteContact, listContacts } from '../../../core/contact/contacts.ts';
import { getList } from '../../../core/contact/lists.ts';
import { addToList, removeFromList } from '../../../core/contact/membership.ts';
import { normalizeEmail } from '../../../core/mail/address.ts';
import type { ApiDeps } from '../../deps.ts';
import { type Endpoint } from '../../endpoint.ts';
import { defineEndpoint } from '../service.ts';
import { changedContact, createdContact } from './contact-input.ts';
import { toContact, toProperties } from './contact-view.ts';
import { findContact } from './find-contact.ts';
import { listQuery, toList, toPart } from './lists.ts';

const GROUP = 'Contacts';

/** Paths of contacts: all of a tenant, or those of one list. The legacy name has every verb, the new one the list. */
const PLACES = ['/contacts', '/audiences/{list}/contacts'] as const;
const inList = z.object({ list: idInput('lst').optional() });
const ofContact = inList.extend({ who: z.string() });

function contactRoutes(path: (typeof PLACES)[number]): Endpoint[] {
  const one = `${path}/{who}` as const;
  return [
    listRoute(path),
    defineEndpoint(
      {
        method: 'POST',
        path,
        access: 'contacts:write',
        group: GROUP,
        params: inList,
        body: createdContact,
        status: 201,
      },
      async ({ deps, caller, by, params: { list }, body }) => {
        const lists = [...new Set([...(body.lists ?? []), ...(list === undefined ? [] : [list])])];
        const { id } = await upsert(deps, by, caller.tenantId, { ...body, lists });
        return { data: { object: 'contact', id: toId('con', id) } };
      },
    ),
    defineEndpoint(
      { method: 'GET', path: one, access: 'contacts:read', group: GROUP, params: ofContact, status: 200 },
      async ({ deps, caller, params: { who, list } }) => {
        const contact = await findContact(deps.db, caller.tenantId, who, list);
        return { data: { object: 'contact', ...toContact(contact), properties: toProperties(contact) } };
      },
    ),
    defineEndpoint(
      {
        method: 'PATCH',
        path: one,
        access: 'contacts:write',
        group: GROUP,
        params: ofContact,
        body: changedContact,
        status: 200,
      },
      async ({ deps, caller, by, params: { who, list }, body }) => {
        const contact = await findContact(deps.db, caller.tenantId, who, list);
        const attributes = body.attributes && { ...contact.attributes, ...body.attributes };
        const change = attributes === undefined ? body : { ...body, attributes };
        await changeContact(deps, by, caller.tenantId, contact.id, change);
        return { data: { object: 'contact', id: toId('con', contact.id) } };
      },
    ),
    defineEndpoint(
      { method: 'DELETE', path: one, access: 'contacts:write', group: GROUP, params: ofContact, status: 200 },
      async ({ deps, caller: { tenantId }, by, params: { who, list } }) => {
        const { id } = await findContact(deps.db, tenantId, who, list);
        if (list === undefined) await deleteContact(deps, by, tenantId, id);
        else await removeFromList(deps, by, { tenantId, contactId: id, listId: list });
        return { data: { object: 'contact', contact: toId('con', id), deleted: true } };
      },
    ),
  ];
}

function listRoute(path: (typeof PLACES)[number] | '/segments/{list}/contacts'): Endpoint {
  return defineEndpoint(
    {
      method: 'GET',
      path,
      access: 'contacts:read',
      group: GROUP,
      params: inList,
      query: listQuery,
      status: 200,
    },
    async ({ deps, caller, params: { list }, query }) => {
      if (list !== undefined) await getList(deps.db, caller.tenantId, list);
      const part = toPart(query, 'con');
      const rows = await listContacts(deps.db, caller.tenantId, { ...part.page, listId: list });
      return { data: toList(rows, part, toContact) };
    },
  );
}

/** What Resend's `contacts` does. */
export const CONTACT_ROUTES = [...PLACES.flatMap(contactRoutes), listRoute('/segments/{list}/contacts')];

// An address that is there already gets what the body names: a program that adds its people again does no harm.
async function upsert(deps: ApiDeps, by: Actor, tenantId: string, body: NewContact): Promise<Contact> {
  const [existing] = await listContacts(deps.db, tenantId, {
    before: null,
    limit: 1,
    emailKey: normalizeEmail(body.email),
  });
  if (!existing) return createContact(deps, by, tenantId, body);
  const { email: _, lists = [], ...fields } = body;
  for (const listId of lists) await addToList(deps, by, { tenantId, contactId: existing.id, listId });
  return changeContact(deps, by, tenantId, existing.id, fields);
}
