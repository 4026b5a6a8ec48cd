// Texts for defer reasons and message statuses.

import { utcHour } from '../../ui/zone.ts';

const REASONS: Record<string, { short: string; long: string }> = {
  warmup_cap: {
    short: 'Warm-up cap reached',
    long: 'The sending domain has reached its warm-up cap for today. The message is sent after 00:00 UTC.',
  },
  scheduled: { short: 'Scheduled', long: 'The message is sent at its scheduled time.' },
  remote_4xx: {
    short: 'The server asked to retry',
    long: 'The receiving server asked to retry later. We retry at increasing intervals until the message expires.',
  },
  network: {
    short: 'Server not reachable',
    long: 'The receiving server could not be reached. We retry at increasing intervals until the message expires.',
  },
  esp_cap: {
    short: 'Route cap reached',
    long: 'The route of this message has reached its cap for today. The message is sent after 00:00 UTC.',
  },
  domain_paused: {
    short: 'Sending domain paused',
    long: 'Nothing is sent while the domain is paused. See the domain page for the reason.',
  },
  tenant_suspended: {
    short: 'Account suspended',
    long: 'Nothing is sent while the account is suspended. Contact the operator of this service.',
  },
  tls_policy: {
    short: 'TLS policy not met',
    long: 'The recipient’s domain asks for a verified TLS connection (MTA-STS or DANE), and its mail server could not be verified. Nothing of the message was sent. We retry at increasing intervals until the message expires; the attempts say what failed.',
  },
  brake: {
    short: 'Same-day brake',
    long: 'Too much of today’s mail of the sending domain bounced, was blocked or drew complaints. The message waits until 00:00 UTC, or until the brake is released on the domain page.',
  },
  sender_rules: {
    short: 'Sender rules',
    long: 'The sending domain has no DMARC record, and large providers refuse campaign mail above 5,000 a day without one. The message waits until 00:00 UTC, or until the record is found.',
  },
  provider_limit: {
    short: 'Mailbox provider’s limit',
    long: 'The recipient’s mailbox provider (Gmail, Outlook and the like) takes only so many connections and messages a minute, or asked us to pause. The message is sent when it is its turn.',
  },
  source_cap: {
    short: 'New address’s cap reached',
    long: 'The addresses that this message may leave from are new and have reached their warm-up cap for today. The message is sent after 00:00 UTC.',
  },
  suppressed: {
    short: 'Recipient suppressed',
    long: 'The address is on your suppression list, so the message was not sent.',
  },
};

/** A short text for a reason; unknown reasons are shown as they are. */
export function reasonWords(reason: string): string {
  return REASONS[reason]?.short ?? reason.replaceAll('_', ' ');
}

/** An explanation of a reason. */
export function reasonSentence(reason: string): string {
  const long = REASONS[reason]?.long.replace('00:00 UTC', utcHour(0));
  return long ?? `Reason: ${reason.replaceAll('_', ' ')}.`;
}

/** Every status of a message, for filters. */
export const MESSAGE_STATES = [
  'queued',
  'sending',
  'delivered',
  'deferred',
  'bounced',
  'expired',
  'dropped',
  'cancelled',
] as const;

/** What each status means. */
export const STATE_SENTENCES: Record<(typeof MESSAGE_STATES)[number], string> = {
  queued: 'Accepted and waiting to be sent.',
  sending: 'Being sent to the receiving server.',
  delivered:
    'Accepted by the receiving server. This does not show whether it is in the inbox or the spam folder.',
  deferred: 'Waiting for the next attempt.',
  bounced:
    'Bounced (permanent): the receiving server rejected it, or the domain of the address takes no mail. It is not tried again.',
  expired: 'No server accepted it in time.',
  dropped: 'Not sent.',
  cancelled: 'Cancelled before it was sent.',
};
