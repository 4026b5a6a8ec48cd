// Mail that was answered with 2xx has one end: delivered to a receiver that said 2xx, another terminal state, or a wait
// with a reason and a time ahead.

import type { MessageRead } from '../journal.ts';
import type { Asked, Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';
import { saidYes } from './reply.ts';

const LATE_MS = 15_000; // a time that has just come: the release and the delivery poll every second, under load

/** Every accepted message has an end, or a time at which it goes on. */
export function checkAccepted(evidence: Evidence): Finding[] {
  if (evidence.messages.size === 0 && !evidence.phases.some(({ phase }) => phase === 'read')) return [];
  const lost = evidence.asked.flatMap(({ answer }) =>
    (answer?.taken ?? []).flatMap((one) => isLost(evidence, one)),
  );
  const forgotten = evidence.asked.flatMap((asked) => forgottenContacts(evidence, asked));
  const stuck = [...evidence.messages.values()].flatMap((message) => endOf(evidence, message));
  return [...lost, ...forgotten, ...stuck];
}

// What a receiver has is not lost, whatever the API forgot; the record of it is a matter of the rule `events`.
function isLost(evidence: Evidence, { id, recipient }: { id: string; recipient: string }): Finding[] {
  if (id === '' || evidence.messages.has(id)) return [];
  return [finding(recipient, `${id} was accepted, and the API does not know it any more`, null)];
}

// Each contact of a launched campaign has a message, if only a dropped one.
function forgottenContacts({ messagesTo }: Evidence, { request, answer }: Asked): Finding[] {
  if (request.via !== 'campaign' || answer?.outcome !== 'taken') return [];
  return request.recipients
    .filter((recipient) => !messagesTo.has(recipient))
    .map((recipient) =>
      finding(recipient, `the campaign ${answer.campaign ?? ''} has no message for this contact`, null),
    );
}

function endOf(evidence: Evidence, message: MessageRead & { t: number }): Finding[] {
  const { id, recipient, status, t } = message;
  switch (status) {
    case 'delivered': {
      const delivered = (evidence.wire.get(recipient) ?? []).some(
        ({ dot, verdict }) => dot !== null && saidYes(verdict),
      );
      return delivered ? [] : [finding(recipient, `${id} is delivered, and no receiver said 2xx to it`, t)];
    }
    case 'bounced':
    case 'expired':
    case 'dropped':
    case 'cancelled':
      return [];
    case 'deferred':
      return waits(evidence, message);
    default:
      return [finding(recipient, `${id} is still ${status} when the run had settled`, t)];
  }
}

function waits(
  { clock }: Evidence,
  { id, recipient, deferReason, reason, deferredUntil, t }: MessageRead & { t: number },
): Finding[] {
  const why = deferReason ?? reason;
  if (why === null) return [finding(recipient, `${id} waits without a reason`, t)];
  if (deferredUntil === null) return [finding(recipient, `${id} waits (${why}) without a time`, t)];
  const late = clock.at(t) - Date.parse(deferredUntil);
  if (late <= LATE_MS) return [];
  return [
    finding(
      recipient,
      `${id} waits (${why}) for ${deferredUntil}, which was ${Math.round(late / 1000)} s ago`,
      t,
    ),
  ];
}

function finding(about: string, what: string, t: number | null): Finding {
  return { rule: 'accepted', about, what, t };
}
