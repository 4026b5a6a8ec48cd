// The log of a webhook's deliveries, and delivering again.

import { invalidField, notFound } from '../../../core/base/errors.ts';
import { fromId, toId } from '../../../core/base/ids.ts';
import {
  DELIVERY_STATUSES,
  selectDelivery,
  selectDeliveryLog,
  type LoggedAttempt,
  type LoggedDelivery,
} from '../../../core/webhook/delivery-log-store.ts';
import { countReplayable, type Replayable } from '../../../core/webhook/endpoint-activity-store.ts';
import { replayRange } from '../../../core/webhook/endpoint-input.ts';
import { selectEndpoint, type Endpoint } from '../../../core/webhook/endpoint-store.ts';
import { WEBHOOK_EVENT_TYPES } from '../../../core/webhook/event-types.ts';
import { replayDelivery, replayRange as replay } from '../../../core/webhook/replays.ts';
import { keyTime, TIME_KEY, timeKey, UUID_KEY } from '../../cursor.ts';
import type { Builder } from '../builder.ts';
import { asCaller, signedIn } from '../context.ts';
import { connectionCost, resolveForward } from '../page.ts';
import { checkInput, requireId } from '../check-input.ts';
import { webhookId, type WebhookTypes } from './webhook.ts';

/** Adds WebhookDelivery, `deliveries` and `delivery` of Webhook, and the two replays. */
export function addWebhookDeliveries(builder: Builder, { webhook }: WebhookTypes): void {
  const status = addStatus(builder);
  const delivery = addDelivery(builder, status);
  builder.objectField(webhook, 'deliveries', (t) =>
    t.connection({
      type: delivery,
      description: 'Newest first; kept for 30 days',
      args: {
        status: t.arg({ type: status }),
        eventType: t.arg.string(),
        since: t.arg({ type: 'DateTime', description: 'created from this time on' }),
      },
      complexity: (args) => connectionCost(args),
      resolve: ({ id }, args, context) => {
        const filter = {
          status: args.status ?? undefined,
          eventType: readType(args.eventType),
          since: args.since ?? undefined,
        };
        return resolveForward<LoggedDelivery>(
          args,
          [TIME_KEY, UUID_KEY],
          (row) => [timeKey(row.createdAt), row.id],
          ({ after, limit }) => {
            const [at, last] = after ?? [];
            const before = at === undefined || last === undefined ? undefined : { at: keyTime(at), id: last };
            const { tenantId } = signedIn(context);
            return selectDeliveryLog(context.deps.db.pool, tenantId, id, { ...filter, before, limit });
          },
        );
      },
    }),
  );
  builder.objectField(webhook, 'delivery', (t) =>
    t.field({
      type: delivery,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      resolve: ({ id: endpointId }, { id }, context) => {
        const uuid = fromId('wdl', id);
        if (uuid === null) return null;
        return selectDelivery(context.deps.db.pool, signedIn(context).tenantId, endpointId, uuid);
      },
    }),
  );
  addReplays(builder, delivery, webhook);
}

function addStatus(builder: Builder) {
  return builder.enumType('WebhookDeliveryStatus', {
    description: 'pending: not attempted yet; failed: attempted again later; dead: not attempted any more',
    values: DELIVERY_STATUSES,
  });
}

function addDelivery(builder: Builder, status: ReturnType<typeof addStatus>) {
  const attempt = builder.objectRef<LoggedAttempt>('WebhookAttempt').implement({
    description: 'One request of a delivery',
    fields: (t) => ({
      at: t.expose('at', { type: 'DateTime' }),
      statusCode: t.exposeInt('statusCode', { nullable: true }),
      durationMs: t.exposeInt('durationMs', { nullable: true, description: 'Milliseconds' }),
      error: t.exposeString('error', { nullable: true }),
      responseBody: t.exposeString('responseBody', {
        nullable: true,
        description: 'Its first 4 KiB; untrusted content',
      }),
    }),
  });
  return builder.objectRef<LoggedDelivery>('WebhookDelivery').implement({
    description: 'The delivery of one event to one webhook',
    fields: (t) => ({
      id: t.id({ resolve: ({ id }) => toId('wdl', id) }),
      eventId: t.id({
        description: 'The header `webhook-id`, the same on every attempt',
        resolve: ({ eventId }) => toId('evt', eventId),
      }),
      eventType: t.exposeString('eventType'),
      status: t.expose('status', { type: status }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      nextAttemptAt: t.expose('nextAttemptAt', { type: 'DateTime', nullable: true }),
      requestBody: t.exposeString('requestBody'),
      attempts: t.expose('attempts', { type: [attempt] }),
    }),
  });
}

function addReplays(
  builder: Builder,
  delivery: ReturnType<typeof addDelivery>,
  webhook: WebhookTypes['webhook'],
): void {
  const onePayload = builder
    .objectRef<{ delivery: LoggedDelivery }>('ReplayWebhookDeliveryPayload')
    .implement({
      fields: (t) => ({ delivery: t.expose('delivery', { type: delivery }) }),
    });
  const oneInput = builder.inputType('ReplayWebhookDeliveryInput', {
    fields: (t) => ({ webhookId: t.id({ required: true }), id: t.id({ required: true }) }),
  });
  builder.mutationField('replayWebhookDelivery', (t) =>
    t.field({
      type: onePayload,
      description: 'Starts again with attempt 1, under the same event id',
      args: { input: t.arg({ type: oneInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const [by, tenantId] = asCaller(context);
        const endpointId = webhookId(input.webhookId);
        const id = requireId('wdl', input.id, 'delivery');
        await replayDelivery(context.deps, by, tenantId, endpointId, id);
        const shown = await selectDelivery(context.deps.db.pool, tenantId, endpointId, id);
        if (!shown) throw notFound('delivery');
        return { delivery: shown };
      },
    }),
  );
  const rangePayload = builder
    .objectRef<Replayable & { webhook: Endpoint }>('ReplayWebhookPayload')
    .implement({
      fields: (t) => ({
        webhook: t.expose('webhook', { type: webhook }),
        deliveries: t.exposeInt('deliveries', { description: 'How many start again' }),
        atLeast: t.exposeBoolean('atLeast', { description: 'There are more than were counted' }),
      }),
    });
  const rangeInput = builder.inputType('ReplayWebhookInput', {
    fields: (t) => ({
      id: t.id({ required: true }),
      since: t.string({ required: true, description: 'RFC 3339' }),
      until: t.string({ description: 'RFC 3339; default: now' }),
      status: t.string({ description: 'succeeded, failed or dead; default: all that were attempted' }),
    }),
  });
  builder.mutationField('replayWebhook', (t) =>
    t.field({
      type: rangePayload,
      description: 'The deliveries created in a range of time start again, in the background',
      args: { input: t.arg({ type: rangeInput, required: true }) },
      resolve: async (_root, { input: { id, ...fields } }, context) => {
        const [by, tenantId] = asCaller(context);
        const range = checkInput(replayRange, fields);
        const endpointId = webhookId(id);
        const { pool } = context.deps.db;
        const counted = await countReplayable(pool, tenantId, endpointId, range);
        await replay(context.deps, by, tenantId, endpointId, range);
        const endpoint = await selectEndpoint(pool, tenantId, endpointId);
        if (!endpoint) throw notFound('webhook');
        return { ...counted, webhook: endpoint };
      },
    }),
  );
}

function readType(type: string | null | undefined): string | undefined {
  if (type === null || type === undefined) return undefined;
  if (!(WEBHOOK_EVENT_TYPES as string[]).includes(type))
    throw invalidField('eventType', `must be one of ${WEBHOOK_EVENT_TYPES.join(', ')}`);
  return type;
}
