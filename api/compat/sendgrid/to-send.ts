// One personalization as the body of a send (core/message/send-input.ts), with the way back: which field of SendGrid's
// body each of its fields came from.

import type { FieldProblem } from '../../../core/base/errors.ts';
import type { Checked } from '../../../core/base/field-problems.ts';
import type { AttachmentInput } from '../../../core/message/attachment-input.ts';
import { isAddedHeader } from '../added-headers.ts';
import { mailboxText } from '../mailbox-text.ts';
import type { MailBody, Personalization } from './mail-body.ts';
import { readSettings, type MailSettings } from './settings.ts';
import { substitute, toVariables } from './substitute.ts';

/** The tag that a category becomes. */
const CATEGORY_TAG = 'category';

/** The tag that batch_id becomes. */
export const BATCH_TAG = 'batch_id';

/** Where a link to unsubscribe is put. */
const UNSUBSCRIBE_PLACE = '{{ unsubscribe_url }}';

/** What all messages of a request have in common. */
export interface SharedParts {
  attachments: AttachmentInput[];
  /** Where in `content` each part is; -1 without one. */
  html: number;
  text: number;
}

/** A body of a send, not yet checked, and its fields' names in the request. */
interface RawSend {
  raw: Record<string, unknown>;
  rename: (problem: FieldProblem) => FieldProblem;
}

/** Whether the request is to be checked only. */
export function isSandbox(body: MailBody): boolean {
  return readSettings(body).sandbox;
}

/** The send of one personalization. */
export function toSend(body: MailBody, index: number, shared: SharedParts): Checked<RawSend> {
  const person = body.personalizations[index]!;
  const path = `personalizations[${index}]`;
  const settings = readSettings(body);
  const words = readWords(body, person, shared, settings);
  if (!words.ok) return { ok: false, details: [{ path: `${path}.substitutions`, message: words.reason }] };
  const tags = tagsOf(body, person, path);
  const sendAt = person.send_at ?? body.send_at;
  const raw: Record<string, unknown> = {
    from: mailboxText(person.from ?? body.from),
    to: person.to.map(mailboxText),
    cc: person.cc?.map(mailboxText),
    bcc: person.bcc?.map(mailboxText),
    ...words.value,
    reply_to: replyTos(body).map(mailboxText),
    headers: mergeHeaders(body.headers, person.headers),
    tags: tags.map(({ name, value }) => ({ name, value })),
    attachments: shared.attachments.map((one) => ({
      filename: one.filename,
      content: one.content,
      ...(one.contentType !== undefined && { content_type: one.contentType }),
      ...(one.contentId !== undefined && { content_id: one.contentId }),
      ...(one.alternative === true && { alternative: true }),
    })),
    scheduled_at: sendAt === null || sendAt === undefined ? undefined : new Date(sendAt * 1000).toISOString(),
    track_opens: settings.trackOpens,
    track_clicks: settings.trackClicks,
    unsubscribe: settings.unsubscribe || undefined,
    esp: body.ip_pool_name ?? undefined,
  };
  const names = fieldNames(body, person, path, shared);
  return {
    ok: true,
    value: {
      raw,
      rename: ({ path: field, message }) => ({
        path: rename(field, names, tags),
        message: message.replace(NO_CONTENT, 'give content or template_id'),
      }),
    },
  };
}

// The end of what is said of a send without content.
const NO_CONTENT = /give html and\/or text, template_id or raw$/;

type Words = { ok: true; value: Record<string, unknown> } | { ok: false; reason: string };

// Subject and content, or the template with its variables.
function readWords(
  body: MailBody,
  person: Personalization,
  shared: SharedParts,
  settings: MailSettings,
): Words {
  const { template_id: template } = body;
  if (template) {
    const variables = toVariables(person.substitutions ?? {});
    if (variables === null) return { ok: false, reason: 'must be names of variables of the template' };
    return {
      ok: true,
      value: {
        // The official client sends dynamic_template_data only with an id that begins with `d-`.
        template_id: template.replace(/^d-/, ''),
        variables: { ...variables, ...person.dynamic_template_data },
      },
    };
  }
  const values = new Map(Object.entries(person.substitutions ?? {}).filter(([name]) => name !== ''));
  if (settings.unsubscribeTag !== undefined) values.set(settings.unsubscribeTag, UNSUBSCRIBE_PLACE);
  const value: Record<string, unknown> = {};
  for (const [name, text] of [
    ['subject', person.subject ?? body.subject],
    ['html', body.content?.[shared.html]?.value],
    ['text', body.content?.[shared.text]?.value],
  ] as const) {
    if (text === null || text === undefined) continue;
    const done = substitute(text, values);
    if (!done.ok) return done;
    value[name] = done.text;
  }
  return { ok: true, value };
}

function replyTos({ reply_to: one, reply_to_list: list }: MailBody) {
  return [...(one ? [one] : []), ...(list ?? [])];
}

type Texts = MailBody['headers'];

// Those of the personalization replace those of the message, whatever the case of their letters.
function mergeHeaders(message: Texts, own: Texts): { name: string; value: string }[] {
  const all = new Map<string, { name: string; value: string }>();
  for (const headers of [message, own])
    for (const [name, value] of Object.entries(headers ?? {}))
      if (!isAddedHeader(name)) all.set(name.toLowerCase(), { name, value });
  return [...all.values()];
}

interface NamedTag {
  name: string;
  value: string;
  path: string;
}

function tagsOf(body: MailBody, person: Personalization, path: string): NamedTag[] {
  const categories = [...(body.categories ?? []).entries()].filter(([, value]) => value !== '');
  const args = Object.entries({ ...body.custom_args, ...person.custom_args });
  const isOwn = (name: string) => Object.hasOwn(person.custom_args ?? {}, name);
  return [
    ...categories.map(([i, value]) => ({ name: CATEGORY_TAG, value, path: `categories[${i}]` })),
    ...args.map(([name, value]) => ({
      name,
      value,
      path: `${isOwn(name) ? `${path}.` : ''}custom_args.${name.slice(0, 100)}`,
    })),
    ...(body.batch_id ? [{ name: BATCH_TAG, value: body.batch_id, path: 'batch_id' }] : []),
  ];
}

type Names = Record<string, string>;

function fieldNames(body: MailBody, person: Personalization, path: string, shared: SharedParts): Names {
  const part = (index: number) => (index < 0 ? 'content' : `content[${index}].value`);
  return {
    from: person.from ? `${path}.from.email` : 'from.email',
    to: `${path}.to`,
    cc: `${path}.cc`,
    bcc: `${path}.bcc`,
    subject: person.subject ? `${path}.subject` : 'subject',
    html: part(shared.html),
    text: part(shared.text),
    variables: `${path}.dynamic_template_data`,
    reply_to: 'reply_to_list',
    reply_to_first: body.reply_to ? 'reply_to' : '',
    headers: person.headers ? `${path}.headers` : 'headers',
    tags: 'custom_args',
    scheduled_at: person.send_at ? `${path}.send_at` : 'send_at',
    track_opens: 'tracking_settings.open_tracking',
    track_clicks: 'tracking_settings.click_tracking',
    unsubscribe: 'tracking_settings.subscription_tracking',
    esp: 'ip_pool_name',
  };
}

// Those of `reply_to` and `reply_to_list` are one list of ours.
function replyPath({ reply_to_first: own }: Names, rest: string): string | undefined {
  const [, at] = /^\[(\d+)\]$/.exec(rest) ?? [];
  if (at === undefined) return undefined;
  const place = Number(at) - (own ? 1 : 0);
  return place < 0 ? 'reply_to.email' : `reply_to_list[${place}].email`;
}

function rename(field: string, names: Names, tags: NamedTag[]): string {
  const [, first = '', rest = ''] = /^([a-z_]+)(.*)$/s.exec(field) ?? [];
  const tag = first === 'tags' ? tags[Number(/^\[(\d+)\]/.exec(rest)?.[1])] : undefined;
  if (tag) return tag.path;
  const place = first === 'reply_to' ? replyPath(names, rest) : undefined;
  if (place !== undefined) return place;
  const ofAddress = first === 'to' || first === 'cc' || first === 'bcc';
  return `${names[first] ?? first}${rest}${ofAddress && rest !== '' ? '.email' : ''}`;
}
