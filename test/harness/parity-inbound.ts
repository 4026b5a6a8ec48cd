// Parity of what is done with mail that comes in.

import { toId } from '../../core/base/ids.ts';
import { ofNothing, type Pair, type Side } from './parity-pair.ts';

const RECEIVED = 'mail is received by inbound, which does not run here';
const mailbox = async (side: Side) => ({
  id: await side.make('/mail/mailboxes', { address: `ann@${side.domain}`, name: 'Ann' }),
});
const WEBHOOK = { webhook_url: 'http://127.0.0.1:9/inbound', enabled: true };
const withWebhook = async (side: Side) => {
  await side.rest('PATCH', '/settings/inbound-webhook', WEBHOOK);
  return {};
};

/** Mailboxes, received mail, its webhook and dead letters. */
export const INBOUND_PAIRS: readonly Pair[] = [
  {
    mutation: 'createMailbox',
    route: 'POST /mail/mailboxes',
    good: async ({ domain }) => ({ address: ` Help@${domain} `, name: 'Help' }),
    read: '/mail/mailboxes/{id}',
  },
  {
    mutation: 'renameMailbox',
    route: 'PATCH /mail/mailboxes/{id}',
    good: async (side) => ({ ...(await mailbox(side)), name: null }),
    read: '/mail/mailboxes/{id}',
  },
  {
    mutation: 'deleteMailbox',
    route: 'DELETE /mail/mailboxes/{id}',
    good: mailbox,
    read: '/mail/mailboxes/{id}',
  },
  {
    mutation: 'markInboundMessage',
    route: 'PATCH /mail/messages/{id}',
    good: ofNothing('inm', { read: true }),
    refusalsOnly: RECEIVED,
  },
  {
    mutation: 'deleteInboundMessage',
    route: 'DELETE /mail/messages/{id}',
    good: ofNothing('inm'),
    refusalsOnly: RECEIVED,
  },
  {
    mutation: 'updateInboundWebhook',
    route: 'PATCH /settings/inbound-webhook',
    good: async () => ({ webhookUrl: 'http://127.0.0.1:9/inbound', enabled: true }),
    read: '/settings/inbound-webhook',
  },
  { mutation: 'testInboundWebhook', route: 'POST /settings/inbound-webhook/test-send', good: withWebhook },
  {
    mutation: 'replayDeadLetter',
    route: 'POST /admin/tenants/{id}/inbound-webhook-dlq/{dlv}/replay',
    params: { id: 'tenantId', dlv: 'id' },
    good: ofNothing('dlv'),
    refusalsOnly: RECEIVED,
    admin: true,
  },
  {
    mutation: 'replayAllDeadLetters',
    route: 'POST /admin/tenants/{id}/inbound-webhook-dlq/replay',
    params: { id: 'tenantId' },
    good: async ({ tenantId }) => ({ tenantId: toId('tnt', tenantId) }),
    admin: true,
  },
];
