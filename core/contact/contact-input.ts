// Contacts as callers write them. One schema for a create, a change and each contact of a JSON import.

import { z } from 'zod';

import { idInput } from '../base/id-input.ts';
import { filledLine, line } from '../base/text-input.ts';
import { parseTypedAddress, type Address } from '../mail/address.ts';
import { ADDRESS_FORM } from '../mail/address-form.ts';
import {
  attributesProblem,
  documentedAttributes,
  MAX_LISTS,
  MAX_NAME_CHARS,
  MAX_TAG_CHARS,
  MAX_TAGS,
} from './contact.ts';

const email = z
  .string()
  .transform((text, context): Address => {
    const parsed = parseTypedAddress(text);
    if (parsed.ok) return parsed.address;
    context.addIssue({ code: 'custom', message: `is not an email address: ${parsed.reason}` });
    return z.NEVER;
  })
  .meta({ ...ADDRESS_FORM, examples: ['ann@example.net'] });

const personName = line(MAX_NAME_CHARS)
  .transform((text) => (text === '' ? null : text))
  .nullable();

const attributes = z
  .unknown()
  .transform((given, context): Record<string, unknown> => {
    const problem = attributesProblem(given);
    if (problem === null) return given as Record<string, unknown>;
    context.addIssue({ code: 'custom', message: problem });
    return z.NEVER;
  })
  .meta({
    documentedAs: documentedAttributes,
    description: 'custom fields; available as template variables in campaigns',
  });

const tags = z
  .array(filledLine(MAX_TAG_CHARS))
  .max(MAX_TAGS)
  .transform((given) => [...new Set(given)]);

const lists = z
  .array(idInput('lst', 'is not a list id (lst_…)'))
  .max(MAX_LISTS)
  .transform((given) => [...new Set(given)])
  .meta({ description: 'ids of the lists that the contact is on' });

const status = z.enum(['subscribed', 'unsubscribed']);

/** One contact of a JSON import: everything but lists. */
export const importedContact = z.strictObject({
  email,
  first_name: personName.optional(),
  last_name: personName.optional(),
  attributes: attributes.optional(),
  tags: tags.optional(),
  status: status.optional(),
});

/** The body of a create. */
export const newContact = importedContact
  .extend({ lists: lists.optional() })
  .meta({ id: 'ContactCreate', description: 'A person; the address is compared without letter case' });

/** The body of a change: only what is named changes; `attributes`, `tags` and `lists` are replaced as a whole. */
export const contactChange = newContact.partial().meta({ id: 'ContactChange' });

/** The body of a list's create or change. */
export const contactListInput = z.strictObject({ name: filledLine(MAX_NAME_CHARS) });

/** A checked create. */
export type NewContact = z.output<typeof newContact>;

/** A checked change. */
export type ContactChange = z.output<typeof contactChange>;
