// What we post to the endpoints of /webhooks, in the words of OpenAPI: one entry for each type of event.

import { WEBHOOK_EVENTS, WEBHOOK_EVENT_TYPES } from '../../core/webhook/event-types.ts';
import { EVENT_HEADERS } from '../../core/webhook/standard-webhook.ts';

type Json = Record<string, unknown>;

/** The entries, by the name of the type. */
export function eventWebhooks(): Record<string, Json> {
  return Object.fromEntries(WEBHOOK_EVENT_TYPES.map((type) => [type, { post: posted(type) }]));
}

function posted(type: keyof typeof WEBHOOK_EVENTS): Json {
  const { description, sample } = WEBHOOK_EVENTS[type];
  return {
    summary: description,
    description:
      'Posted to each webhook that wants it, up to 7 times, until it answers 2xx; 410 turns the webhook off. Signed as ' +
      'Standard Webhooks says: its libraries verify it. `POST /webhooks/{id}/test` sends a sample.',
    parameters: Object.entries(EVENT_HEADERS).map(([name, says]) => ({
      name,
      in: 'header',
      required: true,
      description: says,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['type', 'timestamp', 'data'],
            properties: {
              type: { type: 'string', const: type },
              timestamp: { type: 'string', format: 'date-time' },
              data: type.startsWith('message.') ? MESSAGE_DATA : { type: 'object', examples: [sample] },
            },
          },
        },
      },
    },
    responses: { '2XX': { description: 'taken; anything else is tried again, but 4xx other than 429' } },
  };
}

const MESSAGE_DATA = {
  description: 'the event as GET /events shows it, with what its message is',
  type: 'object',
  required: ['id', 'type', 'message_id', 'recipient', 'domain', 'occurred_at', 'data'],
  properties: {
    id: { type: 'string', description: 'as `webhook-id`' },
    type: { type: 'string' },
    message_id: { type: 'string' },
    campaign_id: { type: ['string', 'null'] },
    recipient: { type: 'string' },
    domain: { type: 'string' },
    occurred_at: { type: 'string', format: 'date-time' },
    data: { type: 'object' },
    from: { type: ['string', 'null'] },
    subject: { type: ['string', 'null'] },
    tags: { type: ['array', 'null'], items: { type: 'object' } },
  },
};
