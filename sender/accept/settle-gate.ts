// Last step of accepting, after COMMIT: the counters in Redis follow what PostgreSQL decided.

import type { Asked } from './ask-gate.ts';
import type { Decided } from './decided.ts';
import type { Gate } from './gate/gate.ts';

/**
 * Refunds admissions of Redis that the decisions did not use, and where the fast check and the authoritative one
 * disagreed sets Redis to what PostgreSQL counts.
 */
export async function settleGate(gate: Gate, asked: Asked[], decided: Decided): Promise<void> {
  await Promise.all(
    asked.map(async ({ request, allowed }) => {
      if (allowed === null) return;
      const day = decided.days.get(request.domainId);
      if (day && decided.disagreements.has(request.domainId)) return gate.correct(request, day);
      const unused = request.items.filter((item) => allowed.has(item.id) && !decided.admitted.has(item.id));
      if (unused.length > 0) await gate.refund(request, unused);
    }),
  );
}
