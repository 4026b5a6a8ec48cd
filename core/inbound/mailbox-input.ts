// Mailboxes as callers write them.

import { z } from 'zod';

import { CONTROLS, filledLine } from '../base/text-input.ts';
import { ADDRESS_FORM, EVERY_ADDRESS_FORM } from '../mail/address-form.ts';

const MAX_ADDRESS_CHARS = 320; // bounds the input; what an address may be is said by mailboxes.ts
const MAX_NAME_CHARS = 200;

const NO_CONTROLS = new RegExp(`^[^${CONTROLS}]*$`);

const name = filledLine(MAX_NAME_CHARS);

/** The body of a create. */
export const newMailbox = z.strictObject({
  address: z
    .string()
    .regex(NO_CONTROLS, 'must not hold control characters')
    .trim()
    .max(MAX_ADDRESS_CHARS)
    .meta({ pattern: undefined, anyOf: [ADDRESS_FORM, EVERY_ADDRESS_FORM] }),
  name: name.nullable().default(null),
});

/** The body of a change: a name that is left out stays, null removes it. */
export const mailboxChange = z.strictObject({ name: name.nullable().optional() });

/** A checked create. */
export type NewMailbox = z.output<typeof newMailbox>;

/** A checked change. */
export type MailboxChange = z.output<typeof mailboxChange>;
