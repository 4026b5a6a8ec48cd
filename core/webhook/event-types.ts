// What endpoints can be told: every type of event with what it says. Input, documentation, samples and fan-out all read
// this table.

import type { EventType } from '../message/event-store.ts';

interface TypeInfo {
  /** One line for people. */
  description: string;
  /** What `data` of a sample holds beside what every event of a message has. */
  sample: Record<string, unknown>;
}

/** The types of messages; `stored` is the type of the row of `events`, null when there is no such row. */
const MESSAGE_TYPES = {
  'message.accepted': {
    stored: null,
    description: 'We accepted a message',
    sample: { type: 'accepted', data: {} },
  },
  'message.deferred': {
    stored: 'deferred',
    description: 'It waits; `data.data` says why',
    sample: { type: 'deferred', data: { smtp_code: 421, reply: '421 4.3.2 Try again later' } },
  },
  'message.delivered': {
    stored: 'delivered',
    description: 'The next mail server accepted it',
    sample: { type: 'delivered', data: { mx: 'mx.example.net', smtp_code: 250, reply: '250 2.0.0 Ok' } },
  },
  'message.bounced': {
    stored: 'bounced',
    description: 'It failed for good',
    sample: {
      type: 'bounce',
      data: {
        kind: 'hard',
        class: 'invalid_recipient',
        smtp_code: 550,
        enhanced_code: '5.1.1',
        diagnostic: '550 5.1.1 User unknown',
        source: 'smtp',
      },
    },
  },
  'message.complained': {
    stored: 'complaint',
    description: 'Its recipient reported it as spam',
    sample: { type: 'complaint', data: { feedback_type: 'abuse', source: 'arf' } },
  },
  'message.opened': {
    stored: 'open',
    description: 'It was opened; `machine_open` marks scanners and prefetchers',
    sample: { type: 'open', data: { user_agent: 'Mozilla/5.0', ip: '192.0.2.1', machine_open: false } },
  },
  'message.clicked': {
    stored: 'click',
    description: 'One of its links was followed',
    sample: {
      type: 'click',
      data: { url: 'https://example.com/', user_agent: 'Mozilla/5.0', ip: '192.0.2.1', machine_click: false },
    },
  },
  'message.unsubscribed': {
    stored: 'unsubscribe',
    description: 'Its recipient unsubscribed by it',
    sample: { type: 'unsubscribe', data: {} },
  },
  'message.dropped': {
    stored: 'dropped',
    description: 'It was not sent, because its recipient is suppressed or the like',
    sample: { type: 'dropped', data: { reason: 'suppressed' } },
  },
  'message.expired': {
    stored: 'expired',
    description: 'It could not be delivered in time',
    sample: { type: 'expired', data: { reply: '421 4.3.2 Try again later' } },
  },
  'message.cancelled': {
    stored: 'cancelled',
    description: 'It was cancelled before it was sent',
    sample: { type: 'cancelled', data: {} },
  },
} as const satisfies Record<string, TypeInfo & { stored: EventType | null }>;

const DOMAIN_SAMPLE = { domain_id: 'dom_01h2xcejqtf2nbrexx3vqjhp41', domain: 'example.com' };

const ALERT_SAMPLE = {
  alert_id: 'alt_01h2xcejqtf2nbrexx3vqjhp41',
  kind: 'bounce_rate',
  subject: 'example.com',
  domain_id: 'dom_01h2xcejqtf2nbrexx3vqjhp41',
  value: 4.2,
  threshold: 3,
};

/** The types of everything else. */
const OTHER_TYPES = {
  'domain.verified': { description: 'A domain may send', sample: DOMAIN_SAMPLE },
  'domain.failed': {
    description: 'The records of a domain are not found any more, or were never',
    sample: DOMAIN_SAMPLE,
  },
  'domain.paused': {
    description: 'A domain was paused; `reason` says why',
    sample: { ...DOMAIN_SAMPLE, reason: 'bounce rate 4.2 %' },
  },
  'domain.resumed': { description: 'A pause was lifted', sample: { ...DOMAIN_SAMPLE, tier: 3 } },
  'domain.tier_changed': {
    description: 'A domain moved to another warm-up tier',
    sample: { ...DOMAIN_SAMPLE, from_tier: 2, to_tier: 3 },
  },
  'domain.braked': {
    description:
      'Mail of a domain waits for the rest of the day, because today it comes to no good; `reason` says what',
    sample: {
      ...DOMAIN_SAMPLE,
      state: 'bulk',
      reason:
        '23 of 112 messages tried today bounced (20.5 %; a good list has less than 3 %). Campaign mail waits until 00:00 UTC, or until the brake is released.',
      numbers: {
        measure: 'bounces',
        transactional_only: false,
        attempted: 112,
        delivered: 89,
        bounced: 23,
        unknown: 21,
        blocked: 0,
        complained: 0,
      },
    },
  },
  'domain.brake_released': {
    description: 'The brake of a domain was released by hand',
    sample: DOMAIN_SAMPLE,
  },
  'campaign.sent': {
    description: 'Every recipient of a campaign has their message',
    sample: { campaign_id: 'cmp_01h2xcejqtf2nbrexx3vqjhp41', name: 'October news' },
  },
  'contact.unsubscribed': {
    description: 'A contact unsubscribed',
    sample: { contact_id: 'con_01h2xcejqtf2nbrexx3vqjhp41', email: 'ann@example.net' },
  },
  'alert.opened': {
    description: 'Something that you watch reached its threshold; `kind` says what',
    sample: ALERT_SAMPLE,
  },
  'alert.resolved': {
    description: 'It is well again; the numbers are those of the opening',
    sample: ALERT_SAMPLE,
  },
  'inbound.received': {
    description: 'Mail came in',
    sample: {
      message_id: 'inm_01h2xcejqtf2nbrexx3vqjhp41',
      domain: 'example.com',
      recipient: 'support@example.com',
      envelope_from: 'ann@example.net',
      from: 'Ann <ann@example.net>',
      subject: 'A question',
      size_bytes: 2048,
      junk: false,
      scan: {
        verdict: 'clean',
        reason: null,
        score: 1.2,
        required_score: 15,
        action: 'no action',
        virus: null,
        symbols: [{ name: 'MISSING_DATE', score: 1 }],
      },
    },
  },
} as const satisfies Record<string, TypeInfo>;

/** Every type, in the order in which they are shown. */
export const WEBHOOK_EVENTS = { ...MESSAGE_TYPES, ...OTHER_TYPES };

/** The name of a type. */
export type WebhookEventType = keyof typeof WEBHOOK_EVENTS;

/** All names. */
export const WEBHOOK_EVENT_TYPES = Object.keys(WEBHOOK_EVENTS) as [WebhookEventType, ...WebhookEventType[]];

/** Stands for all types, also those that come later. */
export const ALL_EVENT_TYPES = '*';

const OF_STORED = Object.fromEntries(
  Object.entries(MESSAGE_TYPES).flatMap(([type, { stored }]) => (stored === null ? [] : [[stored, type]])),
) as Record<EventType, WebhookEventType>;

/** The type of a stored event of a message. */
export function webhookTypeOf(stored: EventType): WebhookEventType {
  return OF_STORED[stored];
}
