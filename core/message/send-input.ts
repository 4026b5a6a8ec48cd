// What a caller may ask to be sent: the body of POST /transactional/send, of GraphQL's sendMessage and of the
// sender's gRPC, checked by this one schema. It runs in api and again in the sender, so a plain message must cost
// microseconds (test/unit/message/send-input.test.ts holds it to that).

import { z } from 'zod';

import type { FieldProblem } from '../base/errors.ts';
import { checkValue } from '../base/field-problems.ts';
import { fromId } from '../base/ids.ts';
import { isUnsubscribeField, unsubscribeProblem } from '../mail/compose/list-headers.ts';
import { checkHeaders, type Header } from '../mail/header.ts';
import { CONTROL, REORDERING } from '../mail/unsafe-text.ts';
import { checkAttachments, type AttachmentInput } from './attachment-input.ts';
import {
  mailbox,
  mailboxes,
  MAX_RECIPIENTS,
  TOO_MANY,
  toRecipients,
  type AddressField,
  type MailboxInput,
  type RecipientInput,
} from './mailbox-input.ts';
import { checkVariables } from './variables-input.ts';

/** Characters. A subject may be encoded and folded, but more than one line of RFC 5322 (998) is never read. */
const MAX_SUBJECT_CHARS = 998;

/** Bytes of the HTML or of the text. Mail clients cut a message at about 100 KB; this leaves room for inlined CSS. */
const MAX_PART_BYTES = 5 * 1024 * 1024;

/** The contract's number; tags are for filtering, not for storage. */
const MAX_TAGS = 10;

/** Characters of a tag's name or value. */
const MAX_TAG_CHARS = 256;

/** Days; the contract's number. Messages are kept in weekly partitions made ahead. */
const MAX_SCHEDULE_DAYS = 30;

const DAY_MS = 86_400_000;
const SCHEDULE_TOLERANCE_MS = 60_000; // clocks of clients differ; nobody means the last minute of 30 days

/** A message that may be submitted. */
export interface SendInput {
  from: MailboxInput;
  /** At least one; with names as they are to be shown. */
  recipients: RecipientInput[];
  /** Empty with a template, which has its own. */
  subject: string;
  html?: string;
  text?: string;
  /** UUID. */
  templateId?: string;
  variables?: Record<string, unknown>;
  replyTo?: MailboxInput;
  headers: Header[];
  tags: { name: string; value: string }[];
  attachments: AttachmentInput[];
  scheduledAt?: Date;
  trackOpens?: boolean;
  trackClicks?: boolean;
  /** Our List-Unsubscribe pair, and the link in the content. */
  unsubscribe?: boolean;
  /** Name of a route. */
  esp?: string;
}

/** The input, or what is wrong with it. */
export type ParsedSend = { ok: true; input: SendInput } | { ok: false; details: FieldProblem[] };

const oneLine = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !CONTROL.test(text), 'must not have line breaks or control characters')
    .refine((text) => !REORDERING.test(text) && text.isWellFormed(), 'has a character that is not allowed');

const part = z
  .string()
  .refine((text) => text.length <= MAX_PART_BYTES && Buffer.byteLength(text) <= MAX_PART_BYTES, {
    message: `must be at most ${MAX_PART_BYTES / 1_048_576} MiB`,
  });

const headerList = z.union(
  [z.record(z.string(), z.string()), z.array(z.strictObject({ name: z.string(), value: z.string() }))],
  { error: 'must be an object of header names and texts' },
);

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
    description:
      'custom header fields; not those of the envelope, MIME, DKIM or tracking. `List-Unsubscribe` (`<https://…>` or ' +
      '`<mailto:…>`, several separated by commas) and, with an https one, `List-Unsubscribe-Post: ' +
      'List-Unsubscribe=One-Click` are your own way to unsubscribe, in place of `unsubscribe`',
    examples: [{ 'X-Order': '1234' }],
  });

const tag = z.strictObject({
  name: oneLine(MAX_TAG_CHARS).min(1),
  value: oneLine(MAX_TAG_CHARS),
});

const templateId = z
  .string()
  .transform((text, context): string => {
    const uuid = fromId('tpl', text);
    if (uuid !== null) return uuid;
    context.addIssue({ code: 'custom', message: 'is not a template id (tpl_…)' });
    return z.NEVER;
  })
  .meta({ examples: ['tpl_01jd8x4z3kf5t8r9w2m6q7v0ab'] });

const variables = z
  .record(z.string(), z.unknown())
  .superRefine((value, context) => {
    const problem = checkVariables(value);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  })
  .meta({ description: 'values of the template’s variables' });

/** The body of a send. Field names are the contract's. */
export const sendInput = z
  .strictObject({
    from: mailbox,
    to: mailboxes,
    cc: mailboxes.optional(),
    bcc: mailboxes.optional(),
    subject: oneLine(MAX_SUBJECT_CHARS).min(1).optional(),
    html: part.optional(),
    text: part.optional(),
    template_id: templateId.optional(),
    variables: variables.optional(),
    reply_to: mailbox.optional(),
    headers: headers.optional(),
    tags: z.array(tag).max(MAX_TAGS).optional(),
    attachments: checkAttachments.optional(),
    scheduled_at: z.iso
      .datetime({ offset: true, error: 'must be a time in RFC 3339, such as 2026-01-31T08:00:00Z' })
      .transform((text) => new Date(text))
      .optional(),
    track_opens: z.boolean().optional(),
    track_clicks: z.boolean().optional(),
    unsubscribe: z
      .boolean()
      .optional()
      .meta({
        description:
          'true: our signed List-Unsubscribe pair for one-click unsubscribing (RFC 8058), and the link in place of ' +
          '`{{ unsubscribe_url }}` in the content; who follows it is suppressed',
      }),
    esp: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'is not the name of a route')
      .optional(),
  })
  .superRefine((body, context) => {
    for (const problem of [...recipientProblems(body), ...contentProblems(body)]) {
      context.addIssue({ code: 'custom', path: [problem.path], message: problem.message });
    }
  })
  .meta({ id: 'SendRequest', description: 'One message to one recipient or several' });

/** Checks one send body. `now` decides how far ahead `scheduled_at` may be. */
export function parseSendInput(raw: unknown, now: Date): ParsedSend {
  const checked = checkValue(sendInput, raw);
  if (!checked.ok) return checked;
  const body = checked.value;
  const latest = now.getTime() + MAX_SCHEDULE_DAYS * DAY_MS + SCHEDULE_TOLERANCE_MS;
  if (body.scheduled_at && body.scheduled_at.getTime() > latest) {
    const message = `must be at most ${MAX_SCHEDULE_DAYS} days ahead`;
    return { ok: false, details: [{ path: 'scheduled_at', message }] };
  }
  return { ok: true, input: toInput(body) };
}

type Body = z.output<typeof sendInput>;

function recipientProblems({ to, cc, bcc }: Pick<Body, AddressField>): FieldProblem[] {
  if (to.length === 0) return [{ path: 'to', message: 'must have at least one address' }];
  const count = to.length + (cc?.length ?? 0) + (bcc?.length ?? 0);
  return count > MAX_RECIPIENTS ? [{ path: 'to', message: TOO_MANY }] : [];
}

function contentProblems(body: Partial<Record<keyof Body, unknown>> & Pick<Body, 'headers'>): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (body.unsubscribe === true && body.headers?.some(({ name }) => isUnsubscribeField(name)))
    problems.push({ path: 'unsubscribe', message: 'cannot be combined with List-Unsubscribe headers' });
  const hasContent = body.html !== undefined || body.text !== undefined;
  if (body.template_id !== undefined) {
    if (hasContent) problems.push({ path: 'template_id', message: 'cannot be combined with html or text' });
    return problems;
  }
  if (!hasContent)
    problems.push({ path: 'html', message: 'is required: give html and/or text, or template_id' });
  if (body.subject === undefined) problems.push({ path: 'subject', message: 'is required' });
  if (body.variables !== undefined) problems.push({ path: 'variables', message: 'needs a template_id' });
  return problems;
}

function toInput(body: Body): SendInput {
  return {
    from: body.from,
    recipients: toRecipients(body),
    subject: body.template_id === undefined ? (body.subject ?? '') : '',
    headers: body.headers ?? [],
    tags: body.tags ?? [],
    attachments: body.attachments ?? [],
    ...(body.html !== undefined && { html: body.html }),
    ...(body.text !== undefined && { text: body.text }),
    ...(body.template_id !== undefined && { templateId: body.template_id }),
    ...(body.variables !== undefined && { variables: body.variables }),
    ...(body.reply_to !== undefined && { replyTo: body.reply_to }),
    ...(body.scheduled_at !== undefined && { scheduledAt: body.scheduled_at }),
    ...(body.track_opens !== undefined && { trackOpens: body.track_opens }),
    ...(body.track_clicks !== undefined && { trackClicks: body.track_clicks }),
    ...(body.unsubscribe !== undefined && { unsubscribe: body.unsubscribe }),
    ...(body.esp !== undefined && { esp: body.esp }),
  };
}
