// The webhook's settings as callers write them.

import { z } from 'zod';

const MAX_URL_CHARS = 2_000;

/** The body of a change: only what is named changes. Where a URL may lead is said by core/clients/guarded-http.ts. */
export const webhookChange = z.strictObject({
  webhook_url: z.string().max(MAX_URL_CHARS).optional(),
  enabled: z.boolean().optional(),
});
