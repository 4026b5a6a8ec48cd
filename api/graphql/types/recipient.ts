// One recipient of several, in the answer to `sendMessage` and in a message that was read.

import { toId } from '../../../core/base/ids.ts';
import { MAX_RECIPIENTS } from '../../../core/message/mailbox-input.ts';
import type { Builder } from '../builder.ts';

/** What a list of them costs: reckoned as short as other lists, one request read 55,000 of them (2 s of a core). */
export const RECIPIENTS_COST = { field: 1, multiplier: MAX_RECIPIENTS };

/** What the type shows. */
export interface ShownRecipient {
  email: string;
  /** UUID of the message. */
  id: string;
  status: string;
  reason: string | null;
  deferredUntil: Date | null;
}

/** Adds Recipient. */
export function addRecipient(builder: Builder) {
  return builder.objectRef<ShownRecipient>('Recipient').implement({
    description: 'One recipient of several, each with a message of its own',
    fields: (t) => ({
      email: t.exposeString('email'),
      id: t.id({ description: 'of the message to this recipient', resolve: ({ id }) => toId('msg', id) }),
      status: t.exposeString('status', { description: 'as of the message' }),
      reason: t.exposeString('reason', { nullable: true }),
      deferredUntil: t.expose('deferredUntil', { type: 'DateTime', nullable: true }),
    }),
  });
}
