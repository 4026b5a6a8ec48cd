// Mailboxes as callers write them.

import { z } from 'zod';

const MAX_ADDRESS_CHARS = 320; // bounds the input; what an address may be is said by mailboxes.ts
const MAX_NAME_CHARS = 200;

// oxlint-disable-next-line no-control-regex -- controls are what is refused
const NO_CONTROLS = /^[^\x00-\x1f\x7f]*$/;

const name = z.string().min(1).max(MAX_NAME_CHARS).regex(NO_CONTROLS, 'must not hold control characters');

/** The body of a create. */
export const newMailbox = z.strictObject({
  address: z.string().regex(NO_CONTROLS, 'must not hold control characters').trim().max(MAX_ADDRESS_CHARS),
  name: name.nullable().default(null),
});

/** The body of a change: a name that is left out stays, null removes it. */
export const mailboxChange = z.strictObject({ name: name.nullable().optional() });

/** A checked create. */
export type NewMailbox = z.output<typeof newMailbox>;

/** A checked change. */
export type MailboxChange = z.output<typeof mailboxChange>;
