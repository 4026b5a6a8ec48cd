// Sentences for events. `data` comes from untrusted sources (mail servers, browsers, reports): it is only shown as
// text, and any field may be missing.

import { reasonWords } from '../messages/waiting-words.ts';

/** The event types of the feed, with their labels. */
export const EVENT_TYPES = [
  { value: 'delivered', label: 'Delivered' },
  { value: 'bounce', label: 'Bounces' },
  { value: 'complaint', label: 'Complaints' },
  { value: 'deferred', label: 'Deferred' },
  { value: 'dropped', label: 'Dropped' },
  { value: 'open', label: 'Opens' },
  { value: 'click', label: 'Clicks' },
  { value: 'unsubscribe', label: 'Unsubscribes' },
] as const;

/** An event type of the feed. */
export type EventType = (typeof EVENT_TYPES)[number]['value'];

/** All event types of the feed. */
export const ALL_EVENT_TYPES: readonly EventType[] = EVENT_TYPES.map(({ value }) => value);

/** A sentence for an event of a message's timeline or of the feed. */
export function eventSentence(type: string, data: unknown): string {
  const text = reader(data);
  switch (type) {
    case 'accepted':
      return 'Accepted for delivery.';
    case 'delivered':
      return join('Accepted by', text('mx') || 'the receiving server', reply(text));
    case 'deferred':
      return join('Deferred', text('reason') && `: ${reasonWords(text('reason'))}`, reply(text));
    case 'bounce':
    case 'bounced':
      return bounceSentence(text);
    case 'dropped':
      return join('Not sent', text('reason') && `: ${reasonWords(text('reason'))}`);
    case 'cancelled':
      return 'Cancelled before it was sent.';
    case 'expired':
      return join('Expired: no server accepted it in time', reply(text));
    case 'open':
      return join(text('machine_open') === 'true' ? 'Opened by a machine' : 'Opened', agent(text));
    case 'click':
      return join(
        text('machine_click') === 'true' ? 'Clicked by a machine' : 'Clicked',
        text('url'),
        agent(text),
      );
    case 'complaint':
      return join('Reported by the recipient', text('feedback_type') && `as ${words(text('feedback_type'))}`);
    case 'unsubscribe':
      return 'Unsubscribed. The recipient gets no more campaigns and no mail with an unsubscribe link.';
    default:
      return words(type);
  }
}

type Read = (name: string) => string;

function reader(data: unknown): Read {
  const fields = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
  return (name) => {
    const value = fields[name];
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : '';
  };
}

function bounceSentence(text: Read): string {
  const kind = text('kind') === 'soft' ? 'Bounced (temporary)' : 'Bounced (permanent)';
  const source = text('source') === 'dsn' ? 'reported by a delivery status notification' : '';
  return join(kind, text('class') && `: ${words(text('class'))}`, source && `, ${source}`, reply(text));
}

// The server's reply, from the fields that are present.
function reply(text: Read): string {
  const answer = text('diagnostic') || text('reply');
  const codes = [text('smtp_code'), text('enhanced_code')].filter((code) => code !== '').join(' ');
  const line = answer.startsWith(text('smtp_code')) && answer !== '' ? answer : `${codes} ${answer}`.trim();
  return line === '' ? '' : `: ${line}`;
}

function agent(text: Read): string {
  const seen = [text('ip') && `from ${text('ip')}`, text('user_agent') && `with ${text('user_agent')}`];
  return seen.filter(Boolean).join(' ');
}

function words(text: string): string {
  return text.replaceAll('_', ' ');
}

function join(...parts: string[]): string {
  return parts
    .filter(Boolean)
    .join(' ')
    .replaceAll(/ ([:,]) /g, '$1 ');
}
