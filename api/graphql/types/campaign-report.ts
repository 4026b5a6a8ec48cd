// What came of a campaign: over time, by link, by recipient.

import { toId } from '../../../core/base/ids.ts';
import { listRecipients, readReport, type CampaignReport } from '../../../core/campaign/report.ts';
import { RECIPIENT_FILTERS, type RecipientRow } from '../../../core/campaign/report-store.ts';
import { UUID_KEY } from '../../cursor.ts';
import type { Builder } from '../builder.ts';
import { signedIn } from '../context.ts';
import { connectionCost, resolveForward } from '../page.ts';
import type { CampaignTypes } from './campaign.ts';

const COST = 200; // reads all events of a campaign: 0.2 s of 100,000

/** Adds the fields `report` and `recipients` of Campaign. */
export function addCampaignReport(builder: Builder, { campaign }: CampaignTypes): void {
  const report = addReport(builder);
  builder.objectField(campaign, 'report', (t) =>
    t.field({
      type: report,
      description: 'Opens, clicks and links, for as long as its messages are kept',
      complexity: COST,
      resolve: ({ id }, _args, context) => readReport(context.deps, signedIn(context).tenantId, id),
    }),
  );
  const filter = builder.enumType('CampaignRecipientFilter', {
    description: '`machine_opened`: opened by machines and by no person',
    values: RECIPIENT_FILTERS,
  });
  const recipient = addRecipient(builder);
  builder.objectField(campaign, 'recipients', (t) =>
    t.connection({
      type: recipient,
      args: { filter: t.arg({ type: filter }) },
      complexity: (args) => connectionCost(args),
      resolve: (self, { filter: only, ...args }, context) =>
        resolveForward<RecipientRow>(
          args,
          [UUID_KEY],
          (row) => [row.contactId],
          ({ after, limit }) =>
            listRecipients(context.deps, signedIn(context).tenantId, self.id, {
              filter: only ?? null,
              after: after?.[0] ?? null,
              limit,
            }),
        ),
    }),
  );
}

function addReport(builder: Builder) {
  const point = builder.objectRef<CampaignReport['points'][number]>('CampaignReportPoint').implement({
    description: 'Messages first opened or clicked in one hour or day, by people and by machines',
    fields: (t) => ({
      at: t.expose('at', { type: 'DateTime' }),
      opens: t.exposeInt('opens'),
      clicks: t.exposeInt('clicks'),
      machineOpens: t.exposeInt('machineOpens'),
      machineClicks: t.exposeInt('machineClicks'),
    }),
  });
  const link = builder.objectRef<CampaignReport['links'][number]>('CampaignReportLink').implement({
    fields: (t) => ({
      url: t.exposeString('url'),
      recipients: t.exposeInt('recipients', { description: 'People who followed it' }),
      clicks: t.exposeInt('clicks', { description: 'All times that people followed it' }),
      machineClicks: t.exposeInt('machineClicks'),
    }),
  });
  return builder.objectRef<CampaignReport>('CampaignReport').implement({
    fields: (t) => ({
      by: t.exposeString('by', { description: 'hour or day: how long a point is' }),
      points: t.expose('points', { type: [point], description: 'Oldest first, without gaps, in UTC' }),
      links: t.expose('links', { type: [link], description: 'Most recipients first, 50 at most' }),
    }),
  });
}

function addRecipient(builder: Builder) {
  return builder.objectRef<RecipientRow>('CampaignRecipient').implement({
    description: 'A recipient and what they did first',
    fields: (t) => ({
      contactId: t.id({ resolve: ({ contactId }) => toId('con', contactId) }),
      messageId: t.id({ resolve: ({ messageId }) => toId('msg', messageId) }),
      email: t.exposeString('email', { nullable: true }),
      status: t.exposeString('state', {
        description: 'Of the message; failed: none could be created',
      }),
      finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
      openedAt: t.expose('openedAt', { type: 'DateTime', nullable: true }),
      clickedAt: t.expose('clickedAt', { type: 'DateTime', nullable: true }),
      machineOpenedAt: t.expose('machineOpenedAt', { type: 'DateTime', nullable: true }),
      unsubscribedAt: t.expose('unsubscribedAt', { type: 'DateTime', nullable: true }),
      complainedAt: t.expose('complainedAt', { type: 'DateTime', nullable: true }),
    }),
  });
}
