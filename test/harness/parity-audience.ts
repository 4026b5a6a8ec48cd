// Parity of what is done with those who get mail.

import { byId, type Pair } from './parity-pair.ts';

const CONTACT = { email: 'ann@example.net', first_name: 'Ann' };

/** Contacts, lists and suppressions. */
export const AUDIENCE_PAIRS: readonly Pair[] = [
  {
    mutation: 'addSuppressions',
    route: 'POST /suppressions',
    good: async () => ({
      emails: ['Ann@example.net', 'bob@example.net'],
      reason: 'complaint',
      stream: 'bulk',
    }),
    read: '/suppressions',
  },
  {
    mutation: 'removeSuppression',
    route: 'DELETE /suppressions/{email}',
    params: { email: 'email' },
    good: async (side) => {
      await side.rest('POST', '/suppressions', { email: 'ann@example.net' });
      return { email: 'ann@example.net' };
    },
    read: '/suppressions',
  },
  {
    mutation: 'createContact',
    route: 'POST /contacts',
    renamed: { listIds: 'lists' },
    good: async (side) => ({
      email: 'Ann@example.net',
      firstName: 'Ann',
      attributes: { city: 'Bern' },
      tags: ['vip'],
      listIds: [await side.make('/contacts/lists', { name: 'L' })],
    }),
    read: '/contacts/{id}',
  },
  {
    mutation: 'updateContact',
    route: 'PATCH /contacts/{id}',
    renamed: { listIds: 'lists' },
    good: async (side) => ({
      id: await side.make('/contacts', CONTACT),
      firstName: null,
      status: 'unsubscribed',
      listIds: [],
    }),
    read: '/contacts/{id}',
  },
  {
    mutation: 'deleteContact',
    route: 'DELETE /contacts/{id}',
    good: byId('/contacts', CONTACT),
    read: '/contacts/{id}',
  },
  {
    mutation: 'createExport',
    route: 'POST /exports',
    good: async () => ({ kind: 'messages', filter: { status: 'bounced' } }),
    read: '/exports/{id}',
  },
  {
    mutation: 'createContactList',
    route: 'POST /contacts/lists',
    good: async () => ({ name: 'Newsletter' }),
    read: '/contacts/lists/{id}',
  },
  {
    mutation: 'renameContactList',
    route: 'PATCH /contacts/lists/{id}',
    good: async (side) => ({ id: await side.make('/contacts/lists', { name: 'L' }), name: 'Monthly' }),
    read: '/contacts/lists/{id}',
  },
  {
    mutation: 'deleteContactList',
    route: 'DELETE /contacts/lists/{id}',
    good: byId('/contacts/lists', { name: 'L' }),
    read: '/contacts/lists/{id}',
  },
];
