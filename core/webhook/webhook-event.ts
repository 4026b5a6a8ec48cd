// An event as endpoints are told it, whatever the shape of the body.

import type { WebhookEventType } from './event-types.ts';

/** One event. */
export interface WebhookEvent {
  /** UUID. */
  id: string;
  type: WebhookEventType;
  timestamp: Date;
  /** What it says, in the words of the API. */
  data: Record<string, unknown>;
}
