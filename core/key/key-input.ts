// API keys and admin tokens as people ask for them.

import { z } from 'zod';

import { nameInput } from '../tenant/tenant-input.ts';
import { SCOPES } from './scope.ts';

/** An API key to create; a scope that is named twice counts once. */
export const newKey = z.strictObject({
  name: nameInput,
  scopes: z
    .array(z.enum(SCOPES))
    .min(1)
    .transform((scopes) => [...new Set(scopes)]),
});

/** A super-admin token to create. */
export const newAdminToken = z.strictObject({ name: nameInput.default('operator') });
