// Campaigns as callers write them.

import { z } from 'zod';

import { fromId, type IdPrefix } from '../base/ids.ts';
import { instant } from '../base/time-input.ts';
import { parseMailbox } from '../mail/address.ts';
import { MAX_PART_CHARS, MAX_SUBJECT_SOURCE_CHARS } from '../template/template.ts';
import type { Audience, CampaignContent } from './campaign.ts';
import { isStorable, NOT_STORABLE } from '../base/storable-text.ts';

const MAX_NAME_CHARS = 200;
const MAX_TAG_CHARS = 100;
const CONTROL = /\p{Cc}/u;

const oneLine = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine(
      (text) => !CONTROL.test(text) && text.isWellFormed(),
      'must not have line breaks or control characters',
    );

const mailbox = z
  .string()
  .refine((text) => parseMailbox(text).ok, 'is not a mailbox: write `address` or `Name <address>`')
  .trim();

const part = z.string().min(1).max(MAX_PART_CHARS).refine(isStorable, NOT_STORABLE);

const idOf = (prefix: IdPrefix, what: string) =>
  z.string().transform((text, context): string => {
    const uuid = fromId(prefix, text);
    if (uuid !== null) return uuid;
    context.addIssue({ code: 'custom', message: `is not a ${what} id (${prefix}_…)` });
    return z.NEVER;
  });

const audience = z
  .union([
    z.strictObject({ list_id: idOf('lst', 'list') }),
    z.strictObject({ tag: oneLine(MAX_TAG_CHARS) }),
    z.strictObject({ all: z.literal(true) }),
  ])
  .transform((given): Audience => ('list_id' in given ? { listId: given.list_id } : given))
  .meta({ description: 'the subscribed contacts of a list, with a tag, or all of them' });

const fields = {
  name: oneLine(MAX_NAME_CHARS),
  from: mailbox,
  reply_to: mailbox.nullable(),
  subject: oneLine(MAX_SUBJECT_SOURCE_CHARS)
    .nullable()
    .meta({ description: 'Liquid; replaces the subject of the template' }),
  template_id: idOf('tpl', 'template').nullable(),
  html: part.nullable().meta({ description: 'Liquid, with the contact’s attributes as variables' }),
  text: part.nullable(),
  audience,
  track_opens: z.boolean().nullable(),
  track_clicks: z.boolean().nullable(),
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
  })
  .meta({
    id: 'CampaignCreate',
    description: 'One message to many contacts, from a template or with its own content',
  });

/** The body of a change: only what is named changes. */
export const campaignChange = z.strictObject(fields).partial().meta({ id: 'CampaignChange' });

/** A checked create or change. */
export type CampaignChange = z.output<typeof campaignChange>;

/** The body of a launch. */
export const launchInput = z.strictObject({
  scheduled_at: instant.optional(),
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

/** The first field that keeps a campaign from having one message to say, or null. */
export function contentProblem(content: CampaignContent): { path: string; message: string } | null {
  const own = content.html !== null || content.text !== null;
  if (content.templateId !== null)
    return own ? { path: 'template_id', message: 'cannot be combined with html or text' } : null;
  if (!own) return { path: 'html', message: 'is required: give html and/or text, or template_id' };
  return content.subject === null ? { path: 'subject', message: 'is required' } : null;
}

function pick<T>(changed: T | undefined, before: T): T {
  return changed === undefined ? before : changed;
}
