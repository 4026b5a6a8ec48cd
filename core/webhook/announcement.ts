// What the triggers of 0018_announcements.sql and core/message/accept-store.ts announce, in the words of the API. The payload is
// what they wrote.

import { toId } from '../base/ids.ts';
import { SCAN_OFF } from '../db/schema/inbound.ts';
import type { OutboxRow } from '../outbox/outbox-store.ts';
import type { WebhookEventType } from './event-types.ts';
import type { WebhookEvent } from './webhook-event.ts';

/** A payload: UUIDs, texts and numbers. */
interface Payload extends Record<string, unknown> {
  at: string;
}

/** An announcement as an event; `domainName` names the domain of mail. */
export function announcedEvent(
  row: OutboxRow & { payload: Record<string, unknown> },
  domainName: (id: string) => string,
): WebhookEvent {
  const type = row.type as WebhookEventType;
  const payload = row.payload as Payload;
  const timestamp = new Date(payload.at);
  return { id: row.id, type, timestamp, data: dataOf(type, row.id, timestamp, payload, domainName) };
}

/** The domain that an announcement is about, or null. */
export function domainOf(payload: Record<string, unknown>): string | null {
  return (payload['domain_id'] as string | undefined) ?? null;
}

function dataOf(
  type: WebhookEventType,
  id: string,
  timestamp: Date,
  said: Payload,
  domainName: (id: string) => string,
): Record<string, unknown> {
  const { at: _, ...payload } = said as Payload & Record<string, unknown>;
  const uuid = (name: string) => payload[name] as string;
  switch (type) {
    case 'message.accepted': {
      const { recipient, from, subject, tags } = payload;
      return {
        id: toId('evt', id),
        type: 'accepted',
        message_id: toId('msg', uuid('message_id')),
        campaign_id: payload['campaign_id'] === null ? null : toId('cmp', uuid('campaign_id')),
        recipient,
        domain: domainName(uuid('domain_id')),
        occurred_at: timestamp.toISOString(),
        data: {},
        from,
        subject,
        tags,
      };
    }
    case 'inbound.received': {
      const { domain_id: _domain, ...mail } = payload;
      return {
        ...mail,
        message_id: toId('inm', uuid('message_id')),
        junk: mail['junk'] ?? false, // announced before there were scans
        scan: mail['scan'] ?? SCAN_OFF,
        domain: domainName(uuid('domain_id')),
      };
    }
    case 'campaign.sent':
      return { ...payload, campaign_id: toId('cmp', uuid('campaign_id')) };
    case 'alert.opened':
    case 'alert.resolved':
      return {
        ...payload,
        alert_id: toId('alt', uuid('alert_id')),
        domain_id: payload['domain_id'] === null ? null : toId('dom', uuid('domain_id')),
      };
    case 'contact.unsubscribed':
      return { ...payload, contact_id: toId('con', uuid('contact_id')) };
    default:
      return { ...payload, domain_id: toId('dom', uuid('domain_id')) };
  }
}
