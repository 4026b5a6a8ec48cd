// What callers say to send a message again.

import { z } from 'zod';

import { mailbox } from './mailbox-input.ts';

/** The body of POST /transactional/{id}/resend. */
export const againInput = z.strictObject({
  to: mailbox
    .optional()
    .meta({ description: 'instead of its recipient: `address` or `Name <address>`, to look at it there' }),
});
