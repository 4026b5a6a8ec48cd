// The plan of a warm-up as operators ask for it.

import { z } from 'zod';

import { LARGEST_TARGET, STRATEGIES } from './schedule.ts';

/** What a plan is made from. */
export const scheduleInput = z.strictObject({
  start_date: z.iso
    .date()
    .refine((text) => text >= '2000-01-01' && text < '3000-01-01', 'must be a date of this era'),
  total_target_recipients: z.int().min(1).max(LARGEST_TARGET),
  ramp_strategy: z.enum(STRATEGIES).default('standard'),
});
