// A campaign of ours as a broadcast of Resend.

import { toId } from '../../../core/base/ids.ts';
import type { Campaign, CampaignState } from '../../../core/campaign/campaign.ts';

/** What a list shows of a broadcast. The words are Liquid of ours. */
export function toBroadcast(campaign: Campaign) {
  const list = 'listId' in campaign.audience ? toId('lst', campaign.audience.listId) : null;
  return {
    id: toId('cmp', campaign.id),
    name: campaign.name,
    segment_id: list,
    audience_id: list,
    from: campaign.from,
    subject: campaign.subject,
    reply_to: campaign.replyTo === null ? null : [campaign.replyTo],
    preview_text: null,
    status: toStatus(campaign.state),
    created_at: campaign.createdAt.toISOString(),
    scheduled_at: campaign.scheduledAt?.toISOString() ?? null,
    sent_at: campaign.completedAt?.toISOString() ?? null,
    html: campaign.html,
    text: campaign.text,
  };
}

function toStatus(state: CampaignState): string {
  switch (state) {
    case 'draft':
    case 'sent':
      return state;
    case 'scheduled':
    case 'sending':
    case 'paused':
      return 'queued';
    case 'cancelled':
      return 'canceled';
    default:
      return state satisfies never;
  }
}
