// Event webhooks: https://www.standardwebhooks.com

import { Webhook } from 'standardwebhooks';

export { WebhookVerificationError } from 'standardwebhooks';

/** What is posted to a webhook endpoint. `data` depends on the type. */
export interface WebhookEvent {
  /** Such as `message.delivered`; new types may come. */
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/**
 * The event of a delivery, or a WebhookVerificationError: a wrong signature, or a timestamp more than five minutes
 * from now. `body` is the request's body as it came, not parsed and written again.
 */
export function verifyWebhook(
  body: string | Buffer,
  headers: Headers | Record<string, string | string[] | undefined>,
  secret: string,
): WebhookEvent {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const plain = Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
  return new Webhook(secret).verify(body, plain) as WebhookEvent;
}
