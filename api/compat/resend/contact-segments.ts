// contacts.segments: the lists that a contact is on.

import { z } from 'zod';

import { idInput } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import { selectListsById } from '../../../core/contact/list-store.ts';
import { addToList, removeFromList } from '../../../core/contact/membership.ts';
import { defineEndpoint } from '../service.ts';
import { findContact } from './find-contact.ts';
import { toSegment } from './segments.ts';

const GROUP = 'Contacts';
const PATH = '/contacts/{who}/segments/{list}';
const params = z.object({ who: z.string(), list: idInput('lst') });

/** What Resend's `contacts.segments` does. */
export const CONTACT_SEGMENT_ROUTES = [
  defineEndpoint(
    {
      method: 'GET',
      path: '/contacts/{who}/segments',
      access: 'contacts:read',
      group: GROUP,
      params: z.object({ who: z.string() }),
      status: 200,
    },
    async ({ deps, caller, params: { who } }) => {
      const contact = await findContact(deps.db, caller.tenantId, who);
      const lists = await selectListsById(deps.db.pool, caller.tenantId, contact.lists);
      return { data: { object: 'list', has_more: false, data: lists.map(toSegment) } };
    },
  ),
  defineEndpoint(
    { method: 'POST', path: PATH, access: 'contacts:write', group: GROUP, params, status: 200 },
    async ({ deps, caller: { tenantId }, by, params: { who, list } }) => {
      const { id } = await findContact(deps.db, tenantId, who);
      await addToList(deps, by, { tenantId, contactId: id, listId: list });
      return { data: { id: toId('lst', list) } };
    },
  ),
  defineEndpoint(
    { method: 'DELETE', path: PATH, access: 'contacts:write', group: GROUP, params, status: 200 },
    async ({ deps, caller: { tenantId }, by, params: { who, list } }) => {
      const { id } = await findContact(deps.db, tenantId, who);
      await removeFromList(deps, by, { tenantId, contactId: id, listId: list });
      return { data: { id: toId('lst', list), deleted: true } };
    },
  ),
];
