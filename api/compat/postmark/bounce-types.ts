// Our bounce classes as Postmark's types of bounces: https://postmarkapp.com/developer/api/bounce-api#bounce-types

import type { BounceClass } from '../../../core/mail/bounce/bounce-classes.ts';
import type { FeedEvent } from '../../../core/message/event-feed.ts';

/** The types that we have, with Postmark's numbers. */
export const BOUNCE_CODES = {
  HardBounce: { code: 1, name: 'Hard bounce', description: 'The server refused the recipient for good.' },
  DnsError: { code: 256, name: 'DNS error', description: 'The domain of the recipient cannot receive mail.' },
  SoftBounce: {
    code: 4096,
    name: 'Soft bounce',
    description: 'The server refused the message; a later one may pass.',
  },
  VirusNotification: {
    code: 8192,
    name: 'Virus notification',
    description: 'A scanner refused the message.',
  },
  SpamComplaint: {
    code: 100001,
    name: 'Spam complaint',
    description: 'The recipient reported the message as spam.',
  },
  Blocked: {
    code: 100006,
    name: 'Blocked',
    description: 'A rule of the receiver refused the message or its sender.',
  },
} as const;

/** A type of bounce. */
type BounceType = keyof typeof BOUNCE_CODES;

// Null: a hard or a soft bounce, as the event says.
const OF_CLASS: Readonly<Record<BounceClass, BounceType | null>> = {
  invalid_recipient: null,
  inactive_mailbox: null,
  mailbox_full: null,
  greylisted: null,
  rate_limited: null,
  message_too_large: null,
  protocol: null,
  remote_system: null,
  connection: null,
  tls: null,
  timeout: null,
  uncategorized: null,
  invalid_domain: 'DnsError',
  null_mx: 'DnsError',
  dns_failure: 'DnsError',
  virus: 'VirusNotification',
  spam_block: 'Blocked',
  policy: 'Blocked',
  content_rejected: 'Blocked',
  reputation_block: 'Blocked',
  auth_failed: 'Blocked',
  sender_rejected: 'Blocked',
  relay_denied: 'Blocked',
};

/** The type of a bounce or complaint. */
export function bounceType({ type, data }: Pick<FeedEvent, 'type' | 'data'>): BounceType {
  if (type === 'complaint') return 'SpamComplaint';
  const ofClass: BounceType | null | undefined = OF_CLASS[data['class'] as BounceClass];
  return ofClass ?? (data['kind'] === 'soft' ? 'SoftBounce' : 'HardBounce');
}
