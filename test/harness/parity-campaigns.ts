// Parity of what is done with campaigns.

import type { Pair, Side } from './parity-pair.ts';

const campaignOf = ({ domain }: Side) => ({
  name: 'June',
  from: `News <news@${domain}>`,
  subject: 'News',
  text: 'Hello',
  audience: { all: true },
});
const campaign = async (side: Side) => {
  await side.rest('POST', '/contacts', { email: 'reader@sink.test' }); // somebody whom a launch reaches; 409 if there already
  return { id: await side.make('/campaigns', campaignOf(side)) };
};
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

const scheduledCampaign = async (side: Side) => {
  const { id } = await campaign(side);
  await side.rest('POST', `/campaigns/${id}/launch`, { scheduled_at: '2090-06-01T08:00:00Z' });
  return { id };
};

/** Campaigns. */
export const CAMPAIGN_PAIRS: readonly Pair[] = [
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
  {
    mutation: 'sendCampaignTest',
    route: 'POST /campaigns/{id}/test',
    good: async (side) => ({ ...(await campaign(side)), to: 'me@example.net' }),
  },
  {
    mutation: 'undoLaunch',
    route: 'POST /campaigns/{id}/undo-launch',
    good: scheduledCampaign,
    read: '/campaigns/{id}',
  },
  {
    mutation: 'duplicateCampaign',
    route: 'POST /campaigns/{id}/duplicate',
    good: campaign,
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
];
