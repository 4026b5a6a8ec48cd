// Which mutation of GraphQL does the same as which route of REST, with a good input for both; and what has no twin.

import { newUuid, toId, type IdPrefix } from '../../core/base/ids.ts';
import type { Database } from '../../core/db/pool.ts';
import type { Answer } from './api-world.ts';
import { makeMessageRow } from './message-row.ts';

type Fields = Record<string, unknown>;

/** A tenant with a verified domain, a key with every scope, and a person of it. */
export interface Side {
  tenantId: string;
  domainId: string;
  domain: string;
  adminIds: { tenantId: string; domainId: string };
  db: Database;
  key: string;
  rest(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Creates over REST; the id of what was made. */
  make(path: string, body: unknown): Promise<string>;
}

/** One mutation and its route. */
export interface Pair {
  mutation: string;
  /** Method and path. `{id}` is the input's `id`, or the renamed one of `params`. */
  route: string;
  /** Makes what the change needs and gives a good input, in GraphQL's names. */
  good: (side: Side) => Promise<Fields>;
  /** Why `good` is of nothing, so that only refusals are compared. */
  refusalsOnly?: string;
  /** Parameters of the path whose field in the input has another name. */
  params?: Record<string, string>;
  /** Fields of the input that have another name in the body of REST. */
  renamed?: Record<string, string>;
  /** Fields in which REST accepts U+0000: it sends them on encoded. GraphQL accepts it nowhere. */
  anyText?: string[];
  /** Where REST shows the record afterwards; `{id}` is the subject of the audit row. */
  read?: string;
  /** Asked by operators: a super-admin's token, and a person who is super-admin. */
  admin?: true;
}

const byId = (path: string, body: unknown) => async (side: Side) => ({ id: await side.make(path, body) });
const ofNothing =
  (prefix: IdPrefix, more: Fields = {}) =>
  async (side: Side) => ({
    ...more,
    id: toId(prefix, newUuid()),
    ...(prefix === 'dlv' && { tenantId: side.adminIds.tenantId }),
  });
const RECEIVED = 'mail is received by inbound, which does not run here';
const TENANT = { id: 'tenantId' };
const ADMIN_DOMAIN = { id: 'tenantId', domain_id: 'domainId' };

const TEMPLATE = { name: 'Welcome', subject: 'Hi {{ first_name }}', html: '<p>Hi</p>', text: null };
const CONTACT = { email: 'ann@example.net', first_name: 'Ann' };
const campaignOf = ({ domain }: Side) => ({
  name: 'June',
  from: `News <news@${domain}>`,
  subject: 'News',
  text: 'Hello',
  audience: { all: true },
});
const campaign = async (side: Side) => ({ id: await side.make('/campaigns', campaignOf(side)) });
const launched = async (side: Side) => {
  const { id } = await campaign(side);
  await side.rest('POST', `/campaigns/${id}/launch`);
  return { id };
};
const pausedCampaign = async (side: Side) => {
  const { id } = await launched(side);
  await side.rest('POST', `/campaigns/${id}/pause`);
  return { id };
};
const mailbox = async (side: Side) => ({
  id: await side.make('/mail/mailboxes', { address: `ann@${side.domain}`, name: 'Ann' }),
});
const ownDomain = byId('/mail/domains', { name: 'shop.example.com' });
const WEBHOOK = { webhook_url: 'http://127.0.0.1:9/inbound', enabled: true };
const withWebhook = async (side: Side) => {
  await side.rest('PATCH', '/settings/inbound-webhook', WEBHOOK);
  return {};
};
const rotating = async (side: Side) => {
  const { id } = await ownDomain(side);
  await side.rest('POST', `/mail/domains/${id}/dkim-rotation`);
  return { id };
};

/** Every mutation that REST has too. */
export const PAIRS: readonly Pair[] = [
  {
    mutation: 'sendMessage',
    route: 'POST /transactional/send',
    anyText: ['html', 'text'],
    good: async ({ domain }) => ({
      from: `shop@${domain}`,
      to: 'ann@example.net',
      subject: 'Hello',
      text: 'Hello.',
      tags: [{ name: 'kind', value: 'receipt' }],
    }),
  },
  {
    mutation: 'createDomain',
    route: 'POST /mail/domains',
    good: async () => ({ name: 'shop.example.com' }),
    read: '/mail/domains/{id}',
  },
  {
    mutation: 'updateDomain',
    route: 'PATCH /mail/domains/{id}',
    good: async (side) => ({ ...(await ownDomain(side)), inboundEnabled: false, transactionalReserve: 20 }),
    read: '/mail/domains/{id}',
  },
  {
    mutation: 'verifyDomain',
    route: 'POST /mail/domains/{id}/verify',
    good: ownDomain,
    read: '/mail/domains/{id}',
  },
  {
    mutation: 'deleteDomain',
    route: 'DELETE /mail/domains/{id}',
    good: ownDomain,
    read: '/mail/domains/{id}',
  },
  {
    mutation: 'rotateDkim',
    route: 'POST /mail/domains/{id}/dkim-rotation',
    good: ownDomain,
    read: '/mail/domains/{id}',
  },
  {
    mutation: 'cancelDkimRotation',
    route: 'DELETE /mail/domains/{id}/dkim-rotation',
    good: rotating,
    read: '/mail/domains/{id}',
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
    mutation: 'deleteTemplate',
    route: 'DELETE /templates/{id}',
    good: byId('/templates', TEMPLATE),
    read: '/templates/{id}',
  },
  {
    mutation: 'addSuppressions',
    route: 'POST /suppressions',
    good: async () => ({ emails: ['Ann@example.net', 'bob@example.net'], reason: 'complaint' }),
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
  {
    mutation: 'createCampaign',
    route: 'POST /campaigns',
    good: async (side) => campaignOf(side),
    read: '/campaigns/{id}',
  },
  {
    mutation: 'updateCampaign',
    route: 'PATCH /campaigns/{id}',
    good: async (side) => ({
      ...(await campaign(side)),
      name: 'July',
      replyTo: 'r@example.net',
      text: 'Bye',
    }),
    read: '/campaigns/{id}',
  },
  {
    mutation: 'deleteCampaign',
    route: 'DELETE /campaigns/{id}',
    good: campaign,
    read: '/campaigns/{id}',
  },
  {
    mutation: 'launchCampaign',
    route: 'POST /campaigns/{id}/launch',
    good: async (side) => ({ ...(await campaign(side)), scheduledAt: '2090-06-01T08:00:00Z' }),
    read: '/campaigns/{id}',
  },
  { mutation: 'pauseCampaign', route: 'POST /campaigns/{id}/pause', good: launched, read: '/campaigns/{id}' },
  {
    mutation: 'resumeCampaign',
    route: 'POST /campaigns/{id}/resume',
    good: pausedCampaign,
    read: '/campaigns/{id}',
  },
  {
    mutation: 'cancelCampaign',
    route: 'POST /campaigns/{id}/cancel',
    good: launched,
    read: '/campaigns/{id}',
  },
  {
    mutation: 'retryFailedRecipients',
    route: 'POST /campaigns/{id}/retry',
    good: launched,
  },
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
    params: TENANT,
    good: async ({ tenantId }) => ({ tenantId: toId('tnt', tenantId) }),
    admin: true,
  },
  {
    mutation: 'overrideTier',
    route: 'POST /admin/tenants/{id}/domains/{domain_id}/tier',
    params: ADMIN_DOMAIN,
    good: async ({ adminIds }) => ({ ...adminIds, action: 'hold', reason: 'a new list' }),
    admin: true,
  },
  {
    mutation: 'resumeDomain',
    route: 'POST /admin/tenants/{id}/domains/{domain_id}/resume',
    params: ADMIN_DOMAIN,
    good: async ({ adminIds, domainId, db }) => {
      await db.pool.query("update domains set warmup_state = 'paused' where id = $1", [domainId]);
      return { ...adminIds, reason: 'the list is clean' };
    },
    admin: true,
  },
  {
    mutation: 'generateWarmupSchedule',
    route: 'POST /admin/tenants/{id}/warmup-schedule/generate',
    params: TENANT,
    good: async ({ tenantId }) => ({
      tenantId: toId('tnt', tenantId),
      startDate: '2030-01-01',
      totalTargetRecipients: 20_000,
    }),
    admin: true,
  },
  {
    mutation: 'cancelMessage',
    route: 'DELETE /transactional/{id}',
    good: async ({ db, tenantId, domainId }) => ({
      id: toId('msg', await makeMessageRow(db, tenantId, { state: 'deferred', domainId })),
    }),
    read: '/transactional/{id}',
  },
];

/** Mutations that have no route, and why. */
export const ONLY_GRAPHQL: Record<string, string> = {
  acceptInvitation: 'people manage their accounts in the dashboard only',
  acceptInvitationForSso: 'people manage their accounts in the dashboard only',
  changePassword: 'people manage their accounts in the dashboard only',
  changeRole: 'people manage their accounts in the dashboard only',
  createApiKey: 'a key must not make keys',
  deleteSamlConnection: 'people manage their accounts in the dashboard only',
  deleteWarmupSchedule: 'REST replaces a plan, it does not delete it',
  invitePerson: 'people manage their accounts in the dashboard only',
  login: 'keys do not sign in',
  logout: 'keys do not sign in',
  previewTemplate: 'changes nothing',
  refresh: 'keys do not sign in',
  removePerson: 'people manage their accounts in the dashboard only',
  revokeApiKey: 'a key must not revoke keys',
  revokeInvitation: 'people manage their accounts in the dashboard only',
  revokeOtherSessions: 'keys do not sign in',
  revokeSession: 'keys do not sign in',
  saveSamlConnection: 'people manage their accounts in the dashboard only',
  switchTenant: 'keys do not sign in',
};

/** Routes with a method that changes something, without a mutation, and why. */
export const ONLY_REST: Record<string, string> = {
  'POST /contacts/import': 'accepts 100 MiB as a stream',
  'POST /templates/{id}/preview': 'changes nothing',
  'POST /transactional/batch': 'for programs; each message is as that of sendMessage',
};
