// An email of Postmark's API as a send of ours: https://postmarkapp.com/developer/api/email-api. Fields that we do not
// know are left out, as there; problems are named by the fields of the email.

import { z } from 'zod';

import { nowDate } from '../../../core/base/clock.ts';
import type { FieldProblem } from '../../../core/base/errors.ts';
import { checkValue, type Checked } from '../../../core/base/field-problems.ts';
import { isUnsubscribeField } from '../../../core/mail/compose/list-headers.ts';
import { countRecipients } from '../../../core/message/mailbox-input.ts';
import { parseSendInput, type SendInput } from '../../../core/message/send-input.ts';
import { boundedList, boundedRecord } from '../bounded-json.ts';
import { isAddedHeader } from '../added-headers.ts';
import { splitAddresses } from '../address-list.ts';
import { STREAM_TAG, STREAMS, TAG } from './names.ts';

const text = z.string().nullish();
const MAX_ITEMS = 1_000; // of any list or object: no more can ever be sent

const metadata = z.union([z.string(), z.number()], { error: 'must be a text or a number' }).transform(String);

const emailBody = z.object({
  From: z.string(),
  To: text,
  Cc: text,
  Bcc: text,
  Subject: text,
  Tag: text,
  HtmlBody: text,
  TextBody: text,
  ReplyTo: text,
  Headers: boundedList(z.object({ Name: z.string(), Value: z.string() }), MAX_ITEMS).nullish(),
  TrackOpens: z.boolean().nullish(),
  TrackLinks: z.enum(['None', 'HtmlAndText', 'HtmlOnly', 'TextOnly']).nullish(),
  Metadata: boundedRecord(metadata, MAX_ITEMS).nullish(),
  Attachments: boundedList(
    z.object({ Name: z.string(), Content: z.string(), ContentType: text, ContentID: text }),
    MAX_ITEMS,
  ).nullish(),
  MessageStream: z.enum(STREAMS).nullish(),
  TemplateId: z.null('is not supported: give the id (tpl_…) as TemplateAlias').optional(),
  TemplateAlias: text,
  TemplateModel: boundedRecord(z.unknown(), MAX_ITEMS).nullish(),
});

type EmailBody = z.output<typeof emailBody>;

/** A send, with the recipients as they were written. */
export interface Email {
  input: SendInput;
  written: Partial<Record<'To' | 'Cc' | 'Bcc', string>>;
}

/** Checks one email. */
export function readEmail(raw: unknown): Checked<Email> {
  const checked = checkValue(emailBody, raw);
  if (!checked.ok) return checked;
  const body = checked.value;
  const tags = tagsOf(body);
  const parsed = parseSendInput(toSend(body, tags), nowDate());
  if (!parsed.ok)
    return {
      ok: false,
      details: sayAddress(body, parsed.details) ?? parsed.details.map((one) => rename(one, tags)),
    };
  const { To, Cc, Bcc } = body;
  return {
    ok: true,
    value: { input: parsed.input, written: { ...(To && { To }), ...(Cc && { Cc }), ...(Bcc && { Bcc }) } },
  };
}

/** How many recipients an unchecked email names, for the rate limit. */
export function countEmail(raw: unknown): number {
  if (typeof raw !== 'object' || raw === null) return 1;
  const { To, Cc, Bcc } = raw as Record<string, unknown>;
  const list = (given: unknown) => (typeof given === 'string' ? splitAddresses(given) : undefined);
  return countRecipients({ to: list(To) ?? [], cc: list(Cc), bcc: list(Bcc) });
}

function toSend(body: EmailBody, tags: NamedTag[]): Record<string, unknown> {
  const own = (body.Headers ?? []).filter(({ Name }) => !isAddedHeader(Name));
  const headers = own.map(({ Name, Value }) => ({ name: Name, value: Value }));
  const broadcast = body.MessageStream === 'broadcast';
  return {
    from: body.From,
    to: splitAddresses(body.To ?? ''),
    cc: splitAddresses(body.Cc ?? ''),
    bcc: splitAddresses(body.Bcc ?? ''),
    ...wordsOf(body, broadcast),
    reply_to: splitAddresses(body.ReplyTo ?? ''),
    headers,
    tags: tags.map(({ name, value }) => ({ name, value })),
    attachments: (body.Attachments ?? []).map((one) => ({
      filename: one.Name,
      content: one.Content,
      ...(one.ContentType && { content_type: one.ContentType }),
      ...(one.ContentID && { content_id: one.ContentID.replace(/^cid:/i, '') }),
    })),
    track_opens: body.TrackOpens ?? undefined,
    track_clicks: body.TrackLinks ? body.TrackLinks.startsWith('Html') : undefined,
    unsubscribe: (broadcast && !headers.some(({ name }) => isUnsubscribeField(name))) || undefined,
  };
}

function wordsOf(body: EmailBody, broadcast: boolean): Record<string, unknown> {
  if (body.TemplateAlias) return { template_id: body.TemplateAlias, variables: body.TemplateModel ?? {} };
  const withLink = (words: string, link: string) => (broadcast ? placeUnsubscribe(words, link) : words);
  return {
    subject: body.Subject ?? '',
    html: body.HtmlBody ? withLink(body.HtmlBody, `<a href="${UNSUBSCRIBE}">Unsubscribe</a>`) : undefined,
    text: body.TextBody ? withLink(body.TextBody, UNSUBSCRIBE) : undefined,
  };
}

const UNSUBSCRIBE = '{{ unsubscribe_url }}';

// Where mail of their broadcast streams says that the link belongs.
function placeUnsubscribe(words: string, link: string): string {
  return words
    .replaceAll(/\{\{\{ ?pm:unsubscribe_url ?\}\}\}/g, UNSUBSCRIBE)
    .replaceAll(/\{\{\{ ?pm:unsubscribe ?\}\}\}/g, link);
}

interface NamedTag {
  name: string;
  value: string;
  field: string;
}

function tagsOf({ Tag, Metadata, MessageStream }: EmailBody): NamedTag[] {
  return [
    ...(Tag ? [{ name: TAG, value: Tag, field: 'Tag' }] : []),
    ...Object.entries(Metadata ?? {}).map(([name, value]) => ({
      name,
      value,
      field: `Metadata.${name.slice(0, 100)}`,
    })),
    ...(MessageStream === 'broadcast'
      ? [{ name: STREAM_TAG, value: 'broadcast', field: 'MessageStream' }]
      : []),
  ];
}

// An address that is wrong, in the words that Postmark's clients look for, and alone: they read one.
function sayAddress(body: EmailBody, details: FieldProblem[]): FieldProblem[] | null {
  for (const { path, message } of details) {
    const [, field = '', place] = /^(from|to|cc|bcc|reply_to)(?:\[(\d+)\])?$/.exec(path) ?? [];
    const name = FIELDS[field] as 'From' | 'To' | 'Cc' | 'Bcc' | 'ReplyTo' | undefined;
    const [, why] = /^is not (?:an email address|a mailbox): (.*)$/.exec(message) ?? [];
    if (field === 'to' && message === 'must have at least one address')
      return [{ path: '', message: 'Zero recipients specified' }];
    if (name === undefined || why === undefined) continue;
    const written =
      place === undefined ? (body[name] ?? '') : splitAddresses(body[name] ?? '')[Number(place)]!;
    const address = written
      .slice(written.lastIndexOf('<') + 1)
      .replace(/>\s*$/, '')
      .trim();
    return [
      { path: '', message: `Invalid '${name}' address: '${address.slice(0, MAX_SHOWN)}'. ${capital(why)}` },
    ];
  }
  return null;
}

const MAX_SHOWN = 254; // characters of an address

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const FIELDS: Readonly<Record<string, string>> = {
  from: 'From',
  to: 'To',
  cc: 'Cc',
  bcc: 'Bcc',
  subject: 'Subject',
  html: 'HtmlBody',
  text: 'TextBody',
  reply_to: 'ReplyTo',
  headers: 'Headers',
  tags: 'Metadata',
  attachments: 'Attachments',
  template_id: 'TemplateAlias',
  variables: 'TemplateModel',
  track_opens: 'TrackOpens',
  track_clicks: 'TrackLinks',
  unsubscribe: 'MessageStream',
  filename: 'Name',
  content: 'Content',
  content_type: 'ContentType',
  content_id: 'ContentID',
};

function inTheirWords(message: string): string {
  return message
    .replace('give html and/or text, template_id or raw', 'give HtmlBody, TextBody or TemplateAlias')
    .replace('with all of to, cc and bcc', 'with all of To, Cc and Bcc');
}

/** A problem of a send, under the names of the email. */
export function rename({ path, message }: FieldProblem, tags: { field: string }[] = []): FieldProblem {
  const tag = /^tags\[(\d+)\]/.exec(path);
  const field = tag ? tags[Number(tag[1])]?.field : undefined;
  if (field !== undefined) return { path: field, message };
  const [first = '', ...rest] = path.split('.');
  const name = FIELDS[first.split('[', 1)[0]!] ?? first;
  if (name !== 'Attachments') return { path: [name, ...rest].join('.'), message: inTheirWords(message) };
  return {
    path: [first.replace('attachments', name), ...rest.map((one) => FIELDS[one] ?? one)].join('.'),
    message,
  };
}
