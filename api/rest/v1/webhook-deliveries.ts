// /webhooks/{id}/deliveries: what was posted to an endpoint and what it answered, and posting it again.

import { z } from 'zod';

import { idInput, idView } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import { instant } from '../../../core/base/time-input.ts';
import {
  DELIVERY_STATUSES,
  selectDeliveryLog,
  type LoggedDelivery,
} from '../../../core/webhook/delivery-log-store.ts';
import { replayRange } from '../../../core/webhook/endpoint-input.ts';
import { getEndpoint } from '../../../core/webhook/endpoints.ts';
import { WEBHOOK_EVENT_TYPES } from '../../../core/webhook/event-types.ts';
import { replayDelivery, replayRange as replay } from '../../../core/webhook/replays.ts';
import { decodeCursor, keyTime, TIME_KEY, timeKey, UUID_KEY } from '../../cursor.ts';
import { jsonBody } from '../../endpoint.ts';
import { pageOf, pageQueryBy, toPage } from '../page.ts';
import { defineRoute } from '../route.ts';

const GROUP = 'Webhooks';
const id = idInput('whk');

const deliveryView = z
  .object({
    id: idView('wdl'),
    event_id: z
      .string()
      .meta({ description: 'what `webhook-id` says, at every attempt and after a replay too' }),
    event_type: z.string(),
    status: z.enum(DELIVERY_STATUSES).meta({
      description:
        '`pending`: not attempted yet; `succeeded`: answered with 2xx; `failed`: attempted again at `next_attempt_at`; ' +
        '`dead`: given up',
    }),
    created_at: z.iso.datetime(),
    attempts: z.array(
      z.object({
        at: z.iso.datetime(),
        status_code: z.int().nullable(),
        duration_ms: z.int().nullable(),
        error: z.string().nullable(),
        response_body: z.string().nullable().meta({ description: 'its first 4 KiB' }),
      }),
    ),
    next_attempt_at: z.iso.datetime().nullable(),
    request_body: z.string().meta({ description: 'the body as it was signed' }),
  })
  .meta({ id: 'WebhookDelivery', description: 'One event on its way to one webhook' });

/** GET /webhooks/{id}/deliveries */
export const getWebhookDeliveries = defineRoute(
  {
    operationId: 'listWebhookDeliveries',
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    access: 'webhooks:read',
    group: GROUP,
    summary: 'List the deliveries of a webhook',
    description: 'Kept for 30 days.',
    params: z.object({ id }),
    query: z.strictObject({
      ...pageQueryBy([TIME_KEY, UUID_KEY]),
      status: z.enum(DELIVERY_STATUSES).optional(),
      event_type: z.enum(WEBHOOK_EVENT_TYPES).optional(),
      since: instant.optional().meta({ description: 'made from this time on' }),
    }),
    response: pageOf(deliveryView),
    status: 200,
  },
  async ({ deps, caller, params, query }) => {
    await getEndpoint(deps.db, caller.tenantId, params.id);
    const [at, last] = query.after === undefined ? [] : decodeCursor(query.after, [TIME_KEY, UUID_KEY]);
    const rows = await selectDeliveryLog(deps.db.pool, caller.tenantId, params.id, {
      status: query.status,
      eventType: query.event_type,
      since: query.since,
      before: at === undefined || last === undefined ? undefined : { at: keyTime(at), id: last },
      limit: query.limit + 1,
    });
    const key = (row: LoggedDelivery) => [timeKey(row.createdAt), row.id];
    return { data: toPage(rows, query.limit, key, toView) };
  },
);

/** POST /webhooks/{id}/deliveries/{wdl}/replay */
export const replayWebhookDelivery = defineRoute(
  {
    operationId: 'replayWebhookDelivery',
    method: 'POST',
    path: '/webhooks/{id}/deliveries/{wdl}/replay',
    access: 'webhooks:write',
    group: GROUP,
    summary: 'Deliver an event again',
    description: 'Whatever became of it: starts again with attempt 1, under the same `webhook-id`.',
    params: z.object({ id, wdl: idInput('wdl') }),
    response: z.object({ id: idView('wdl'), replayed: z.literal(true) }),
    status: 202,
  },
  async ({ deps, caller, by, params }) => {
    await replayDelivery(deps, by, caller.tenantId, params.id, params.wdl);
    return { data: { id: toId('wdl', params.wdl), replayed: true as const } };
  },
);

/** POST /webhooks/{id}/replay */
export const replayWebhook = defineRoute(
  {
    operationId: 'replayWebhook',
    method: 'POST',
    path: '/webhooks/{id}/replay',
    access: 'webhooks:write',
    group: GROUP,
    summary: 'Deliver the events of a range of time again',
    description:
      'All deliveries of the webhook that were made from `since` on and before `until` (now, without it), those that ' +
      'were not attempted yet apart. They start again in the background, oldest first.',
    params: z.object({ id }),
    body: jsonBody(replayRange),
    response: z.object({ id: idView('whk'), replaying: z.literal(true) }),
    status: 202,
    example: { since: '2026-01-31T08:00:00Z', status: 'dead' },
  },
  async ({ deps, caller, by, params, body }) => {
    await replay(deps, by, caller.tenantId, params.id, body);
    return { data: { id: toId('whk', params.id), replaying: true as const } };
  },
);

function toView(delivery: LoggedDelivery): z.input<typeof deliveryView> {
  return {
    id: toId('wdl', delivery.id),
    event_id: toId('evt', delivery.eventId),
    event_type: delivery.eventType,
    status: delivery.status,
    created_at: delivery.createdAt.toISOString(),
    attempts: delivery.attempts.map((attempt) => ({
      at: attempt.at.toISOString(),
      status_code: attempt.statusCode,
      duration_ms: attempt.durationMs,
      error: attempt.error,
      response_body: attempt.responseBody,
    })),
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    request_body: delivery.requestBody,
  };
}
