// What a contact is, and the bounds of one.
//
// Words: a *contact* is one person of a tenant, known by the normalized address. A *list* is a named set of contacts.
// An *attribute* is whatever else the tenant knows of the person; campaigns use it as a template variable.

import { z } from 'zod';

import { INEXACT, isInexact } from '../base/exact-number.ts';
import { isStorable, STORABLE_PATTERN } from '../base/storable-text.ts';
import { CONTROLS } from '../base/text-input.ts';
import type { contactLists, contacts } from '../db/schema/contact.ts';

/** One person of a tenant. Ids are UUIDs; `lists` are those that the contact is on. */
export type Contact = Omit<typeof contacts.$inferSelect, 'tenantId' | 'emailKey'> & { lists: string[] };

/** Whether a person gets campaigns. */
export type ContactStatus = Contact['status'];

/** A named set of contacts; the id is a UUID. */
export type ContactList = Omit<typeof contactLists.$inferSelect, 'tenantId'> & { contactsCount: number };

/** Characters of a first or last name. */
export const MAX_NAME_CHARS = 200;

/** Characters of a tag. */
export const MAX_TAG_CHARS = 100;

/** Tags of one contact. */
export const MAX_TAGS = 50;

/** Attributes of one contact, and so the columns of an import. */
export const MAX_ATTRIBUTES = 200;

/** Characters of an attribute's name. */
const MAX_ATTRIBUTE_NAME_CHARS = 64;

/** Characters of all attributes of a contact as JSON: 500 of these travel in one gRPC message of 20 MiB. */
export const MAX_ATTRIBUTES_CHARS = 16_384;

/** Lists that one request may name. */
export const MAX_LISTS = 100;

const MAX_DEPTH = 5; // levels below an attribute: `{{ address.city }}` and a little more
const ONE_LINE = new RegExp(`^[^${CONTROLS}]*$`);
// What every object has. As a variable's name it would be there without being given, or change the object itself.
const RESERVED = new Set(Object.getOwnPropertyNames(Object.prototype));

/** What is wrong with the name of an attribute, or null. */
export function attributeNameProblem(name: string): string | null {
  if (name === '') return 'must not contain an empty name';
  if (name.length > MAX_ATTRIBUTE_NAME_CHARS)
    return `must not contain a name of more than ${MAX_ATTRIBUTE_NAME_CHARS} characters`;
  if (!isOneLine(name)) return 'must not contain a name with characters that are not allowed';
  return RESERVED.has(name) ? `must not contain the name ${name}, which is reserved` : null;
}

/** What is wrong with attributes that came as JSON, or null. */
export function attributesProblem(attributes: unknown): string | null {
  if (typeof attributes !== 'object' || attributes === null || Array.isArray(attributes))
    return 'must be an object';
  const names = Object.keys(attributes);
  if (names.length > MAX_ATTRIBUTES) return `must have at most ${MAX_ATTRIBUTES} entries`;
  for (const [name, value] of Object.entries(attributes)) {
    const problem = attributeNameProblem(name) ?? valueProblem(value, 0);
    if (problem !== null) return problem;
  }
  return JSON.stringify(attributes).length > MAX_ATTRIBUTES_CHARS
    ? `must have at most ${MAX_ATTRIBUTES_CHARS} characters as JSON`
    : null;
}

const attributeName = z.string().meta({
  minLength: 1,
  maxLength: MAX_ATTRIBUTE_NAME_CHARS,
  pattern: ONE_LINE.source,
  not: { enum: [...RESERVED] },
});
const EXACT_NUMBER = z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);
const scalars = [
  z.null(),
  z.boolean(),
  EXACT_NUMBER,
  z.string().meta({ pattern: STORABLE_PATTERN }),
] as const;

// One schema for each level: that is how JSON Schema says a depth.
function valueAt(depth: number): z.ZodType {
  if (depth === MAX_DEPTH) return z.union(scalars).meta({ id: `AttributeValue${depth}` });
  const below = valueAt(depth + 1);
  return z
    .union([...scalars, z.array(below), z.record(attributeName, below)])
    .meta({ id: `AttributeValue${depth}` });
}

/** What the OpenAPI document says of attributes: what attributesProblem does, but for their size. */
export const documentedAttributes = z
  .record(attributeName, valueAt(0))
  .meta({ maxProperties: MAX_ATTRIBUTES });

/** Whether a text is one line without control characters. */
export function isOneLine(text: string): boolean {
  return ONE_LINE.test(text) && isStorable(text);
}

function valueProblem(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : 'has a character that is not allowed';
  if (isInexact(value)) return INEXACT;
  if (typeof value !== 'object' || value === null) return null;
  if (depth === MAX_DEPTH) return `must not be nested deeper than ${MAX_DEPTH} levels`;
  for (const [name, item] of Object.entries(value)) {
    const problem =
      (Array.isArray(value) ? null : attributeNameProblem(name)) ?? valueProblem(item, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}
