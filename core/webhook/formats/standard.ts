// The body of an event as Standard Webhooks recommends it: `{ type, timestamp, data }`.

import type { WebhookEvent } from '../webhook-event.ts';

/** The body of an event. The same event always gives the same text. */
export function standardBody({ type, timestamp, data }: WebhookEvent): string {
  return JSON.stringify({ type, timestamp: timestamp.toISOString(), data });
}
