// The body of Resend's emails.send as the body of a send of ours. Its names are ours but for a few; what Resend ignores
// is left out, what would change the meaning and has no counterpart is refused. docs/compat-resend.md lists both.

import { nowDate } from '../../../core/base/clock.ts';
import type { FieldProblem } from '../../../core/base/errors.ts';
import type { Checked } from '../../../core/base/field-problems.ts';
import { MAX_ATTACHMENTS } from '../../../core/message/attachment-input.ts';
import { parseSendInput, type SendInput } from '../../../core/message/send-input.ts';
import { isAddedHeader } from '../added-headers.ts';
import { readScheduledAt } from './scheduled-at.ts';

type Fields = Record<string, unknown>;

const SAME_NAME = ['from', 'to', 'cc', 'bcc', 'subject', 'html', 'text', 'headers', 'tags'] as const;

/** Checks one email. */
export function checkEmail(raw: unknown): Checked<SendInput> {
  if (!isFields(raw)) return { ok: false, details: [{ path: '', message: 'must be an object' }] };
  const given = named(raw);
  const details = refusedFields(given);
  if (details.length > 0) return { ok: false, details };
  const now = nowDate();
  const parsed = parseSendInput(toSendBody(given, now), now);
  return parsed.ok ? { ok: true, value: parsed.input } : { ok: false, details: parsed.details.map(rename) };
}

/** A problem of a send, under the names of Resend's fields. */
export function rename({ path, message }: FieldProblem): FieldProblem {
  const field = path.replace(/^template_id/, 'template.id').replace(/^variables/, 'template.variables');
  return {
    path: field,
    message: message.startsWith(NO_CONTENT) ? `${NO_CONTENT}, text or template` : message,
  };
}

const NO_CONTENT = 'is required: give html';

// Their clients write null, too, for what is not there, and for addresses an empty text.
function named(raw: Fields): Fields {
  const isGiven = ([name, value]: [string, unknown]) =>
    value !== null && !(value === '' && MAY_BE_EMPTY.has(name));
  return Object.fromEntries(Object.entries(raw).filter(isGiven));
}

const MAY_BE_EMPTY = new Set(['cc', 'bcc', 'reply_to']);

function refusedFields({ topic_id, attachments }: Fields): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (topic_id !== undefined)
    problems.push({ path: 'topic_id', message: 'is not supported: there are no topics' });
  // That there are too many is said by the next check.
  const files: unknown[] = Array.isArray(attachments) ? attachments.slice(0, MAX_ATTACHMENTS) : [];
  for (const [at, file] of files.entries()) {
    if (isFields(file) && typeof file['path'] === 'string') {
      const message = 'is not supported: nothing is fetched from URLs; give the file as `content`';
      problems.push({ path: `attachments[${at}].path`, message });
    }
  }
  return problems;
}

function toSendBody(given: Fields, now: Date): Fields {
  const { reply_to: replyTo, scheduled_at: at, template, attachments } = given;
  const same = SAME_NAME.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]);
  return {
    ...Object.fromEntries(same),
    ...(isFields(given['headers']) && { headers: withoutAdded(given['headers']) }),
    ...(replyTo !== undefined && { reply_to: replyTo }),
    ...(at !== undefined && { scheduled_at: readScheduledAt(at, now) }),
    ...(template !== undefined && templateFields(template)),
    ...(attachments !== undefined && { attachments: toAttachments(attachments) }),
  };
}

function withoutAdded(headers: Fields): Fields {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isAddedHeader(name)));
}

function templateFields(template: unknown): Fields {
  if (!isFields(template)) return { template_id: template };
  const { id, variables } = template;
  return { template_id: id, ...(variables !== undefined && { variables }) };
}

function toAttachments(given: unknown): unknown {
  if (!Array.isArray(given) || given.length > MAX_ATTACHMENTS) return given;
  return given.map((file: unknown) => {
    if (!isFields(file)) return file;
    const {
      filename,
      content,
      content_type,
      inline_content_id,
      content_id = inline_content_id,
    } = named(file);
    const bytes = isBuffer(content) ? content.data : content;
    return {
      filename,
      content: isBytes(bytes) ? Buffer.from(bytes).toString('base64') : content,
      ...(content_type !== undefined && { content_type }),
      ...(content_id !== undefined && { content_id }),
    };
  });
}

// A Buffer of Node, as JSON.stringify writes it.
function isBuffer(content: unknown): content is { data: unknown } {
  return isFields(content) && content['type'] === 'Buffer';
}

// Python's client sends bytes as a list of numbers.
function isBytes(content: unknown): content is number[] {
  return Array.isArray(content) && content.every((byte) => Number.isInteger(byte) && byte >= 0 && byte < 256);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
