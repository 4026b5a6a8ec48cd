// The header fields in which mail over SMTP says what other sends say beside the message: X-Postrider-Tags and the like.
// They are read and taken out, so that no recipient sees them. One that cannot be read refuses the message: a limit that
// was misspelt would be a limit that is not there.

import type { FieldProblem } from '../../core/base/errors.ts';
import { isIdempotencyKey } from '../../core/idempotency/run-once.ts';
import {
  fieldValue,
  readHeaderSection,
  withoutFields,
  type RawField,
} from '../../core/mail/raw/header-section.ts';
import { decodeWords } from '../../core/mail/repair-header.ts';
import type { RawOptions } from '../../core/message/raw-input.ts';

/** The message without these fields, and what they said; or what is wrong with them, by the name of the field. */
export type ControlFields =
  | { ok: true; raw: Buffer; options: RawOptions; key: string | null }
  | { ok: false; details: FieldProblem[] };

type Value = { value: unknown } | { problem: string };

const PREFIX = 'x-postrider-';
const OPTIONS: Readonly<Record<string, keyof RawOptions>> = {
  'x-postrider-tags': 'tags',
  'x-postrider-track-opens': 'track_opens',
  'x-postrider-track-clicks': 'track_clicks',
  'x-postrider-unsubscribe': 'unsubscribe',
  'x-postrider-scheduled-at': 'scheduled_at',
  'x-postrider-route': 'esp',
};
const KEY = 'x-postrider-idempotency-key';

/** Reads and removes them. A header that cannot be read is left as it is: parseRawInput says what is wrong with it. */
export function readControlFields(raw: Buffer): ControlFields {
  const read = readHeaderSection(raw);
  const fields = read.ok ? read.section.fields.filter(({ lower }) => lower.startsWith(PREFIX)) : [];
  const options: RawOptions = {};
  const details: FieldProblem[] = [];
  let key: string | null = null;
  for (const [n, field] of fields.entries()) {
    const path = nameOf(raw, field);
    const again = fields.findIndex(({ lower }) => lower === field.lower) < n;
    const found = again ? { problem: 'is there more than once' } : readField(field.lower, textOf(raw, field));
    if ('problem' in found) details.push({ path, message: found.problem });
    else if (field.lower === KEY) key = String(found.value);
    else options[OPTIONS[field.lower]!] = found.value;
  }
  if (details.length > 0) return { ok: false, details };
  return { ok: true, raw: fields.length === 0 ? raw : withoutFields(raw, fields), options, key };
}

/** The name of the field that says what REST calls so; null for what no field says. */
export function fieldOfOption(option: string): string | null {
  const lower = Object.keys(OPTIONS).find((name) => OPTIONS[name] === option);
  return lower === undefined ? null : titleOf(lower);
}

function readField(lower: string, text: string): Value {
  // It would leave the message with the field, and nobody would refuse it any more.
  if (/[\r\n]/.test(text)) return { problem: 'has a bare CR or LF' };
  switch (lower) {
    case KEY:
      return isIdempotencyKey(text)
        ? { value: text }
        : { problem: 'must be 1 to 255 visible ASCII characters' };
    case 'x-postrider-tags':
      return readTags(text);
    case 'x-postrider-track-opens':
    case 'x-postrider-track-clicks':
    case 'x-postrider-unsubscribe':
      return readFlag(text);
    case 'x-postrider-scheduled-at':
    case 'x-postrider-route':
      return { value: text };
    default:
      return {
        problem: `is not known; these are: ${[...Object.keys(OPTIONS), KEY].map(titleOf).join(', ')}`,
      };
  }
}

// A list as in REST, or the short form {"kind":"receipt"}.
function readTags(text: string): Value {
  try {
    const tags = JSON.parse(text) as unknown;
    if (typeof tags !== 'object' || tags === null || Array.isArray(tags)) return { value: tags };
    return { value: Object.entries(tags).map(([name, value]) => ({ name, value: value as unknown })) };
  } catch {
    return { problem: 'must be JSON, such as [{"name":"kind","value":"receipt"}]' };
  }
}

function readFlag(text: string): Value {
  const lower = text.toLowerCase();
  return lower === 'true' || lower === 'false'
    ? { value: lower === 'true' }
    : { problem: 'must be true or false' };
}

function textOf(raw: Buffer, field: RawField): string {
  return decodeWords(fieldValue(raw, field));
}

function nameOf(raw: Buffer, { start, lower }: RawField): string {
  return raw.toString('latin1', start, start + lower.length);
}

function titleOf(lower: string): string {
  return lower.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}
