// The body of an event as SendGrid's event webhook has it: a list, here of one event.
// https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event

import type { WebhookEvent } from '../webhook-event.ts';

/** The tag of api/compat/sendgrid that was a category there. */
const CATEGORY = 'category';

/** Names that arguments cannot have: an argument that passed for one of these would be believed. */
const OWN_NAMES = new Set<unknown>([
  ...[
    'email',
    'timestamp',
    'event',
    'category',
    'smtp-id',
    'sg_event_id',
    'sg_message_id',
    'sg_machine_open',
  ],
  ...['type', 'reason', 'status', 'response', 'attempt', 'useragent', 'ip', 'url', 'url_offset', 'tls'],
]);

/** The body; null for what SendGrid has no event for. The same event always gives the same text. */
export function sendgridBody({ type, timestamp, data }: WebhookEvent): string | null {
  const details = objectOf(data['data']);
  const described = describe(type, details);
  if (described === null) return null;
  const tags = Array.isArray(data['tags']) ? data['tags'].map(objectOf) : [];
  const categories = tags.filter(({ name }) => name === CATEGORY).map(({ value }) => value);
  const args = tags
    .filter(({ name }) => !OWN_NAMES.has(name))
    .map(({ name, value }) => [name, value] as const);
  const event = {
    ...Object.fromEntries(args),
    email: data['recipient'],
    timestamp: Math.floor(timestamp.getTime() / 1000),
    ...described,
    ...(categories.length > 0 && { category: categories.length === 1 ? categories[0] : categories }),
    sg_event_id: data['id'],
    sg_message_id: data['message_id'],
  };
  return JSON.stringify([event]);
}

type Details = Record<string, unknown>;

function describe(type: WebhookEvent['type'], details: Details): Details | null {
  const { diagnostic, reason, enhanced_code: status, kind, user_agent: useragent, ip, url } = details;
  const response = diagnostic ?? details['reply'] ?? reason ?? '';
  switch (type) {
    case 'message.accepted':
      return { event: 'processed' };
    case 'message.deferred':
      return { event: 'deferred', response };
    case 'message.delivered':
      return { event: 'delivered', response };
    case 'message.bounced':
      return {
        event: 'bounce',
        type: kind === 'soft' ? 'blocked' : 'bounce',
        reason: response,
        status: status ?? '',
      };
    case 'message.expired':
      return { event: 'bounce', type: 'blocked', reason: response, status: status ?? '' };
    case 'message.dropped':
      return { event: 'dropped', reason: reason ?? '', status: status ?? '' };
    case 'message.opened':
      return { event: 'open', useragent, ip, sg_machine_open: details['machine_open'] === true };
    case 'message.clicked':
      return { event: 'click', url, useragent, ip };
    case 'message.complained':
      return { event: 'spamreport' };
    case 'message.unsubscribed':
      return { event: 'unsubscribe' };
    case 'message.cancelled':
    case 'domain.verified':
    case 'domain.failed':
    case 'domain.paused':
    case 'domain.resumed':
    case 'domain.tier_changed':
    case 'domain.braked':
    case 'domain.brake_released':
    case 'campaign.sent':
    case 'contact.unsubscribed':
    case 'alert.opened':
    case 'alert.resolved':
    case 'inbound.received':
      return null;
    default:
      return type satisfies never;
  }
}

function objectOf(value: unknown): Details {
  return typeof value === 'object' && value !== null ? (value as Details) : {};
}
