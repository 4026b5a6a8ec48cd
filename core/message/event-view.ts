// An event as everyone outside is shown it: the feed, the tail and webhooks.

import { toId } from '../base/ids.ts';
import type { FeedEvent, FeedType } from './event-feed.ts';

/** An event in the words of the API. */
export interface EventView {
  id: string;
  type: FeedType;
  message_id: string;
  campaign_id: string | null;
  recipient: string;
  domain: string;
  occurred_at: string;
  data: Record<string, unknown>;
}

/** Shows an event. */
export function toEventView(event: FeedEvent): EventView {
  return {
    id: toId('evt', event.id),
    type: event.type,
    message_id: toId('msg', event.messageId),
    campaign_id: event.campaignId === null ? null : toId('cmp', event.campaignId),
    recipient: event.recipient,
    domain: event.domain,
    occurred_at: event.occurredAt.toISOString(),
    data: event.data,
  };
}
