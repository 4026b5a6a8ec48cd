// What a send answers, for one message and for each of a batch.

import { z } from 'zod';

import { toId } from '../../../core/base/ids.ts';
import type { Accepted } from '../../../core/message/submission.ts';

/** The answer for a message that was accepted. */
export const sendAnswer = z
  .object({
    id: z.string().meta({ examples: ['msg_01jd8x4z3kf5t8r9w2m6q7v0ab'] }),
    status: z.enum(['queued', 'deferred', 'dropped']),
    reason: z.enum(['warmup_cap', 'suppressed', 'scheduled', 'esp_cap']).nullable(),
    deferred_until: z.iso.datetime().nullable(),
    domain: z.string(),
    warmup: z.object({ tier: z.int(), cap: z.int(), used: z.int() }),
  })
  .meta({ id: 'SendAnswer', description: 'The decision on the message under the warm-up cap' });

/** The answer in the contract's words. */
export function toSendAnswer(accepted: Accepted): z.input<typeof sendAnswer> {
  return {
    id: toId('msg', accepted.id),
    status: accepted.status,
    reason: accepted.reason,
    deferred_until: accepted.deferredUntil,
    domain: accepted.domain,
    warmup: accepted.warmup,
  };
}
