// Event webhooks: https://www.standardwebhooks.com

import { Webhook } from 'standardwebhooks';

import type { webhooks } from './gen/api.ts';

export { WebhookVerificationError } from 'standardwebhooks';

type Posted = {
  [Type in keyof webhooks]: webhooks[Type]['post']['requestBody']['content']['application/json'];
};

/** What is posted to a webhook endpoint; `data` depends on `type`. New types may come. */
export type WebhookEvent = Posted[keyof webhooks];

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
