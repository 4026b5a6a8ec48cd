// From the answer to a suppression on, no transaction begins for its recipient. What had passed its last check by then
// may still come: the sender asks right before MAIL FROM.

import type { Evidence } from './evidence.ts';
import { overlaps, stops } from './fault.ts';
import type { Transaction } from './transactions.ts';
import type { Finding } from './finding.ts';

const CHECKED_BEFORE_MS = 1_000; // contract section 5: effective on any process within 1 s
const GOES_ON_MS = 2_000; // until a sender that stood still has written what it was about to write

/** No DATA for a recipient who was suppressed when its transaction began. */
export function checkSuppression(evidence: Evidence): Finding[] {
  return evidence.asked.flatMap(({ request, answer }) => {
    if (request.via !== 'suppression' || answer?.outcome !== 'taken') return [];
    return request.recipients.flatMap((recipient) =>
      (evidence.wire.get(recipient) ?? []).flatMap((one) => check(evidence, one, answer.t)),
    );
  });
}

function check({ faults }: Evidence, transaction: Transaction, suppressedAt: number): Finding[] {
  const { dataAt, rcpt, recipient, sender } = transaction;
  const began = rcpt?.t ?? dataAt;
  if (dataAt === null || began === null || began <= suppressedAt + CHECKED_BEFORE_MS) return [];
  // A sender that stood still between its check and RCPT, and went on right before it.
  const stoodStill = faults.some(
    (fault) =>
      fault.name !== 'kill' &&
      stops(fault, 'sender', sender) &&
      fault.from <= suppressedAt + CHECKED_BEFORE_MS &&
      overlaps(fault, began - GOES_ON_MS, began),
  );
  if (stoodStill) return [];
  const what = `got DATA ${Math.round(dataAt - suppressedAt)} ms after it was suppressed`;
  return [{ rule: 'suppression', about: recipient, what, t: dataAt }];
}
