// The webhook's settings as callers write them.

import { z } from 'zod';

const MAX_URL_CHARS = 2_000;

/** Where something is posted to. Where it may lead is said by core/clients/guarded-http.ts. */
export const webhookUrl = z.string().max(MAX_URL_CHARS).meta({
  format: 'uri',
  pattern: '^https://[^/?#@\\s]+(?:[/?][^#\\s]*)?$',
  description: 'https, without credentials, at a public address',
});

/** The body of a change: only what is named changes. */
export const webhookChange = z.strictObject({
  webhook_url: webhookUrl.optional(),
  enabled: z.boolean().optional(),
});
