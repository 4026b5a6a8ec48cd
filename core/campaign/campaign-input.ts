// Campaigns as callers write them.

import { z } from 'zod';

import { idInput } from '../base/id-input.ts';
import { filledLine, storable } from '../base/text-input.ts';
import { instant } from '../base/time-input.ts';
import { parseAddress, parseMailbox } from '../mail/address.ts';
import { ADDRESS_FORM, MAILBOX_FORM } from '../mail/address-form.ts';
import { MAX_PART_CHARS, MAX_SUBJECT_SOURCE_CHARS } from '../template/template.ts';
import type { Audience, CampaignContent } from './campaign.ts';

/** Characters of a campaign's name. */
export const MAX_NAME_CHARS = 200;
const MAX_TAG_CHARS = 100;
const mailbox = z
  .string()
  .refine((text) => parseMailbox(text).ok, 'is not a mailbox: write `address` or `Name <address>`')
  .trim()
  .meta(MAILBOX_FORM);

const part = storable(MAX_PART_CHARS, 1);

const audience = z
  .union([
    z.strictObject({ list_id: idInput('lst', 'is not a list id (lst_…)') }),
    z.strictObject({ tag: filledLine(MAX_TAG_CHARS) }),
    z.strictObject({ all: z.literal(true) }),
  ])
  .transform((given): Audience => ('list_id' in given ? { listId: given.list_id } : given))
  .meta({ description: 'the subscribed contacts of a list, with a tag, or all of them' });

const fields = {
  name: filledLine(MAX_NAME_CHARS),
  from: mailbox,
  reply_to: mailbox.nullable(),
  subject: filledLine(MAX_SUBJECT_SOURCE_CHARS)
    .nullable()
    .meta({ description: 'Liquid; replaces the subject of the template' }),
  template_id: idInput('tpl', 'is not a template id (tpl_…)').nullable(),
  html: part.nullable().meta({ description: 'Liquid, with the contact’s attributes as variables' }),
  text: part.nullable(),
  audience,
  track_opens: z.boolean().nullable(),
  track_clicks: z.boolean().nullable(),
};

const version = z.int().min(1).max(2_147_483_647).meta({
  description: 'refuses with 409 when the campaign has another version by now: somebody else changed it',
});

const unfinished = z.boolean().meta({
  description: 'true: saves a draft whose content is missing or does not parse yet; its launch checks it',
});

// What contentProblem says, of a whole campaign, in the words of JSON Schema.
const given = { type: 'string' } as const;
const absent = { type: 'null' } as const;
const saved = { unfinished: { const: true } } as const;
const CONTENT_RULE = {
  anyOf: [
    { required: ['template_id'], properties: { template_id: given, html: absent, text: absent } },
    { required: ['subject', 'html'], properties: { subject: given, html: given, template_id: absent } },
    { required: ['subject', 'text'], properties: { subject: given, text: given, template_id: absent } },
    { required: ['unfinished'], properties: { ...saved, html: absent, text: absent } },
    { required: ['unfinished'], properties: { ...saved, template_id: absent } },
  ],
};

/** The body of a create. */
export const newCampaign = z
  .strictObject({
    ...fields,
    reply_to: fields.reply_to.optional(),
    subject: fields.subject.optional(),
    template_id: fields.template_id.optional(),
    html: fields.html.optional(),
    text: fields.text.optional(),
    track_opens: fields.track_opens.optional(),
    track_clicks: fields.track_clicks.optional(),
    unfinished: unfinished.optional(),
  })
  .meta({
    id: 'CampaignCreate',
    description: 'One message to many contacts, from a template or with its own content',
    ...CONTENT_RULE,
  });

/** The body of a change: only what is named changes. */
export const campaignChange = z
  .strictObject({ ...fields, version, unfinished })
  .partial()
  .meta({ id: 'CampaignChange' });

/** A checked create or change. */
export type CampaignChange = z.output<typeof campaignChange>;

/** Seconds that a launch may be held back at most: long enough to think again, too short to be forgotten. */
const MAX_DELAY_SECONDS = 60;

/** The body of a launch. */
export const launchInput = z
  .strictObject({
    scheduled_at: instant.optional(),
    delay_seconds: z.int().min(0).max(MAX_DELAY_SECONDS).optional().meta({
      description: 'starts so many seconds from now; until then `undo-launch` makes it a draft again',
    }),
    version: version.optional(),
  })
  .refine((body) => body.scheduled_at === undefined || body.delay_seconds === undefined, {
    path: ['delay_seconds'],
    message: 'cannot be combined with scheduled_at',
  })
  .meta({ not: { required: ['scheduled_at', 'delay_seconds'] } });

/** A checked launch. */
export type LaunchInput = z.output<typeof launchInput>;

/** The body of a test: to whom, and as which contact would get it. */
export const testInput = z.strictObject({
  to: z
    .string()
    .refine((text) => parseMailbox(text).ok, 'is not an address')
    .trim()
    .meta({ ...MAILBOX_FORM, description: 'who gets the test' }),
  contact_email: z
    .string()
    .refine((text) => parseAddress(text).ok, 'is not an address')
    .optional()
    .meta({
      ...ADDRESS_FORM,
      description: 'the contact to render it for; default: the first of the audience',
    }),
});

/** The content with a change laid over it. */
export function applyChange(before: CampaignContent, change: CampaignChange): CampaignContent {
  return {
    name: change.name ?? before.name,
    from: change.from ?? before.from,
    audience: change.audience ?? before.audience,
    replyTo: pick(change.reply_to, before.replyTo),
    subject: pick(change.subject, before.subject),
    templateId: pick(change.template_id, before.templateId),
    html: pick(change.html, before.html),
    text: pick(change.text, before.text),
    trackOpens: pick(change.track_opens, before.trackOpens),
    trackClicks: pick(change.track_clicks, before.trackClicks),
  };
}

/** The first field that keeps a campaign from having one message to say, or null. An unfinished one may have none yet. */
export function contentProblem(
  content: CampaignContent,
  isUnfinished = false,
): { path: string; message: string } | null {
  const own = content.html !== null || content.text !== null;
  if (content.templateId !== null)
    return own ? { path: 'template_id', message: 'cannot be combined with html or text' } : null;
  if (isUnfinished) return null;
  if (!own) return { path: 'html', message: 'is required: give html and/or text, or template_id' };
  return content.subject === null ? { path: 'subject', message: 'is required' } : null;
}

function pick<T>(changed: T | undefined, before: T): T {
  return changed === undefined ? before : changed;
}
