// Parity of what is done with alerts.

import type { Pair, Side } from './parity-pair.ts';

const rule = async (side: Side) => ({
  id: await side.make('/alert-rules', { kind: 'key_unused', threshold: 30 }),
});

/** Rules, and where alerts are posted to. */
export const ALERT_PAIRS: readonly Pair[] = [
  {
    mutation: 'createAlertRule',
    route: 'POST /alert-rules',
    good: async ({ adminIds }) => ({
      kind: 'bounce_rate',
      domainId: adminIds.domainId,
      threshold: 2.5,
      enabled: true,
      mail: false,
      chat: true,
    }),
  },
  {
    mutation: 'updateAlertRule',
    route: 'PATCH /alert-rules/{id}',
    good: async (side) => ({ ...(await rule(side)), threshold: 60, enabled: false, mail: true, chat: false }),
  },
  { mutation: 'deleteAlertRule', route: 'DELETE /alert-rules/{id}', good: rule },
  {
    mutation: 'updateAlertSettings',
    route: 'PATCH /settings/alerts',
    good: async () => ({ chatWebhookUrl: 'http://127.0.0.1:9/chat' }),
    read: '/settings/alerts',
  },
  {
    mutation: 'testAlertChat',
    route: 'POST /settings/alerts/test-send',
    good: async (side) => {
      await side.rest('PATCH', '/settings/alerts', { chat_webhook_url: 'http://127.0.0.1:9/chat' });
      return {};
    },
  },
];
