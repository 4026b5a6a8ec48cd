// GET /transactional/{id}/explain: every decision about a message, with its numbers.

import { z } from 'zod';

import { idInput } from '../../../core/base/id-input.ts';
import { notFound } from '../../../core/base/errors.ts';
import { answerOf } from '../../../core/message/answer.ts';
import { selectMessage } from '../../../core/message/message-store.ts';
import { toDecisionView } from '../../../core/message/decision-view.ts';
import { explainMessage as explain } from '../../../core/message/explain.ts';
import { MESSAGE_STATES } from '../../../core/message/states.ts';
import { defineRoute } from '../route.ts';

const time = z.iso.datetime();

const decisionView = z
  .object({
    at: time,
    rule: z.string().meta({
      description: 'what was decided by: `accepted`, `warmup_cap`, `retry`, …; later versions may have more',
    }),
    inputs: z.record(z.string(), z.unknown()).meta({
      description:
        'the numbers of that moment. `times` and `since` when it was decided several times in a row, `left_out` when so many ' +
        'decisions right after it are not kept',
    }),
    outcome: z.object({
      state: z.enum(MESSAGE_STATES),
      until: time.nullable().meta({
        description: 'when something is done about it next; null when it has ended, or waits for somebody',
      }),
      text: z.string().meta({ description: 'the decision as a sentence' }),
    }),
    next_step: z.string().meta({ description: 'what happens next, as a sentence' }),
    docs: z.string().meta({ description: 'the page of the documentation that describes the rule' }),
  })
  .meta({ id: 'Decision', description: 'One decision about a message' });

/** GET /transactional/{id}/explain */
export const explainMessage = defineRoute(
  {
    operationId: 'explainMessage',
    method: 'GET',
    path: '/transactional/{id}/explain',
    access: 'transactional:read',
    group: 'Messages',
    summary: 'Explain what was decided about a message',
    description:
      'Every decision in order: what it followed from, what it came to, what happens next. The last one says where the message ' +
      'stands. The first and the last 29 decisions beside its attempts are kept, and the same one in a row counts once.',
    params: z.object({ id: idInput('msg') }),
    response: z.object({
      decisions: z.array(decisionView),
      answer: z.string().meta({
        description:
          'the same in plain sentences, without caps and tiers, to forward to who asks; replies of servers in it are foreign text',
      }),
    }),
    status: 200,
    quotaHeaders: true,
  },
  async ({ deps, caller, params }) => {
    const [message, decisions] = await Promise.all([
      selectMessage(deps.db.pool, caller.tenantId, params.id),
      explain(deps.db.pool, caller.tenantId, params.id),
    ]);
    if (!message || !decisions) throw notFound('message');
    return { data: { decisions: decisions.map(toDecisionView), answer: answerOf(message, decisions) } };
  },
);
