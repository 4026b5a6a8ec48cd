// Endpoints of events as callers write them.

import { z } from 'zod';

import { idInput } from '../base/id-input.ts';
import { line } from '../base/text-input.ts';
import { instant } from '../base/time-input.ts';
import { ALL_EVENT_TYPES, WEBHOOK_EVENT_TYPES } from './event-types.ts';
import { WEBHOOK_FORMATS } from './formats/formats.ts';
import { webhookUrl } from './webhook-input.ts';

const MAX_DESCRIPTION_CHARS = 500;
const MAX_DOMAINS = 100;

const domainId = idInput('dom', 'is not the id of a domain of yours');

const eventTypes = z
  .array(z.enum([...WEBHOOK_EVENT_TYPES, ALL_EVENT_TYPES]).meta({ id: 'WebhookEventType' }))
  .min(1)
  .max(WEBHOOK_EVENT_TYPES.length + 1)
  .transform((types) => (types.includes(ALL_EVENT_TYPES) ? [ALL_EVENT_TYPES] : [...new Set(types)]))
  .meta({ description: 'types of events, or `["*"]` for all of them, later ones too' });

const fields = {
  url: webhookUrl,
  event_types: eventTypes,
  description: line(MAX_DESCRIPTION_CHARS).nullable(),
  domain_ids: z.array(domainId).min(1).max(MAX_DOMAINS).nullable().meta({
    description: 'only events of these domains (`dom_…`), and those that belong to no domain; null: all',
  }),
  format: z.enum(WEBHOOK_FORMATS).meta({ description: 'the shape of bodies' }),
};

/** The body of a create. */
export const newEndpoint = z.strictObject({
  url: fields.url,
  event_types: fields.event_types,
  description: fields.description.default(null),
  domain_ids: fields.domain_ids.default(null),
  format: fields.format.default('standard'),
});

/** The body of a change: what is left out stays. */
export const endpointChange = z.strictObject({
  url: fields.url.optional(),
  event_types: fields.event_types.optional(),
  description: fields.description.optional(),
  domain_ids: fields.domain_ids.optional(),
  enabled: z.boolean().optional().meta({ description: 'true also ends what turned it off by itself' }),
});

/** The body of a replay of many: deliveries made from `since` on and before `until`. */
export const replayRange = z.strictObject({
  since: instant,
  until: instant.optional(),
  status: z
    .enum(['succeeded', 'failed', 'dead'])
    .optional()
    .meta({ description: 'only deliveries of this status; otherwise all that were attempted' }),
});

/** The body of a test. */
export const endpointTest = z.strictObject({ event_type: z.enum(WEBHOOK_EVENT_TYPES) });

/** A checked create. */
export type NewEndpoint = z.output<typeof newEndpoint>;

/** A checked change. */
export type EndpointChange = z.output<typeof endpointChange>;

/** A checked replay of many. */
export type ReplayRange = z.output<typeof replayRange>;
