// Suppressions as callers write them.

import { z } from 'zod';

import { parseTypedAddress } from '../mail/address.ts';
import { ADDRESS_FORM } from '../mail/address-form.ts';

/** Why an address is suppressed. */
export const SUPPRESSION_REASONS = ['bounce', 'complaint', 'unsubscribe', 'manual'] as const;

/** Which mail an entry stops: all of it, or campaigns and mail with a way to unsubscribe. */
export const SUPPRESSION_STREAMS = ['all', 'bulk'] as const;

/** Entries of one call; the contract's number. */
export const MAX_BULK = 1_000;

/** Characters of an address that is looked for: 64 of the local part, the at, 255 of the domain (RFC 5321 4.5.3.1). */
export const MAX_ADDRESS_CHARS = 320;

const address = z
  .string()
  .transform((text, context): string => {
    const parsed = parseTypedAddress(text);
    if (parsed.ok) return parsed.address.email;
    context.addIssue({ code: 'custom', message: `is not an email address: ${parsed.reason}` });
    return z.NEVER;
  })
  .meta({ ...ADDRESS_FORM, examples: ['ann@example.net'] });

/** One of the reasons. */
export const suppressionReason = z.enum(SUPPRESSION_REASONS);

/** One of the streams. */
export const suppressionStream = z.enum(SUPPRESSION_STREAMS).meta({
  description:
    '`all`: no mail is sent to the address. `bulk`: campaigns and messages with an unsubscribe link or a ' +
    'List-Unsubscribe header are not sent; all other mail is',
});

/** The body of an addition: one address or many. */
export const newSuppressions = z
  .strictObject({
    email: address.optional(),
    emails: z.array(address).min(1).max(MAX_BULK).optional(),
    reason: suppressionReason.default('manual'),
    stream: suppressionStream
      .optional()
      .meta({ description: 'default: `bulk` with the reason `unsubscribe`, otherwise `all`' }),
  })
  .refine((body) => (body.email === undefined) !== (body.emails === undefined), {
    path: ['email'],
    message: 'is required: give either email or emails',
  })
  .meta({ oneOf: [{ required: ['email'] }, { required: ['emails'] }] });
