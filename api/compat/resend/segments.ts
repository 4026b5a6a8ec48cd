// segments and audiences: lists of ours. Its clients call both names at `/segments`; older ones call `/audiences`.

import { z } from 'zod';

import { idInput } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import type { ContactList } from '../../../core/contact/contact.ts';
import { contactListInput } from '../../../core/contact/contact-input.ts';
import { createList, deleteList, getList, listLists } from '../../../core/contact/lists.ts';
import { jsonBody, type Endpoint } from '../../endpoint.ts';
import { defineEndpoint } from '../service.ts';
import { listQuery, toList, toPart } from './lists.ts';

const GROUP = 'Segments';
const params = z.object({ id: idInput('lst') });
const body = jsonBody(contactListInput.loose());

function segmentRoutes(path: '/segments' | '/audiences', object: 'segment' | 'audience'): Endpoint[] {
  return [
    defineEndpoint(
      { method: 'POST', path, access: 'contacts:write', group: GROUP, body, status: 201 },
      async ({ deps, caller, by, body: { name } }) => {
        const made = await createList(deps, by, caller.tenantId, name);
        return { data: { object, id: toId('lst', made.id), name: made.name } };
      },
    ),
    defineEndpoint(
      { method: 'GET', path, access: 'contacts:read', group: GROUP, query: listQuery, status: 200 },
      async ({ deps, caller, query }) => {
        const part = toPart(query, 'lst');
        return { data: toList(await listLists(deps.db, caller.tenantId, part.page), part, toSegment) };
      },
    ),
    defineEndpoint(
      { method: 'GET', path: `${path}/{id}`, access: 'contacts:read', group: GROUP, params, status: 200 },
      async ({ deps, caller, params: { id } }) => ({
        data: { object, ...toSegment(await getList(deps.db, caller.tenantId, id)) },
      }),
    ),
    defineEndpoint(
      { method: 'DELETE', path: `${path}/{id}`, access: 'contacts:write', group: GROUP, params, status: 200 },
      async ({ deps, caller, by, params: { id } }) => {
        await deleteList(deps, by, caller.tenantId, id);
        return { data: { object, id: toId('lst', id), deleted: true } };
      },
    ),
  ];
}

/** What Resend's `segments` and `audiences` do. */
export const SEGMENT_ROUTES = [
  ...segmentRoutes('/segments', 'segment'),
  ...segmentRoutes('/audiences', 'audience'),
];

/** A list as a segment. */
export function toSegment({ id, name, createdAt }: ContactList) {
  return { id: toId('lst', id), name, created_at: createdAt.toISOString() };
}
