// How an operator asks for another tier, or for the end of a pause.

import { z } from 'zod';

import { TOP_TIER } from './tiers.ts';
import { storable } from '../base/text-input.ts';

const MAX_REASON_CHARS = 500;

/** What an operator may do to a tier besides naming it. `hold` freezes it until `release`. */
export const TIER_ACTIONS = ['advance', 'hold', 'release', 'demote'] as const;

/** One of them. */
export type TierAction = (typeof TIER_ACTIONS)[number];

const reason = storable(MAX_REASON_CHARS).meta({ description: 'why, for the history' });

/** An override: either an action or a tier. */
export const tierInput = z
  .strictObject({
    action: z.enum(TIER_ACTIONS).optional(),
    tier: z.int().min(0).max(TOP_TIER).optional(),
    reason: reason.default(''),
  })
  .refine(({ action, tier }) => (action === undefined) !== (tier === undefined), {
    path: ['action'],
    message: 'is required unless a tier is given; give one of the two',
  })
  .meta({ oneOf: [{ required: ['action'] }, { required: ['tier'] }] });

/** The end of a pause. */
export const resumeInput = z.strictObject({ reason: reason.default('the pause was lifted manually') });
