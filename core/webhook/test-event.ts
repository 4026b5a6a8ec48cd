// Posting a sample of an event to an endpoint, so that its owner sees whether it works.

import { nowDate } from '../base/clock.ts';
import { newUuid, toId } from '../base/ids.ts';
import { bodyOf } from './formats/formats.ts';
import { getEndpoint, secretsOf } from './endpoints.ts';
import { WEBHOOK_EVENTS, type WebhookEventType } from './event-types.ts';
import { eventHeaders } from './standard-webhook.ts';
import { postTest, type TestSendDeps, type TestSendResult } from './test-send.ts';
import type { WebhookEvent } from './webhook-event.ts';
import { AppError } from '../base/errors.ts';

/** Posts once, signed as a delivery is. The endpoint need not be turned on, nor want this type. Throws not_found. */
export async function testEndpoint(
  deps: TestSendDeps,
  tenantId: string,
  id: string,
  type: WebhookEventType,
): Promise<TestSendResult> {
  const endpoint = await getEndpoint(deps.db, tenantId, id);
  const secrets = await secretsOf(deps, tenantId, id);
  const event = sampleEvent(type);
  const text = bodyOf(endpoint.format, event);
  if (text === null) throw new AppError('conflict', `The format ${endpoint.format} has no ${type}.`);
  const body = Buffer.from(text, 'utf8');
  return postTest(deps.http, endpoint.url, eventHeaders(event.id, nowDate(), body, secrets), body);
}

/** An event of this type as it could have happened just now. */
export function sampleEvent(type: WebhookEventType): WebhookEvent {
  const id = newUuid();
  const timestamp = nowDate();
  const { sample } = WEBHOOK_EVENTS[type];
  const data = type.startsWith('message.')
    ? {
        id: toId('evt', id),
        message_id: toId('msg', newUuid()),
        campaign_id: null,
        recipient: 'ann@example.net',
        domain: 'example.com',
        occurred_at: timestamp.toISOString(),
        ...sample,
        from: 'Shop <orders@example.com>',
        subject: 'Your order',
        tags: [{ name: 'kind', value: 'receipt' }],
      }
    : sample;
  return { id, type, timestamp, data };
}
