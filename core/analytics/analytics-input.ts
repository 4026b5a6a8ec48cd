// What callers ask of analytics: which days, of which mail, by what.

import { z } from 'zod';

import { idInput } from '../base/id-input.ts';
import { filledText } from '../base/text-input.ts';
import { calendarDay } from '../base/time-input.ts';

/** Most days of one answer: a year, and one of those for which the year before is compared. */
export const MAX_DAYS = 366;

/** Days when nothing is said. */
export const DEFAULT_DAYS = 30;

const FIRST_DAY = '2000-01-01'; // nobody's mail is older, and the days before a range are days as well

/** What mail can be told apart by. */
export const GROUPS = ['domain', 'tag', 'campaign', 'provider'] as const;

const analyticsFilters = {
  days: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_DAYS)
    .optional()
    .meta({ description: `the last so many UTC days, today included; ${DEFAULT_DAYS} when nothing is said` }),
  from: calendarDay.optional().meta({ description: 'instead of days: the first UTC day; needs `to`' }),
  to: calendarDay.optional().meta({ description: `the last UTC day, at most ${MAX_DAYS} in all` }),
  domain: filledText(255).optional().meta({ description: 'name of a sending domain' }),
  tag: filledText(513)
    .optional()
    .meta({
      description: '`name=value`; at most one of tag, campaign_id and provider',
      examples: ['kind=receipt'],
    }),
  campaign_id: idInput('cmp', 'is not a campaign id (cmp_…)').optional(),
  provider: filledText(64).optional().meta({ description: 'name of a mailbox provider, such as gmail' }),
  group_by: z.enum(GROUPS).optional().meta({
    description: 'adds the totals of each; with a filter by tag, campaign or provider only `domain`',
  }),
};

type Given = { [K in keyof typeof analyticsFilters]?: z.output<(typeof analyticsFilters)[K]> };

/** All filters together; what excludes each other is refused. */
export const analyticsQuery = z.strictObject(analyticsFilters).superRefine(checkTogether);

// The rules that no single filter can say.
function checkTogether(given: Given, context: z.RefinementCtx): void {
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  const { days, from, to, tag, campaign_id, provider, group_by } = given;
  if ((from === undefined) !== (to === undefined)) refuse(from === undefined ? 'from' : 'to', 'is missing');
  else if (from !== undefined && days !== undefined) refuse('days', 'must be left out with from and to');
  else if (from !== undefined && to !== undefined) {
    const span = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
    if (from < FIRST_DAY) refuse('from', `must be ${FIRST_DAY} or later`);
    else if (span < 1) refuse('to', 'must not be before from');
    else if (span > MAX_DAYS) refuse('to', `must be at most ${MAX_DAYS} days from the first`);
  }
  const narrow = [tag, campaign_id, provider].filter((one) => one !== undefined).length;
  if (narrow > 1) refuse('tag', 'must be the only one of tag, campaign_id and provider');
  else if (narrow === 1 && group_by !== undefined && group_by !== 'domain')
    refuse('group_by', 'must be domain, or left out, with a filter by tag, campaign or provider');
}

/** What is asked, checked. */
export type AnalyticsQuery = z.output<typeof analyticsQuery>;
