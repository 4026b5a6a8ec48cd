// Parity of what is done with messages and templates.

import { toId } from '../../core/base/ids.ts';
import { makeMessageRow } from './message-row.ts';
import { byId, type Pair } from './parity-pair.ts';

const IN_AN_HOUR = new Date(Date.now() + 3_600_000).toISOString();
const TEMPLATE = { name: 'Welcome', subject: 'Hi {{ first_name }}', html: '<p>Hi</p>', text: null };

/** Messages and templates. */
export const SENDING_PAIRS: readonly Pair[] = [
  {
    mutation: 'sendMessage',
    route: 'POST /transactional/send',
    anyText: ['html', 'text'],
    good: async ({ domain }) => ({
      from: `shop@${domain}`,
      to: 'ann@example.net',
      cc: ['Bob <bob@example.net>', 'cy@example.net'],
      bcc: ['dee@example.net'],
      subject: 'Hello',
      text: 'Hello.',
      tags: [{ name: 'kind', value: 'receipt' }],
    }),
  },
  {
    mutation: 'cancelMessage',
    route: 'DELETE /transactional/{id}',
    good: async ({ db, tenantId, domainId }) => ({
      id: toId('msg', await makeMessageRow(db, tenantId, { state: 'deferred', domainId })),
    }),
    read: '/transactional/{id}',
  },
  {
    mutation: 'sendMessageAgain',
    route: 'POST /transactional/{id}/resend',
    good: async ({ db, tenantId, domainId, domain }) => ({
      id: toId(
        'msg',
        await makeMessageRow(db, tenantId, {
          state: 'delivered',
          domainId,
          content: { from: `shop@${domain}`, to: ['ann@example.net'], subject: 'Hello', text: 'Hello.' },
        }),
      ),
      to: 'Bob <bob@example.net>',
    }),
  },
  {
    mutation: 'tryMessageNow',
    route: 'POST /transactional/{id}/retry',
    good: async ({ db, tenantId, domainId }) => ({
      id: toId('msg', await makeMessageRow(db, tenantId, { state: 'deferred', retry: true, domainId })),
    }),
    read: '/transactional/{id}',
  },
  {
    mutation: 'rescheduleMessage',
    route: 'PATCH /transactional/{id}',
    good: async ({ db, tenantId, domainId }) => ({
      id: toId(
        'msg',
        await makeMessageRow(db, tenantId, { state: 'deferred', deferReason: 'scheduled', domainId }),
      ),
      scheduledAt: IN_AN_HOUR,
    }),
    read: '/transactional/{id}',
  },
  {
    mutation: 'updateMessageSettings',
    route: 'PATCH /settings/messages',
    good: async () => ({ keepContent: false }),
    read: '/settings/messages',
  },
  {
    mutation: 'createTemplate',
    route: 'POST /templates',
    good: async () => ({ ...TEMPLATE, variables: [{ name: 'first_name', required: true, default: null }] }),
    read: '/templates/{id}',
  },
  {
    mutation: 'updateTemplate',
    route: 'PATCH /templates/{id}',
    good: async (side) => ({ id: await side.make('/templates', TEMPLATE), name: 'Bye', text: 'Bye' }),
    read: '/templates/{id}',
  },
  {
    mutation: 'restoreTemplateVersion',
    route: 'POST /templates/{id}/versions/{version}/restore',
    params: { version: 'version' },
    good: async (side) => {
      const id = await side.make('/templates', TEMPLATE);
      await side.rest('PATCH', `/templates/${id}`, { text: 'Bye' });
      return { id, version: 1, expectedVersion: 2 };
    },
    read: '/templates/{id}',
  },
  {
    mutation: 'deleteTemplate',
    route: 'DELETE /templates/{id}',
    good: byId('/templates', TEMPLATE),
    read: '/templates/{id}',
  },
];
