// The plan of a warm-up as operators ask for it.

import { z } from 'zod';

import { calendarDay } from '../base/time-input.ts';
import { LARGEST_TARGET, STRATEGIES } from './schedule.ts';

/** What a plan is made from. */
export const scheduleInput = z.strictObject({
  start_date: calendarDay,
  total_target_recipients: z.int().min(1).max(LARGEST_TARGET),
  ramp_strategy: z.enum(STRATEGIES).default('standard'),
});
