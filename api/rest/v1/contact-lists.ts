// /contacts/lists: named sets of contacts.

import { z } from 'zod';

import { idInput, idView } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import type { ContactList } from '../../../core/contact/contact.ts';
import { contactListInput } from '../../../core/contact/contact-input.ts';
import { createList, deleteList, getList, listLists, renameList } from '../../../core/contact/lists.ts';
import { decodeCursor, UUID_KEY } from '../../cursor.ts';
import { deletedAnswer } from '../deleted.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { jsonBody } from '../../endpoint.ts';
import { defineRoute } from '../route.ts';

const GROUP = 'Lists';
const params = z.object({ id: idInput('lst') });

/** A list in the contract's words. */
const contactListView = z
  .object({
    id: idView('lst'),
    name: z.string(),
    contacts_count: z.int(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'ContactList', description: 'A named set of contacts' });

/** POST /contacts/lists */
export const createContactList = defineRoute(
  {
    operationId: 'createList',
    method: 'POST',
    path: '/contacts/lists',
    access: 'contacts:write',
    group: GROUP,
    summary: 'Create a list',
    body: jsonBody(contactListInput),
    response: contactListView,
    status: 201,
    example: { name: 'Newsletter' },
  },
  async ({ deps, caller, by, body }) => ({
    data: toListView(await createList(deps, by, caller.tenantId, body.name)),
  }),
);

/** GET /contacts/lists */
export const listContactLists = defineRoute(
  {
    operationId: 'listLists',
    method: 'GET',
    path: '/contacts/lists',
    access: 'contacts:read',
    group: GROUP,
    summary: 'List the lists',
    query: z.strictObject(pageQuery),
    response: pageOf(contactListView),
    status: 200,
  },
  async ({ deps, caller, query }) => {
    const [before = null] = query.after === undefined ? [] : decodeCursor(query.after, [UUID_KEY]);
    const rows = await listLists(deps.db, caller.tenantId, { before, limit: query.limit + 1 });
    return { data: toPage(rows, query.limit, (row) => [row.id], toListView) };
  },
);

/** GET /contacts/lists/{id} */
export const getContactList = defineRoute(
  {
    operationId: 'getList',
    method: 'GET',
    path: '/contacts/lists/{id}',
    access: 'contacts:read',
    group: GROUP,
    summary: 'Read a list',
    description: 'Its contacts are at `GET /contacts?list_id=`.',
    params,
    response: contactListView,
    status: 200,
  },
  async ({ deps, caller, params: { id } }) => ({
    data: toListView(await getList(deps.db, caller.tenantId, id)),
  }),
);

/** PATCH /contacts/lists/{id} */
export const changeContactList = defineRoute(
  {
    operationId: 'changeList',
    method: 'PATCH',
    path: '/contacts/lists/{id}',
    access: 'contacts:write',
    group: GROUP,
    summary: 'Rename a list',
    params,
    body: jsonBody(contactListInput.partial()),
    response: contactListView,
    status: 200,
    example: { name: 'Monthly newsletter' },
  },
  async ({ deps, caller, by, params: { id }, body }) => ({
    data: toListView(
      body.name === undefined
        ? await getList(deps.db, caller.tenantId, id)
        : await renameList(deps, by, caller.tenantId, id, body.name),
    ),
  }),
);

/** DELETE /contacts/lists/{id} */
export const deleteContactList = defineRoute(
  {
    operationId: 'deleteList',
    method: 'DELETE',
    path: '/contacts/lists/{id}',
    access: 'contacts:write',
    group: GROUP,
    summary: 'Delete a list',
    description:
      'Its contacts are kept. A campaign that is being sent to it pauses with `list_not_found`: messages already ' +
      'submitted are delivered, nobody else receives it, and it can only be cancelled.',
    params,
    response: deletedAnswer,
    status: 200,
  },
  async ({ deps, caller, by, params: { id } }) => {
    await deleteList(deps, by, caller.tenantId, id);
    return { data: { id: toId('lst', id), deleted: true as const } };
  },
);

function toListView(list: ContactList): z.input<typeof contactListView> {
  return {
    id: toId('lst', list.id),
    name: list.name,
    contacts_count: list.contactsCount,
    created_at: list.createdAt.toISOString(),
  };
}
