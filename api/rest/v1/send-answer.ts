// What a send answers, for one message and for each of a batch.

import { z } from 'zod';

import { idView } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import type { Accepted, Decision } from '../../../core/message/submission.ts';

/** One recipient of several, with the statuses that can be there. */
export function recipientView<const T extends readonly string[]>(statuses: T) {
  return z.object({
    email: z.string(),
    id: idView('msg').meta({ description: 'of the message to this recipient' }),
    status: z.enum(statuses),
    reason: z.string().nullable(),
    deferred_until: z.iso.datetime().nullable(),
  });
}

const STATUSES = ['queued', 'deferred', 'dropped'] as const;

/** The answer for a message that was accepted. */
export const sendAnswer = z
  .object({
    id: idView('msg').meta({ examples: ['msg_01jd8x4z3kf5t8r9w2m6q7v0ab'] }),
    status: z.enum(STATUSES),
    reason: z.enum(['warmup_cap', 'suppressed', 'scheduled', 'esp_cap', 'brake', 'sender_rules']).nullable(),
    deferred_until: z.iso.datetime().nullable(),
    domain: z.string(),
    warmup: z.object({ tier: z.int(), cap: z.int(), used: z.int() }),
    recipients: z.array(recipientView(STATUSES)).optional().meta({
      description:
        'only with several recipients: each of them in the order of to, cc, bcc; the fields beside it are those of the first',
    }),
  })
  .meta({ id: 'SendAnswer', description: 'The decision on the message under the warm-up cap' });

/** The answer in the contract's words. */
export function toSendAnswer(accepted: Accepted): z.input<typeof sendAnswer> {
  const { domain, warmup, recipients } = accepted;
  return {
    ...toDecision(accepted),
    domain,
    warmup,
    ...(recipients && { recipients: recipients.map((one) => ({ email: one.email, ...toDecision(one) })) }),
  };
}

function toDecision({ id, status, reason, deferredUntil }: Decision) {
  return { id: toId('msg', id), status, reason, deferred_until: deferredUntil };
}
