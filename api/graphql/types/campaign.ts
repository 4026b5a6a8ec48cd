// Campaigns: one message to many contacts, where it stands, and when it will be done.

import { toId } from '../../../core/base/ids.ts';
import { sendingDomain } from '../../../core/campaign/campaign-message.ts';
import type { Audience, Campaign, CampaignStats, FailedRecipient } from '../../../core/campaign/campaign.ts';
import { getCampaign, listCampaigns, listFailed } from '../../../core/campaign/campaigns.ts';
import { estimateEnd, type Eta } from '../../../core/campaign/eta.ts';
import type { Builder } from '../builder.ts';
import { signedIn, type GraphqlContext } from '../context.ts';
import { UUID_KEY } from '../../cursor.ts';
import { connectionCost, resolveForward, resolveOlder } from '../page.ts';
import { requireId } from '../check-input.ts';
import type { ContactListTypes } from './contact-list.ts';
import type { TemplateTypes } from './template.ts';

const STATES = ['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled'] as const;
const COUNTS = [
  'recipients',
  'queued',
  'deferred',
  'dropped',
  'delivered',
  'bounced',
  'expired',
  'cancelled',
  'failed',
  'complained',
  'opened',
  'clicked',
  'unsubscribed',
] as const satisfies (keyof CampaignStats)[];

/** Adds Campaign and its queries. */
export function addCampaignTypes(builder: Builder, others: ContactListTypes & TemplateTypes) {
  const status = builder.enumType('CampaignStatus', { values: STATES });
  const campaign = addCampaign(builder, status, others);
  addFailed(builder, campaign);
  builder.queryField('campaigns', (t) =>
    t.connection({
      type: campaign,
      description: 'Newest first',
      args: { status: t.arg({ type: status }) },
      complexity: (args) => connectionCost(args),
      resolve: (_root, args, context) =>
        resolveOlder(args, (page) =>
          listCampaigns(context.deps, signedIn(context).tenantId, { ...page, state: args.status ?? null }),
        ),
    }),
  );
  builder.queryField('campaign', (t) =>
    t.field({
      type: campaign,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, context) => readCampaign(context, id),
    }),
  );
  return { campaign };
}

function addCampaign(
  builder: Builder,
  status: ReturnType<typeof builder.enumType<'CampaignStatus', typeof STATES>>,
  { contactList, template }: ContactListTypes & TemplateTypes,
) {
  const audience = builder.objectRef<Audience>('Audience').implement({
    description: 'The recipients: the subscribed contacts of a list, with a tag, or all',
    fields: (t) => ({
      list: t.field({
        type: contactList,
        nullable: true,
        resolve: (self, _args, context) =>
          'listId' in self ? context.account.contactLists.load(self.listId) : null,
      }),
      tag: t.string({ nullable: true, resolve: (self) => ('tag' in self ? self.tag : null) }),
      all: t.boolean({ resolve: (self) => 'all' in self }),
    }),
  });
  const stats = builder.objectRef<CampaignStats>('CampaignStats').implement({
    description: 'Exact counts; queued to failed add up to the recipients',
    fields: (t) => {
      const fields = COUNTS.map((name) => [name, t.int({ resolve: (self) => self[name] })] as const);
      return Object.fromEntries(fields);
    },
  });
  const eta = builder.objectRef<Eta>('CampaignEta').implement({
    description: 'When the last message is expected to be sent',
    fields: (t) => ({
      at: t.expose('at', {
        type: 'DateTime',
        nullable: true,
        description: 'Null: not possible at the current cap',
      }),
      perDay: t.exposeInt('perDay', { description: 'Campaign messages that the domain can send today' }),
      assumption: t.exposeString('assumption'),
    }),
  });
  const campaign = builder.objectRef<Campaign>('Campaign');
  builder.node(campaign, {
    id: { resolve: ({ id }) => toId('cmp', id) },
    isTypeOf: (value) => typeof value === 'object' && value !== null && 'audience' in value,
    loadOne: (id, context) => readCampaign(context, id),
    fields: (t) => ({
      name: t.exposeString('name'),
      version: t.exposeInt('version', { description: 'Goes up with every change of the content' }),
      from: t.exposeString('from'),
      replyTo: t.exposeString('replyTo', { nullable: true }),
      subject: t.exposeString('subject', { nullable: true }),
      template: t.field({
        type: template,
        nullable: true,
        resolve: ({ templateId }, _args, context) =>
          templateId === null ? null : context.account.templates.load(templateId),
      }),
      html: t.exposeString('html', { nullable: true }),
      text: t.exposeString('text', { nullable: true }),
      audience: t.expose('audience', { type: audience }),
      trackOpens: t.exposeBoolean('trackOpens', { nullable: true }),
      trackClicks: t.exposeBoolean('trackClicks', { nullable: true }),
      status: t.expose('state', { type: status }),
      pauseReason: t.exposeString('pauseReason', { nullable: true }),
      pauseMessage: t.exposeString('pauseMessage', { nullable: true }),
      scheduledAt: t.expose('scheduledAt', { type: 'DateTime', nullable: true }),
      launchedAt: t.expose('launchedAt', { type: 'DateTime', nullable: true }),
      completedAt: t.expose('completedAt', { type: 'DateTime', nullable: true }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
      stats: t.field({ type: stats, resolve: (self, _args, context) => statsOf(context, self) }),
      eta: t.field({ type: eta, nullable: true, resolve: (self, _args, context) => etaOf(context, self) }),
    }),
  });
  return campaign;
}

function addFailed(builder: Builder, campaign: ReturnType<typeof addCampaign>): void {
  const failed = builder.objectRef<FailedRecipient>('FailedRecipient').implement({
    description: 'A contact whose message could not be created',
    fields: (t) => ({
      contactId: t.id({ resolve: ({ contactId }) => toId('con', contactId) }),
      email: t.exposeString('email', { nullable: true }),
      error: t.exposeString('error'),
    }),
  });
  builder.objectField(campaign, 'failedRecipients', (t) =>
    t.connection({
      type: failed,
      complexity: (args) => connectionCost(args),
      resolve: (self, args, context) =>
        resolveForward<FailedRecipient>(
          args,
          [UUID_KEY],
          (row) => [row.contactId],
          ({ after, limit }) =>
            listFailed(context.deps, signedIn(context).tenantId, self.id, {
              after: after?.[0] ?? null,
              limit,
            }),
        ),
    }),
  );
}

async function statsOf(context: GraphqlContext, { id }: Campaign): Promise<CampaignStats> {
  const stats = await context.account.campaignStats.load(id);
  return stats ?? (Object.fromEntries(COUNTS.map((name) => [name, 0])) as unknown as CampaignStats);
}

async function etaOf(context: GraphqlContext, campaign: Campaign): Promise<Eta | null> {
  if (campaign.state !== 'sending') return null;
  const [stats, domain, queue] = await Promise.all([
    statsOf(context, campaign),
    context.account.forecastsByName.load(sendingDomain(campaign)),
    context.account.campaignQueues.load(campaign.id),
  ]);
  return estimateEnd(stats, domain, queue);
}

/** One campaign of the signed-in person's tenant. Throws not_found. */
function readCampaign(context: GraphqlContext, id: string): Promise<Campaign> {
  return getCampaign(context.deps, signedIn(context).tenantId, requireId('cmp', id, 'campaign'));
}

/** What other type files refer to. */
export type CampaignTypes = ReturnType<typeof addCampaignTypes>;
