// How an event proves that it is ours: the headers of Standard Webhooks (github.com/standard-webhooks/standard-webhooks,
// spec/standard-webhooks.md, "Webhook Headers" and "Signature scheme"), which its libraries verify.

import { createHmac, randomBytes } from 'node:crypto';

import { toId } from '../base/ids.ts';

const SECRET_PREFIX = 'whsec_';

const SECRET_BYTES = 32; // the specification wants 24 to 64

/** A fresh secret. The HMAC key is what the base64 after the prefix stands for. */
export function newEventSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The headers by which a receiver knows an event, and what each says. */
export const EVENT_HEADERS = {
  'webhook-id': "the event's id, `evt_…`, the same at every attempt and after a replay",
  'webhook-timestamp': 'Unix seconds of this attempt',
  'webhook-signature':
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; two, separated by a space, for 24 hours after a rotation',
} as const;

/**
 * The headers of one attempt at an event. `webhook-id` is the event's id, the same at every attempt and every replay.
 * Each of `secrets` signs: two while one replaces the other.
 */
export function eventHeaders(
  eventId: string,
  now: Date,
  body: Buffer,
  secrets: readonly string[],
): Record<string, string> {
  const id = toId('evt', eventId);
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.`)
      .update(body)
      .digest('base64');
  const values: Record<keyof typeof EVENT_HEADERS, string> = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  };
  return { 'content-type': 'application/json', 'user-agent': 'Postrider-Webhooks/1', ...values };
}
