// The filters of a list of messages as callers write them.

import { z } from 'zod';

import { idInput } from '../base/id-input.ts';
import { filledText, SPACES } from '../base/text-input.ts';
import { instant } from '../base/time-input.ts';
import { BETWEEN_WORDS, MIN_PART_CHARS, wordsOf, type TagFilter } from './search/terms.ts';
import { MESSAGE_STATES } from './states.ts';

const MAX_ADDRESS_CHARS = 320; // 64 of the local part, the at, 255 of the domain (RFC 5321 4.5.3.1)
const MAX_QUERY_CHARS = 200;
const MAX_WORDS = 10;
const MAX_TAG_CHARS = 513; // a name, an equals sign and a value

const SOLID = `[^${SPACES}\\u0000]`;

const words = filledText(MAX_QUERY_CHARS).transform((given, context): string[] => {
  const found = [...new Set(wordsOf(given))];
  if (found.length > 0 && found.length <= MAX_WORDS) return found;
  context.addIssue({ code: 'custom', message: `must have 1 to ${MAX_WORDS} words` });
  return z.NEVER;
});

const tag = filledText(MAX_TAG_CHARS).transform((given): TagFilter => {
  const at = given.indexOf('=');
  return at === -1 ? { name: given, value: null } : { name: given.slice(0, at), value: given.slice(at + 1) };
});

/** The filters, by the contract's names. */
export const messageFilters = {
  to: filledText(MAX_ADDRESS_CHARS)
    .min(MIN_PART_CHARS)
    .optional()
    .meta({
      pattern: `^[${SPACES}]*${SOLID}[^\\u0000]{${MIN_PART_CHARS - 2},}${SOLID}[${SPACES}]*$`,
      description:
        'the recipient’s address or a part of it, at least 3 characters; letter case plays no role',
    }),
  q: words.optional().meta({
    pattern: `^[^\\u0000]*[^\\u0000${BETWEEN_WORDS.slice(1, -1)}][^\\u0000]*$`,
    description: 'words that are all in the subject, whole and in any order; letter case plays no role',
  }),
  status: z.enum(MESSAGE_STATES).optional(),
  tag: tag.optional().meta({
    description: '`name`: has such a tag; `name=value`: with this value',
    examples: ['kind=receipt'],
  }),
  domain: filledText(255).optional().meta({ description: 'name of the sending domain' }),
  campaign_id: idInput('cmp', 'is not a campaign id (cmp_…)').optional(),
  since: instant.optional().meta({ description: 'created from this time on' }),
  until: instant.optional().meta({ description: 'created before this time' }),
};

/** All filters together. */
export const messageFilter = z.strictObject(messageFilters).transform(toMessageFilter);

/** The filters under the names of the list. */
export function toMessageFilter({ q, campaign_id, ...rest }: MessageFilters) {
  return { ...rest, words: q, campaignId: campaign_id };
}

type MessageFilters = { [K in keyof typeof messageFilters]?: z.output<(typeof messageFilters)[K]> };
