// Last step of accepting, after COMMIT: Redis is told what became of what it gave.

import type { Asked } from './ask-gate.ts';
import type { Decided } from './decide.ts';
import type { Gate } from './gate/gate.ts';

/**
 * After COMMIT: slots that Redis gave and the decisions did not use go back, and where the two walls disagreed Redis
 * is told what PostgreSQL counts.
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
