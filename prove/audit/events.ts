// A follower of events sees each once, none is missing and none invented: what it followed is what the API lists at the
// end, and what receivers said is among it.

import type { EventSeen } from '../journal.ts';
import type { Evidence } from './evidence.ts';
import { addTo } from './evidence.ts';
import type { Finding } from './finding.ts';
import { saidYes } from './reply.ts';

type Seen = EventSeen & { t: number };

/** The types that end a message's delivery. Complaints, opens and later bounces may follow. */
const ENDS = new Set(['delivered', 'dropped', 'cancelled', 'expired']);

/** Followed = happened: by id against the list, and by message against the wire. */
export function checkEvents(evidence: Evidence): Finding[] {
  if (evidence.followed.length === 0) return [];
  const byMessage = new Map<string, Seen[]>();
  for (const event of evidence.followed) addTo(byMessage, event.message, event);
  return [
    ...twice(evidence.followed),
    ...unlike(evidence),
    ...[...byMessage.values()].flatMap(outOfOrder),
    ...againstWire(evidence, byMessage),
  ];
}

function twice(followed: Seen[]): Finding[] {
  const seen = new Set<string>();
  return followed.flatMap((event) => {
    if (seen.has(event.id)) return [finding(event, `${event.id} (${event.type}) was followed twice`)];
    seen.add(event.id);
    return [];
  });
}

function unlike({ followed, listed }: Evidence): Finding[] {
  const types = new Set(listed.map(({ type }) => type));
  const followedIds = new Set(followed.map(({ id }) => id));
  const listedIds = new Set(listed.map(({ id }) => id));
  const missing = listed.filter(({ id }) => !followedIds.has(id));
  const invented = followed.filter(({ id, type }) => types.has(type) && !listedIds.has(id));
  return [
    ...missing.map((event) => finding(event, `${event.id} (${event.type}) happened and was never followed`)),
    ...invented.map((event) => finding(event, `${event.id} (${event.type}) was followed and is not listed`)),
  ];
}

function outOfOrder(events: Seen[]): Finding[] {
  const end = events.findIndex(({ type }) => ENDS.has(type));
  const late =
    end < 0
      ? undefined
      : events
          .slice(end + 1)
          .find(({ type }) => type === 'deferred' || type === 'accepted' || ENDS.has(type));
  return late
    ? [finding(late, `${late.message} was followed as ${late.type} after it was ${events[end]!.type}`)]
    : [];
}

function againstWire({ messages, wire }: Evidence, byMessage: Map<string, Seen[]>): Finding[] {
  return [...messages.values()].flatMap((message): Finding[] => {
    const events = byMessage.get(message.id) ?? [];
    const delivered = events.filter(({ type }) => type === 'delivered').length;
    const said =
      wire.get(message.recipient)?.some(({ dot, verdict }) => dot !== null && saidYes(verdict)) ?? false;
    const about = message.recipient;
    if (delivered > 0 && !said)
      return [
        {
          rule: 'events',
          about,
          what: `${message.id}: an event says delivered, and no receiver said 2xx`,
          t: message.t,
        },
      ];
    const expected = message.status === 'delivered' ? 1 : 0;
    if (message.status === 'delivered' && delivered !== expected)
      return [
        {
          rule: 'events',
          about,
          what: `${message.id} is delivered, and was followed so ${delivered} times`,
          t: message.t,
        },
      ];
    return [];
  });
}

function finding(event: Seen, what: string): Finding {
  return { rule: 'events', about: event.recipient, what, t: event.t };
}
