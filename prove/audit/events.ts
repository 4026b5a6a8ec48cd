// A follower of events sees each once, none is missing and none invented: what it followed is what the API lists at the
// end, and it is what receivers said. The order between messages is that of commits, which nobody outside can see; the
// events of one message come in order.

import type { EventSeen, MessageRead } from '../facts/reads.ts';
import { addTo } from './by-key.ts';
import type { Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';
import { mayBeUnrecorded } from './recorded.ts';
import { saidFirstDigit, saidYes } from './reply.ts';

type Seen = EventSeen & { t: number };

/** The event that ends a message, by its status. A delivered one may bounce, be opened or complained of later. */
const ENDS: Record<string, string> = {
  delivered: 'delivered',
  bounced: 'bounce',
  dropped: 'dropped',
  expired: 'expired',
  cancelled: 'cancelled',
};
const END_TYPES = new Set(Object.values(ENDS));
const BEHIND_MS = 5_000; // contract section 12: a follower is behind the commit by less than 2 s

/** Followed = happened: by id against the list, and by message against its end and the wire. */
export function checkEvents(evidence: Evidence): Finding[] {
  const read = evidence.phases.find(({ phase }) => phase === 'read');
  const end = evidence.phases.find(({ phase }) => phase === 'end');
  if (!read || !end) return [];
  const byMessage = new Map<string, Seen[]>();
  for (const event of evidence.followed) addTo(byMessage, event.message, event);
  return [
    ...twice(evidence.followed),
    ...missing(evidence, end.t),
    ...invented(evidence, read.t),
    ...[...byMessage.values()].flatMap(outOfOrder),
    ...[...evidence.messages.values()].flatMap((one) => ended(one, byMessage.get(one.id) ?? [])),
    ...againstWire(evidence, read.t),
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

// What happened right before the followers stopped may not have reached them.
function missing({ clock, followed, listed }: Evidence, stoppedAt: number): Finding[] {
  const followedIds = new Set(followed.map(({ id }) => id));
  const last = clock.at(stoppedAt) - BEHIND_MS;
  return listed
    .filter(({ id, occurredAt }) => !followedIds.has(id) && Date.parse(occurredAt) <= last)
    .map((event) => finding(event, `${event.id} (${event.type}) happened and was never followed`));
}

// What was followed before the list of its tenant was read is in it.
function invented({ followed, listed }: Evidence, readFrom: number): Finding[] {
  const listedIds = new Set<string>();
  const listedFrom = new Map<string, number>();
  for (const { id, tenant, t } of listed) {
    listedIds.add(id);
    if (!listedFrom.has(tenant)) listedFrom.set(tenant, t);
  }
  return followed
    .filter(({ id, tenant, t }) => t < (listedFrom.get(tenant) ?? readFrom) && !listedIds.has(id))
    .map((event) => finding(event, `${event.id} (${event.type}) was followed and is not listed`));
}

function outOfOrder(events: Seen[]): Finding[] {
  const end = events.findIndex(({ type }) => END_TYPES.has(type));
  if (end < 0) return [];
  const late = events
    .slice(end + 1)
    .find(({ type }) => type === 'deferred' || (END_TYPES.has(type) && type !== 'bounce'));
  if (!late) return [];
  return [finding(late, `${late.message} was followed as ${late.type} after it was ${events[end]!.type}`)];
}

function ended({ id, recipient, status, t }: MessageRead & { t: number }, events: Seen[]): Finding[] {
  const end = ENDS[status];
  if (end === undefined) return [];
  const times = events.filter(({ type }) => type === end).length;
  if (times === 1) return [];
  return [
    { rule: 'events', about: recipient, what: `${id} is ${status}, and was followed so ${times} times`, t },
  ];
}

// No event says delivered without a 2xx, and each refusal has its event (the last one before the age limit is `expired`): a
// fault may have eaten its record.
function againstWire(evidence: Evidence, readFrom: number): Finding[] {
  const byRecipient = new Map<string, Seen[]>();
  for (const event of evidence.followed) addTo(byRecipient, event.recipient, event);
  const recipients = new Set([...byRecipient.keys(), ...evidence.wire.keys()]);
  return [...recipients].flatMap((recipient) => {
    const all = evidence.wire.get(recipient) ?? [];
    const events = byRecipient.get(recipient) ?? [];
    const count = (type: string) => events.filter((one) => one.type === type).length;
    const yes = all.filter(({ dot, verdict }) => dot !== null && saidYes(verdict));
    const refused = (digit: '4' | '5') =>
      all.filter(
        (one) =>
          saidFirstDigit(one, digit) && (one.rcpt?.t ?? 0) < readFrom && !mayBeUnrecorded(evidence, one),
      ).length;
    const told = (what: string): Finding[] => [{ rule: 'events', about: recipient, what, t: null }];
    const delivered = count('delivered');
    const taken = new Set(yes.map(({ dot }) => dot!.messageId)).size;
    const [later, never] = [refused('4'), refused('5')];
    return [
      ...(delivered > taken
        ? told(`${delivered} events say delivered, and receivers said 2xx to ${taken}`)
        : []),
      ...(later > count('deferred') + count('expired')
        ? told(`receivers said 4xx ${later} times, and ${count('deferred')} events say deferred`)
        : []),
      ...(never > count('bounce')
        ? told(`receivers said 5xx ${never} times, and ${count('bounce')} events say bounce`)
        : []),
    ];
  });
}

function finding(event: Seen, what: string): Finding {
  return { rule: 'events', about: event.recipient, what, t: event.t };
}
