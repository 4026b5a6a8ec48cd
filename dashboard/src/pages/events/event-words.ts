// What an event says, in words. All of `data` comes from strangers (mail servers, browsers, reports): it is only ever
// shown as text, and anything may be missing.

/** Kinds that the feed can be asked for, with their names. */
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

/** A kind of the feed. */
export type EventType = (typeof EVENT_TYPES)[number]['value'];

/** All kinds. */
export const ALL_EVENT_TYPES: readonly EventType[] = EVENT_TYPES.map(({ value }) => value);

/** A sentence for an event of a message's timeline or of the feed. */
export function eventSentence(type: string, data: unknown): string {
  const text = reader(data);
  switch (type) {
    case 'accepted':
      return 'Accepted from you.';
    case 'delivered':
      return join('The receiving server took it', text('mx') && `(${text('mx')})`, reply(text));
    case 'deferred':
      return join('Put off', text('reason') && `because of ${words(text('reason'))}`, reply(text));
    case 'bounce':
    case 'bounced':
      return bounceSentence(text);
    case 'dropped':
      return join('Not sent', text('reason') && `because of ${words(text('reason'))}`);
    case 'cancelled':
      return 'Cancelled before it was sent.';
    case 'expired':
      return join('Given up after 72 hours of trying', reply(text));
    case 'open':
      return join(text('machine_open') === 'true' ? 'Opened by a program' : 'Opened', agent(text));
    case 'click':
      return join(
        text('machine_click') === 'true' ? 'A program followed a link' : 'Clicked',
        text('url'),
        agent(text),
      );
    case 'complaint':
      return join('The recipient reported it', text('feedback_type') && `as ${words(text('feedback_type'))}`);
    case 'unsubscribe':
      return 'The recipient unsubscribed and is suppressed from now on.';
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
  const kind = text('kind') === 'soft' ? 'Refused for now' : 'Refused for good';
  const source = text('source') === 'dsn' ? 'by a report that came back later' : '';
  return join(kind, text('class') && `(${words(text('class'))})`, source, reply(text));
}

// What the other side said, from whichever fields there are.
function reply(text: Read): string {
  const said = text('diagnostic') || text('reply');
  const codes = [text('smtp_code'), text('enhanced_code')].filter((code) => code !== '').join(' ');
  const line = said.startsWith(text('smtp_code')) && said !== '' ? said : `${codes} ${said}`.trim();
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
  return parts.filter(Boolean).join(' ').replaceAll(' : ', ': ');
}
