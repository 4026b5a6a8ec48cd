// The body of a broadcast as that of a campaign of ours.

import { z } from 'zod';

import { checkValue, type Checked } from '../../../core/base/field-problems.ts';
import { campaignChange, newCampaign, type CampaignChange } from '../../../core/campaign/campaign-input.ts';
import type { BodySpec } from '../../endpoint.ts';
import { DEFAULT_BODY_BYTES } from '../../read-body.ts';
import { toLiquid } from './merge-tags.ts';

const words = z.string().nullish();
const nothing = (why: string) => z.null({ error: `is not supported: ${why}` }).optional();

const fields = z.object({
  name: words,
  segment_id: words,
  audience_id: words,
  from: words,
  subject: words,
  reply_to: z.union([z.string(), z.array(z.string()).max(1, 'must be one address')]).nullish(),
  html: words,
  text: words,
  preview_text: nothing('put it at the start of the html'),
  topic_id: nothing('there are no topics'),
});

const created = fields.extend({ send: z.boolean().nullish(), scheduled_at: z.unknown().optional() });

/** A new broadcast, and when it is to go out. */
export interface NewBroadcast {
  campaign: CampaignChange;
  /** At once, or at `scheduledAt`. */
  send: boolean;
  scheduledAt: unknown;
}

/** The body of broadcasts.create. */
export const createdBroadcast: BodySpec<NewBroadcast> = {
  schema: created,
  limitBytes: DEFAULT_BODY_BYTES,
  check: (raw) => {
    const given = checkValue(created, raw);
    if (!given.ok) return given;
    const { send, scheduled_at: scheduledAt } = given.value;
    const name = given.value.name ?? given.value.subject;
    const campaign = asTheirs(checkValue(newCampaign, toCampaign({ ...given.value, name })));
    if (!campaign.ok) return campaign;
    return { ok: true, value: { campaign: campaign.value, send: send === true, scheduledAt } };
  },
};

/** The body of broadcasts.update. */
export const changedBroadcast: BodySpec<CampaignChange> = {
  schema: fields,
  limitBytes: DEFAULT_BODY_BYTES,
  check: (raw) => {
    const given = checkValue(fields, raw);
    return given.ok ? asTheirs(checkValue(campaignChange, toCampaign(given.value))) : given;
  },
};

function toCampaign({ name, segment_id, audience_id, from, reply_to, ...content }: z.output<typeof fields>) {
  const list = segment_id ?? audience_id;
  const { subject, html, text } = content;
  const replyTo = Array.isArray(reply_to) ? reply_to[0] : reply_to;
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof from === 'string' && { from }),
    ...(typeof list === 'string' && { audience: { list_id: list } }),
    ...(typeof replyTo === 'string' && { reply_to: replyTo }),
    ...(typeof subject === 'string' && { subject: toLiquid(subject) }),
    ...(typeof html === 'string' && { html: toLiquid(html) }),
    ...(typeof text === 'string' && text !== '' && { text: toLiquid(text) }),
  };
}

// Problems name the fields that the caller wrote.
function asTheirs<T>(checked: Checked<T>): Checked<T> {
  if (checked.ok) return checked;
  const details = checked.details.map(({ path, message }) => ({
    path: path.startsWith('audience') ? 'segment_id' : path,
    message,
  }));
  return { ok: false, details };
}
