// What a caller may ask to be sent: the body of POST /transactional/send, of GraphQL's sendMessage and of the
// sender's gRPC, checked by this one schema. It runs in api and again in the sender, so a plain message must cost
// microseconds (test/unit/message/send-input.test.ts holds it to that).

import { z } from 'zod';

import type { FieldProblem } from '../base/errors.ts';
import { checkValue, type Checked } from '../base/field-problems.ts';
import { idInput } from '../base/id-input.ts';
import { instant } from '../base/time-input.ts';
import { isUnsubscribeField, unsubscribeProblem } from '../mail/compose/list-headers.ts';
import { checkHeaders, HEADER_FORM, isSenderField, MAX_CUSTOM_HEADERS, type Header } from '../mail/header.ts';
import { CONTROL, REORDERING, SAFE_LINE_PATTERN } from '../mail/unsafe-text.ts';
import { readRaw } from '../mail/raw/read-raw.ts';
import { normalizeEmail, parseMailbox } from '../mail/address.ts';
import { BASE64_FORM, checkAttachments, octets, type AttachmentInput } from './attachment-input.ts';
import {
  mailbox,
  mailboxList,
  MAX_ENVELOPE_RECIPIENTS,
  MAX_RECIPIENTS,
  replyToList,
  tooMany,
  toRecipients,
  type MailboxInput,
  type RecipientInput,
} from './mailbox-input.ts';
import { MAX_SCHEDULE_DAYS, scheduleProblem } from './scheduled-at.ts';
import { checkVariables } from './variables-input.ts';

/** Characters. A subject may be encoded and folded, but more than one line of RFC 5322 (998) is never read. */
const MAX_SUBJECT_CHARS = 998;

/** Bytes of the HTML or of the text. Mail clients cut a message at about 100 KB; this leaves room for inlined CSS. */
const MAX_PART_BYTES = 5 * 1024 * 1024;

/** The contract's number; tags are for filtering, not for storage. */
const MAX_TAGS = 10;

/** Characters of a tag's name or value. */
const MAX_TAG_CHARS = 256;

/** A message that may be submitted. */
export interface SendInput {
  from: MailboxInput;
  /** At least one; with names as they are to be shown. */
  recipients: RecipientInput[];
  /** May be empty. With a template, empty means the template's; of ready-made mail, what its header says. */
  subject: string;
  html?: string;
  text?: string;
  /** Ready-made mail (RFC 5322), in place of all content and header fields. */
  raw?: Buffer;
  /** UUID. */
  templateId?: string;
  variables?: Record<string, unknown>;
  /** At least one. */
  replyTo?: MailboxInput[];
  headers: Header[];
  /** The domain of Sender where that is not the domain of From; empty if ready-made mail has no one address there. */
  senderDomain?: string;
  tags: { name: string; value: string }[];
  attachments: AttachmentInput[];
  scheduledAt?: Date;
  trackOpens?: boolean;
  trackClicks?: boolean;
  /** Our List-Unsubscribe pair, and the link in the content. */
  unsubscribe?: boolean;
  /** True where `headers` or ready-made mail have a List-Unsubscribe. */
  ownUnsubscribe?: true;
  /** Name of a route. */
  esp?: string;
}

/** The input, or what is wrong with it. */
export type ParsedSend = { ok: true; input: SendInput } | { ok: false; details: FieldProblem[] };

const oneLine = (min: number, max: number) =>
  z
    .string()
    .min(min)
    .max(max)
    .refine((text) => !CONTROL.test(text), 'must not have line breaks or control characters')
    .refine((text) => !REORDERING.test(text) && text.isWellFormed(), 'has a character that is not allowed')
    .meta({ pattern: SAFE_LINE_PATTERN });

const part = z
  .string()
  .refine((text) => text.length <= MAX_PART_BYTES && Buffer.byteLength(text) <= MAX_PART_BYTES, {
    message: `must be at most ${MAX_PART_BYTES / 1_048_576} MiB`,
  })
  .meta({ maxLength: MAX_PART_BYTES });

const headerList = z.union(
  [
    z.record(z.string(), z.string()),
    z.array(z.strictObject({ name: z.string(), value: z.string() })).max(MAX_CUSTOM_HEADERS),
  ],
  {
    error: ({ input }) =>
      Array.isArray(input) && input.length > MAX_CUSTOM_HEADERS
        ? `more than ${MAX_CUSTOM_HEADERS} headers`
        : 'must be an object of header names and texts',
  },
);

const headersForm = [
  {
    type: 'object' as const,
    propertyNames: HEADER_FORM.name,
    additionalProperties: HEADER_FORM.value,
    maxProperties: MAX_CUSTOM_HEADERS,
  },
  {
    type: 'array' as const,
    maxItems: MAX_CUSTOM_HEADERS,
    items: {
      type: 'object' as const,
      properties: HEADER_FORM,
      required: ['name', 'value'],
      additionalProperties: false,
    },
  },
];

const headers = headerList
  .transform((given, context): Header[] => {
    const list = Array.isArray(given)
      ? given
      : Object.entries(given).map(([name, value]) => ({ name, value }));
    const check = checkHeaders(list);
    const problem = check.ok ? unsubscribeProblem(list) : check.reason;
    if (problem === null) return list;
    context.addIssue({ code: 'custom', message: problem });
    return z.NEVER;
  })
  .meta({
    anyOf: headersForm,
    description:
      'custom header fields; not those of the envelope, MIME, DKIM or tracking. `Sender` must be one address at a ' +
      'verified domain of yours. `List-Unsubscribe` (`<https://…>` or ' +
      '`<mailto:…>`, several separated by commas) and, with an https one, `List-Unsubscribe-Post: ' +
      'List-Unsubscribe=One-Click` are your own way to unsubscribe, in place of `unsubscribe`',
    examples: [{ 'X-Order': '1234' }],
  });

const tag = z.strictObject({
  name: oneLine(1, MAX_TAG_CHARS),
  value: oneLine(0, MAX_TAG_CHARS),
});

const templateId = idInput('tpl', 'is not a template id (tpl_…)').meta({
  examples: ['tpl_01jd8x4z3kf5t8r9w2m6q7v0ab'],
});

const variables = z
  .record(z.string(), z.unknown())
  .superRefine((value, context) => {
    const problem = checkVariables(value);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  })
  .meta({ description: 'values of the template’s variables' });

const raw = octets('the message').meta({
  ...BASE64_FORM,
  description:
    'a whole message (RFC 5322, line ends CR LF) in place of `subject`, `html`, `text`, `attachments` and all other ' +
    'content; it is sent as it is. It goes to `to`, `cc` and `bcc`, whatever its header says, and `from` follows from ' +
    'its header. Opens and clicks are tracked only where `track_opens` or `track_clicks` is true',
});

// One schema for as many recipients as there may be.
const bodyOf = (maxRecipients: number) =>
  z
    .strictObject({
      from: mailbox.optional(),
      to: mailboxList(maxRecipients),
      cc: mailboxList(maxRecipients).optional(),
      bcc: mailboxList(maxRecipients).optional(),
      subject: oneLine(0, MAX_SUBJECT_CHARS).optional().meta({
        description: 'with `template_id`: replaces the subject of the template, unless it is empty',
      }),
      html: part.optional(),
      text: part.optional(),
      raw: raw.optional(),
      template_id: templateId.optional(),
      variables: variables.optional(),
      reply_to: replyToList.optional(),
      headers: headers.optional(),
      tags: z.array(tag).max(MAX_TAGS).optional(),
      attachments: checkAttachments.optional(),
      scheduled_at: instant.optional().meta({
        description: `when to send: at most ${MAX_SCHEDULE_DAYS} days ahead, and no more than a minute in the past`,
      }),
      track_opens: z.boolean().optional(),
      track_clicks: z.boolean().optional(),
      unsubscribe: z
        .boolean()
        .optional()
        .meta({
          description:
            'true: our signed List-Unsubscribe pair for one-click unsubscribing (RFC 8058), and the link in place of ' +
            '`{{ unsubscribe_url }}` in the content; who follows it is suppressed for marketing mail (`stream`: `bulk`)',
        }),
      esp: z
        .string()
        .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'is not the name of a route')
        .optional(),
    })
    .superRefine((body, context) => {
      const problems = [...recipientProblems(body, maxRecipients), ...contentProblems(body)];
      for (const { path, message } of problems) context.addIssue({ code: 'custom', path: [path], message });
    });

// What ready-made mail has already.
const NOT_WITH_RAW = [
  'subject',
  'html',
  'text',
  'template_id',
  'variables',
  'reply_to',
  'headers',
  'attachments',
] as const;

// What recipientProblems and contentProblems say, in the words of JSON Schema: one of four kinds of content.
const without = (...fields: string[]) => Object.fromEntries(fields.map((field) => [field, false]));
const composed = (...fields: string[]) => without('raw', ...fields);
const OWN_CONTENT = composed('template_id', 'variables');
const FILLED = { minLength: 1 };
const CONTENT_RULE = [
  { required: ['from', 'subject', 'html'], properties: { html: FILLED, ...OWN_CONTENT } },
  { required: ['from', 'subject', 'text'], properties: { text: FILLED, ...OWN_CONTENT } },
  { required: ['from', 'template_id'], properties: composed('html', 'text') },
  { required: ['raw'], properties: without(...NOT_WITH_RAW) },
];
const SOMEBODY = { minItems: 1 };
const RECIPIENT_RULE = [
  { properties: { to: SOMEBODY } },
  { required: ['cc'], properties: { cc: SOMEBODY } },
  { required: ['bcc'], properties: { bcc: SOMEBODY } },
];

/** The body of a send. Field names are the contract's. */
export const sendInput = bodyOf(MAX_RECIPIENTS).meta({
  id: 'SendRequest',
  description: 'One message to one recipient or several',
  anyOf: CONTENT_RULE,
  allOf: [{ anyOf: RECIPIENT_RULE }],
});

const envelopeInput = bodyOf(MAX_ENVELOPE_RECIPIENTS);

/** Checks one send body. `now` decides how far ahead `scheduled_at` may be. */
export function parseSendInput(given: unknown, now: Date): ParsedSend {
  return parseBody(checkValue(sendInput, given), now);
}

/** The same for ready-made mail that comes with an envelope of its own, to as many as SMTP allows. */
export function parseEnvelopeInput(given: unknown, now: Date): ParsedSend {
  return parseBody(checkValue(envelopeInput, given), now);
}

function parseBody(checked: Checked<Body>, now: Date): ParsedSend {
  if (!checked.ok) return checked;
  const body = checked.value;
  const problem = body.scheduled_at ? scheduleProblem(body.scheduled_at, now) : null;
  if (problem) return { ok: false, details: [problem] };
  if (body.raw === undefined)
    return { ok: true, input: toInput(body, body.from!, body.subject ?? '', ownHeader(body.headers)) };
  const read = readRaw(body.raw);
  if (!read.ok) return { ok: false, details: [{ path: 'raw', message: read.problem }] };
  const { from, subject, section, senderDomain } = read.mail;
  if (body.from && normalizeEmail(body.from.address) !== normalizeEmail(from.address))
    return {
      ok: false,
      details: [{ path: 'from', message: `must be the From of the message, ${from.address.email}` }],
    };
  const ownUnsubscribe = section.fields.some(({ lower }) => isUnsubscribeField(lower));
  if (body.unsubscribe === true && ownUnsubscribe)
    return { ok: false, details: [{ path: 'unsubscribe', message: OWN_LIST_UNSUBSCRIBE }] };
  const shown = subject.slice(0, MAX_SUBJECT_CHARS).toWellFormed();
  return { ok: true, input: toInput(body, from, shown, { senderDomain, ownUnsubscribe }) };
}

const OWN_LIST_UNSUBSCRIBE = 'cannot be combined with List-Unsubscribe headers';

type Body = z.output<ReturnType<typeof bodyOf>>;

function recipientProblems({ to, cc, bcc }: Body, max: number): FieldProblem[] {
  const count = to.length + (cc?.length ?? 0) + (bcc?.length ?? 0);
  if (count === 0) return [{ path: 'to', message: 'must have at least one address' }];
  return count > max ? [{ path: 'to', message: tooMany(max) }] : [];
}

function contentProblems(body: Body): FieldProblem[] {
  if (body.raw !== undefined) {
    const given = NOT_WITH_RAW.filter((field) => body[field] !== undefined);
    return given.map((path) => ({ path, message: 'cannot be combined with raw' }));
  }
  const problems: FieldProblem[] = [];
  if (body.from === undefined) problems.push({ path: 'from', message: 'is required' });
  if (body.unsubscribe === true && body.headers?.some(({ name }) => isUnsubscribeField(name)))
    problems.push({ path: 'unsubscribe', message: OWN_LIST_UNSUBSCRIBE });
  const hasContent = Boolean(body.html) || Boolean(body.text);
  if (body.template_id !== undefined) {
    if (body.html !== undefined || body.text !== undefined)
      problems.push({ path: 'template_id', message: 'cannot be combined with html or text' });
    return problems;
  }
  if (!hasContent)
    problems.push({ path: 'html', message: 'is required: give html and/or text, template_id or raw' });
  if (body.subject === undefined) problems.push({ path: 'subject', message: 'is required' });
  if (body.variables !== undefined) problems.push({ path: 'variables', message: 'needs a template_id' });
  return problems;
}

interface OwnHeader {
  senderDomain: string | null;
  ownUnsubscribe: boolean;
}

// Headers have been checked: Sender is one address.
function ownHeader(given: readonly Header[] = []): OwnHeader {
  const sender = given.find(({ name }) => isSenderField(name));
  const parsed = sender ? parseMailbox(sender.value) : null;
  return {
    senderDomain: parsed?.ok ? parsed.address.domain : null,
    ownUnsubscribe: given.some(({ name }) => isUnsubscribeField(name)),
  };
}

function toInput(
  body: Body,
  from: MailboxInput,
  subject: string,
  { senderDomain, ownUnsubscribe }: OwnHeader,
): SendInput {
  return {
    from,
    recipients: toRecipients(body),
    subject,
    headers: body.headers ?? [],
    tags: body.tags ?? [],
    attachments: body.attachments ?? [],
    ...(senderDomain !== null && senderDomain !== from.address.domain && { senderDomain }),
    ...(body.html !== undefined && { html: body.html }),
    ...(body.text !== undefined && { text: body.text }),
    ...(body.raw !== undefined && { raw: body.raw }),
    ...(body.template_id !== undefined && { templateId: body.template_id }),
    ...(body.variables !== undefined && { variables: body.variables }),
    ...(body.reply_to !== undefined && body.reply_to.length > 0 && { replyTo: body.reply_to }),
    ...(body.scheduled_at !== undefined && { scheduledAt: body.scheduled_at }),
    ...(body.track_opens !== undefined && { trackOpens: body.track_opens }),
    ...(body.track_clicks !== undefined && { trackClicks: body.track_clicks }),
    ...(body.unsubscribe !== undefined && { unsubscribe: body.unsubscribe }),
    ...(ownUnsubscribe && { ownUnsubscribe }),
    ...(body.esp !== undefined && { esp: body.esp }),
  };
}
