// Why mail waits, as people say it.

const REASONS: Record<string, { short: string; long: string }> = {
  warmup_cap: {
    short: 'Warm-up cap of the day is used up',
    long: 'The sending domain has sent what its warm-up allows today. It goes out after midnight UTC.',
  },
  scheduled: { short: 'Scheduled for later', long: 'It was sent with a time, and goes out then.' },
  remote_4xx: {
    short: 'The receiving server asked to try again',
    long: 'The receiving server said "not now". We try again with growing pauses for up to 72 hours.',
  },
  network: {
    short: 'The receiving server could not be reached',
    long: 'No connection could be made. We try again with growing pauses for up to 72 hours.',
  },
  esp_cap: {
    short: 'The route has no room left today',
    long: 'The route that must carry this message has used its share of the day. It goes out after midnight UTC.',
  },
  domain_paused: {
    short: 'The sending domain is paused',
    long: 'Nothing leaves while the domain is paused. Look at the domain for the reason.',
  },
  suppressed: {
    short: 'The recipient is suppressed',
    long: 'The address is on your suppression list, so nothing was sent.',
  },
};

/** A few words for a reason; one that is not known as it is. */
export function reasonWords(reason: string): string {
  return REASONS[reason]?.short ?? reason.replaceAll('_', ' ');
}

/** A sentence or two for a reason. */
export function reasonSentence(reason: string): string {
  return REASONS[reason]?.long ?? `It waits: ${reason.replaceAll('_', ' ')}.`;
}

/** Every state of a message, for filters. */
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

/** What a state means. */
export const STATE_SENTENCES: Record<(typeof MESSAGE_STATES)[number], string> = {
  queued: 'Accepted, and about to be sent.',
  sending: 'Being handed to the receiving server right now.',
  delivered:
    'The receiving server took it. Whether it shows it in the inbox or elsewhere, no sender can see.',
  deferred: 'It waits for a later try.',
  bounced: 'The receiving server refused it for good.',
  expired: 'No server took it within 72 hours, so we gave up.',
  dropped: 'It was not sent.',
  cancelled: 'It was cancelled before it was sent.',
};
