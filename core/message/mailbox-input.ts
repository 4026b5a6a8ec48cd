// Mailboxes as callers give them: the one in From or Reply-To, and the recipients in to, cc and bcc.

import { z } from 'zod';

import { normalizeEmail, parseMailbox, type Address } from '../mail/address.ts';
import { MAILBOX_FORM } from '../mail/address-form.ts';

/** Addresses in to, cc and bcc together; the contract's number, and that of SES and Resend. */
export const MAX_RECIPIENTS = 50;

/** Recipients of ready-made mail with an envelope of its own, as SMTP has it (RFC 5321 section 4.5.3.1.8). */
export const MAX_ENVELOPE_RECIPIENTS = 100;

/** The fields that name recipients, in the order in which these are decided and answered. */
const ADDRESS_FIELDS = ['to', 'cc', 'bcc'] as const;

/** Where a recipient was named. */
export type AddressField = (typeof ADDRESS_FIELDS)[number];

/** A mailbox as it was written, with the address in it. */
export interface MailboxInput {
  /** `address` or `Name <address>`, trimmed. */
  text: string;
  address: Address;
}

/** One recipient of a message. */
export interface RecipientInput extends MailboxInput {
  field: AddressField;
  /** The normalized address: no two recipients of a message share it. */
  key: string;
}

/** One mailbox. */
export const mailbox = z
  .string()
  .transform((text, context): MailboxInput => {
    const parsed = parseMailbox(text);
    if (parsed.ok) return { text: text.trim(), address: parsed.address };
    context.addIssue({ code: 'custom', message: `is not a mailbox: ${parsed.reason}` });
    return z.NEVER;
  })
  .meta({
    ...MAILBOX_FORM,
    description: '`address` or `Name <address>`',
    examples: ['Shop <orders@example.com>'],
  });

const EXAMPLES = ['ann@example.com', ['Ann <ann@example.com>', 'bob@example.com']];

/** The recipients of one field: one mailbox, or a list of at most so many. */
export const mailboxList = (max: number) =>
  addressList(max, {
    over: tooMany(max),
    description:
      'one address or a list, each `address` or `Name <address>`; at most ' +
      `${max} in \`to\`, \`cc\` and \`bcc\` together`,
  });

/** Addresses in Reply-To; the contract's number. */
const MAX_REPLY_TO = 10;

/** The addresses that replies go to: one, or a list. */
export const replyToList = addressList(MAX_REPLY_TO, {
  over: `must be at most ${MAX_REPLY_TO} addresses`,
  description: `where replies go: one address or a list of at most ${MAX_REPLY_TO}, each \`address\` or \`Name <address>\``,
});

function addressList(max: number, { over, description }: { over: string; description: string }) {
  return z
    .union([z.string(), z.array(z.unknown())], {
      error: ({ input }) =>
        input === undefined ? 'is required' : 'must be an address or a list of addresses',
    })
    .transform((given, context): MailboxInput[] => {
      const list = typeof given === 'string' ? [given] : given;
      if (list.length > max) context.addIssue({ code: 'custom', message: over });
      return list.slice(0, max).flatMap((one, i): MailboxInput[] => {
        const read = readMailbox(one);
        if (typeof read !== 'string') return [read];
        context.addIssue({ code: 'custom', message: read, path: typeof given === 'string' ? [] : [i] });
        return [];
      });
    })
    .meta({
      description,
      examples: EXAMPLES,
      anyOf: [MAILBOX_FORM, { type: 'array', items: MAILBOX_FORM, maxItems: max }],
    });
}

/** What is said of more addresses than a message may have. */
export function tooMany(max: number): string {
  return `must be at most ${max} addresses, with all of to, cc and bcc`;
}

/** The recipients of a message: those of to, then cc, then bcc, an address that is named again only once. */
export function toRecipients(given: {
  [field in AddressField]?: MailboxInput[] | undefined;
}): RecipientInput[] {
  const all = new Map<string, RecipientInput>();
  for (const field of ADDRESS_FIELDS) {
    for (const { text, address } of given[field] ?? []) {
      const key = normalizeEmail(address);
      if (!all.has(key)) all.set(key, { text, address, field, key });
    }
  }
  return [...all.values()];
}

/**
 * How many recipients an unchecked body names, for the rate limit: at least 1, and 1 for a body that is refused.
 * Never throws.
 */
export function countRecipients(raw: unknown): number {
  if (typeof raw !== 'object' || raw === null) return 1;
  const named = ADDRESS_FIELDS.map((field) => (raw as Record<string, unknown>)[field]);
  if (typeof named[0] === 'string' && named[1] === undefined && named[2] === undefined) return 1;
  const list = named.flat().filter((one) => one !== undefined);
  if (list.length > MAX_RECIPIENTS) return 1;
  const read = list.map(readMailbox).filter((one) => typeof one !== 'string');
  return Math.max(1, toRecipients({ to: read }).length);
}

function readMailbox(given: unknown): MailboxInput | string {
  if (typeof given !== 'string') return 'must be one address (a string)';
  const parsed = parseMailbox(given);
  if (parsed.ok) return { text: given.trim(), address: parsed.address };
  const several = given.includes(',') ? '; give several as a list' : '';
  return `is not an email address: ${parsed.reason}${several}`;
}
