// Contacts as Resend's clients write them. `properties` are attributes of ours, `unsubscribed` is our status.

import { z } from 'zod';

import { checkValue, type Checked } from '../../../core/base/field-problems.ts';
import {
  contactChange,
  newContact,
  type ContactChange,
  type NewContact,
} from '../../../core/contact/contact-input.ts';
import { MAX_ATTRIBUTES, MAX_LISTS } from '../../../core/contact/contact.ts';
import type { BodySpec } from '../../endpoint.ts';
import { DEFAULT_BODY_BYTES } from '../../read-body.ts';
import { boundedList, boundedRecord } from '../bounded-json.ts';

const changed = z.object({
  first_name: z.unknown().optional(),
  last_name: z.unknown().optional(),
  unsubscribed: z.boolean().nullish(),
  properties: boundedRecord(z.unknown(), MAX_ATTRIBUTES).nullish(),
});

const created = changed.extend({
  email: z.unknown().optional(),
  segments: boundedList(z.union([z.string(), z.object({ id: z.string() })]), MAX_LISTS).nullish(),
  topics: z.array(z.unknown()).max(0, 'is not supported: there are no topics').nullish(),
});

/** The body of contacts.create. */
export const createdContact = bodyOf<NewContact>(created, newContact);

/** The body of contacts.update. An `email` in it is how the contact was named, and no new address. */
export const changedContact = bodyOf<ContactChange>(changed, contactChange);

function bodyOf<T>(theirs: z.ZodType<z.output<typeof changed>>, ours: z.ZodType): BodySpec<T> {
  const check = (raw: unknown): Checked<T> => {
    const given = checkValue(theirs, raw);
    if (!given.ok) return given;
    const checked = checkValue(ours, toOurs(given.value));
    if (checked.ok) return { ok: true, value: checked.value as T };
    const details = checked.details.map(({ path, message }) => ({ path: theirPath(path), message }));
    return { ok: false, details };
  };
  return { schema: theirs, check, limitBytes: DEFAULT_BODY_BYTES };
}

type Given = z.output<typeof changed> & Partial<z.output<typeof created>>;

function toOurs({ unsubscribed, properties, segments, email, first_name, last_name }: Given) {
  const lists = segments?.map((one) => (typeof one === 'string' ? one : one.id));
  const status = unsubscribed === true ? 'unsubscribed' : 'subscribed';
  return {
    ...(email !== undefined && { email }),
    ...(first_name !== undefined && { first_name }),
    ...(last_name !== undefined && { last_name }),
    ...(properties && { attributes: properties }),
    ...(lists && { lists }),
    ...(typeof unsubscribed === 'boolean' && { status }),
  };
}

const THEIR_NAME: Readonly<Record<string, string>> = { lists: 'segments', attributes: 'properties' };

function theirPath(path: string): string {
  return path.replace(/^\w+/, (name) => THEIR_NAME[name] ?? name);
}
