// /contacts: the people of a tenant.

import { z } from 'zod';

import { idInput, idView } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import type { Contact } from '../../../core/contact/contact.ts';
import { contactChange, newContact } from '../../../core/contact/contact-input.ts';
import {
  changeContact as change,
  createContact as create,
  deleteContact as remove,
  getContact as get,
  listContacts as list,
} from '../../../core/contact/contacts.ts';
import { normalizeEmail } from '../../../core/mail/address.ts';
import { decodeCursor, UUID_KEY } from '../../cursor.ts';
import { deletedAnswer } from '../deleted.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { jsonBody } from '../../endpoint.ts';
import { defineRoute } from '../route.ts';

const GROUP = 'Contacts';
const params = z.object({ id: idInput('con') });
const status = z.enum(['subscribed', 'unsubscribed']);

/** A contact in the contract's words. */
const contactView = z
  .object({
    id: idView('con'),
    email: z.string(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    attributes: z.record(z.string(), z.unknown()),
    tags: z.array(z.string()),
    lists: z.array(idView('lst')).meta({ description: 'ids of the lists that the contact is on' }),
    status,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Contact', description: 'One person of the account' });

/** POST /contacts */
export const createContact = defineRoute(
  {
    operationId: 'createContact',
    method: 'POST',
    path: '/contacts',
    access: 'contacts:write',
    group: GROUP,
    summary: 'Create a contact',
    description:
      'There is one contact per address, in any letter case; 409 if it exists. Without `status`, an address that ' +
      'unsubscribed or complained before is created as unsubscribed.',
    body: jsonBody(newContact),
    response: contactView,
    status: 201,
    example: { email: 'ann@example.net', first_name: 'Ann', attributes: { city: 'Bern' }, tags: ['vip'] },
  },
  async ({ deps, caller, by, body }) => ({
    data: toContactView(await create(deps, by, caller.tenantId, body)),
  }),
);

/** GET /contacts */
export const listContacts = defineRoute(
  {
    operationId: 'listContacts',
    method: 'GET',
    path: '/contacts',
    access: 'contacts:read',
    group: GROUP,
    summary: 'List contacts',
    query: z.strictObject({
      ...pageQuery,
      email: z.string().optional().meta({ description: 'only the contact with this address' }),
      list_id: idInput('lst').optional(),
      tag: z.string().optional(),
      status: status.optional(),
    }),
    response: pageOf(contactView),
    status: 200,
  },
  async ({ deps, caller, query }) => {
    const [before = null] = query.after === undefined ? [] : decodeCursor(query.after, [UUID_KEY]);
    const rows = await list(deps.db, caller.tenantId, {
      before,
      limit: query.limit + 1,
      emailKey: query.email === undefined ? undefined : normalizeEmail(query.email),
      listId: query.list_id,
      tag: query.tag,
      status: query.status,
    });
    return { data: toPage(rows, query.limit, (row) => [row.id], toContactView) };
  },
);

/** GET /contacts/{id} */
export const getContact = defineRoute(
  {
    operationId: 'getContact',
    method: 'GET',
    path: '/contacts/{id}',
    access: 'contacts:read',
    group: GROUP,
    summary: 'Read a contact',
    params,
    response: contactView,
    status: 200,
  },
  async ({ deps, caller, params: { id } }) => ({
    data: toContactView(await get(deps.db, caller.tenantId, id)),
  }),
);

/** PATCH /contacts/{id} */
export const changeContact = defineRoute(
  {
    operationId: 'changeContact',
    method: 'PATCH',
    path: '/contacts/{id}',
    access: 'contacts:write',
    group: GROUP,
    summary: 'Change a contact',
    description:
      'Fields left out do not change; `attributes`, `tags` and `lists` are replaced as a whole. Setting `status` to ' +
      'subscribed does not lift a suppression of the address.',
    params,
    body: jsonBody(contactChange),
    response: contactView,
    status: 200,
    example: { first_name: 'Anna', lists: [] },
  },
  async ({ deps, caller, by, params: { id }, body }) => ({
    data: toContactView(await change(deps, by, caller.tenantId, id, body)),
  }),
);

/** DELETE /contacts/{id} */
export const deleteContact = defineRoute(
  {
    operationId: 'deleteContact',
    method: 'DELETE',
    path: '/contacts/{id}',
    access: 'contacts:write',
    group: GROUP,
    summary: 'Delete a contact',
    description: 'Sent messages and a suppression of the address are kept.',
    params,
    response: deletedAnswer,
    status: 200,
  },
  async ({ deps, caller, by, params: { id } }) => {
    await remove(deps, by, caller.tenantId, id);
    return { data: { id: toId('con', id), deleted: true as const } };
  },
);

/** A contact as REST shows it. */
function toContactView(contact: Contact): z.input<typeof contactView> {
  return {
    id: toId('con', contact.id),
    email: contact.email,
    first_name: contact.firstName,
    last_name: contact.lastName,
    attributes: contact.attributes,
    tags: contact.tags,
    lists: contact.lists.map((id) => toId('lst', id)),
    status: contact.status,
    created_at: contact.createdAt.toISOString(),
    updated_at: contact.updatedAt.toISOString(),
  };
}
