// Checks the promises of Postrider on the journal of a run: nothing else is asked, so a stored run can be audited again.

import type { Entry } from '../journal.ts';
import { checkAccepted } from './accepted.ts';
import { checkCap } from './cap.ts';
import { checkContent } from './content.ts';
import { checkEarly } from './early.ts';
import { checkEvents } from './events.ts';
import { readEvidence, type Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';
import { checkIdempotency } from './idempotency.ts';
import { checkInbound } from './inbound.ts';
import { checkOrder } from './order.ts';
import { checkQuota } from './quota.ts';
import { checkRateLimit } from './rate-limit.ts';
import { checkRepeats } from './repeats.ts';
import { checkSuppression } from './suppression.ts';
import { checkSystem } from './system.ts';
import { checkUnasked } from './unasked.ts';
import { checkWhole } from './whole.ts';
import { checkWhy } from './why.ts';

/** What is broken; nothing when every promise was kept. The entries are in the order of `t`. */
export function audit(entries: Entry[]): Finding[] {
  const evidence = readEvidence(entries);
  return [
    ...checkWhole(evidence),
    ...checkSettled(evidence),
    ...checkCap(evidence),
    ...checkAccepted(evidence),
    ...checkRepeats(evidence),
    ...checkUnasked(evidence),
    ...checkContent(evidence),
    ...checkEarly(evidence),
    ...checkSuppression(evidence),
    ...checkWhy(evidence),
    ...checkOrder(evidence),
    ...checkSystem(evidence),
    ...checkEvents(evidence),
    ...checkIdempotency(evidence),
    ...checkQuota(evidence),
    ...checkRateLimit(evidence),
    ...checkInbound(evidence),
  ];
}

// Without faults and load everything comes to rest; a run that does not has no end state to be judged.
function checkSettled({ phases }: Evidence): Finding[] {
  return phases
    .filter(({ settled }) => settled === false)
    .map(({ t }) => ({
      rule: 'settled',
      about: 'the run',
      what: 'mail was still moving when the time for it was over',
      t,
    }));
}
