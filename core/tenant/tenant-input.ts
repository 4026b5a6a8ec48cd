// Tenants as operators write them, and what any name of a tenant, key or token may be.

import { z } from 'zod';

import { CONTROLS } from '../base/text-input.ts';
import { PLANS } from './plan.ts';

const MAX_NAME_CHARS = 100; // enough for people, short enough for every table

/** A name, trimmed. */
export const nameInput = z
  .string()
  .trim()
  .min(1)
  .max(MAX_NAME_CHARS)
  .refine((text) => !/\p{Cc}/u.test(text) && text.isWellFormed(), 'must not have control characters')
  .meta({ pattern: `^[^${CONTROLS}]*$` });

/** A tenant to create. */
export const newTenant = z.strictObject({ name: nameInput, plan: z.enum(PLANS) });

/** The plan that a tenant is put on. */
export const planInput = z.strictObject({ plan: z.enum(PLANS) });
