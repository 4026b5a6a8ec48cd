// The plan of a warm-up as operators ask for it.

import { z } from 'zod';

import { calendarDay } from '../base/time-input.ts';
import { LARGEST_TARGET, STRATEGIES } from './schedule.ts';

const LAST_MONTH = '9999-12'; // no day of RFC 3339 is later, and a plan has 30

/** What a plan is made from. */
export const scheduleInput = z.strictObject({
  start_date: calendarDay
    .refine((day) => !day.startsWith(LAST_MONTH), 'must leave 30 days before the year 10000')
    .meta({ pattern: `^(?!${LAST_MONTH})` }),
  total_target_recipients: z.int().min(1).max(LARGEST_TARGET),
  ramp_strategy: z.enum(STRATEGIES).default('standard'),
});
