// Mail that was answered with 2xx is known for ever, and each contact of a campaign has a message. What becomes of them is
// in ends.ts.

import type { Asked } from './asked.ts';
import { checkEnds } from './ends.ts';
import type { Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';

/** Every accepted message has an end, or a time at which it goes on. */
export function checkAccepted(evidence: Evidence): Finding[] {
  if (evidence.messages.size === 0 && !evidence.phases.some(({ phase }) => phase === 'read')) return [];
  const lost = evidence.asked.flatMap(({ answer }) =>
    (answer?.taken ?? []).flatMap((one) => isLost(evidence, one)),
  );
  const forgotten = evidence.asked.flatMap((asked) => forgottenContacts(evidence, asked));
  return [...lost, ...forgotten, ...checkEnds(evidence)];
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

function finding(about: string, what: string, t: number | null): Finding {
  return { rule: 'accepted', about, what, t };
}
