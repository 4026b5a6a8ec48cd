// Parity of what is done with webhooks of events.

import { makeEventDelivery } from './event-delivery.ts';
import type { Pair, Side } from './parity-pair.ts';

const URL = 'http://127.0.0.1:9/events';
const webhook = async (side: Side) => ({
  id: await side.make('/webhooks', { url: URL, event_types: ['*'], description: 'Orders' }),
});

/** Endpoints, their secrets and tests, and replays. */
export const WEBHOOK_PAIRS: readonly Pair[] = [
  {
    mutation: 'createWebhook',
    route: 'POST /webhooks',
    good: async ({ adminIds }) => ({
      url: URL,
      eventTypes: ['message.bounced', 'domain.paused'],
      description: 'Orders',
      domainIds: [adminIds.domainId],
    }),
    read: '/webhooks/{id}',
  },
  {
    mutation: 'updateWebhook',
    route: 'PATCH /webhooks/{id}',
    good: async (side) => ({
      ...(await webhook(side)),
      eventTypes: ['message.opened'],
      description: null,
      domainIds: [side.adminIds.domainId],
      enabled: false,
    }),
    read: '/webhooks/{id}',
  },
  { mutation: 'deleteWebhook', route: 'DELETE /webhooks/{id}', good: webhook, read: '/webhooks/{id}' },
  {
    mutation: 'rotateWebhookSecret',
    route: 'POST /webhooks/{id}/rotate',
    good: webhook,
    read: '/webhooks/{id}',
  },
  {
    mutation: 'testWebhook',
    route: 'POST /webhooks/{id}/test',
    good: async (side) => ({ ...(await webhook(side)), eventType: 'message.delivered' }),
  },
  {
    mutation: 'replayWebhookDelivery',
    route: 'POST /webhooks/{id}/deliveries/{wdl}/replay',
    params: { id: 'webhookId', wdl: 'id' },
    good: async (side) => {
      const { id: webhookId } = await webhook(side);
      return { webhookId, id: await makeEventDelivery(side.db, side.tenantId, webhookId) };
    },
  },
  {
    mutation: 'replayWebhook',
    route: 'POST /webhooks/{id}/replay',
    good: async (side) => ({
      ...(await webhook(side)),
      since: '2026-01-31T08:00:00Z',
      until: '2026-01-31T09:00:00Z',
      status: 'dead',
    }),
  },
];
