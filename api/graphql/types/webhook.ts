// Webhooks: endpoints that events are posted to. Their secret is in the answer that creates it, and nowhere else.

import { toId } from '../../../core/base/ids.ts';
import { endpointChange, endpointTest, newEndpoint } from '../../../core/webhook/endpoint-input.ts';
import {
  MAX_COUNTED,
  type RecentDeliveries,
  type RunningReplay,
} from '../../../core/webhook/endpoint-activity-store.ts';
import { listEndpoints, selectEndpoint, type Endpoint } from '../../../core/webhook/endpoint-store.ts';
import {
  changeEndpoint,
  changesUrl,
  createEndpoint,
  deleteEndpoint,
  rotateEndpoint,
  type RevealedEndpoint,
} from '../../../core/webhook/endpoints.ts';
import {
  WEBHOOK_EVENTS,
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
} from '../../../core/webhook/event-types.ts';
import { bodyOf, WEBHOOK_FORMATS } from '../../../core/webhook/formats/formats.ts';
import { sampleEvent, testEndpoint } from '../../../core/webhook/test-event.ts';
import { CONFIRMED, type Builder } from '../builder.ts';
import { asCaller, confirmedSelf, signedIn, type GraphqlContext } from '../context.ts';
import { connectionCost, resolveOlder } from '../page.ts';
import { checkInput, requireId } from '../check-input.ts';
import type { DeletePayload } from './deleted.ts';
import type { InboundWebhookTypes } from './inbound-webhook.ts';

/** Adds Webhook, its queries and its mutations. */
export function addWebhookTypes(builder: Builder, { testSend }: InboundWebhookTypes, deleted: DeletePayload) {
  const format = addFormat(builder);
  const webhook = addWebhook(builder, format);
  builder.queryField('webhooks', (t) =>
    t.connection({
      type: webhook,
      description: 'Newest first',
      complexity: (args) => connectionCost(args),
      resolve: (_root, args, context) =>
        resolveOlder(args, (page) => listEndpoints(context.deps.db.pool, signedIn(context).tenantId, page)),
    }),
  );
  builder.queryField('webhook', (t) =>
    t.field({
      type: webhook,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, context) => readWebhook(context, id),
    }),
  );
  addEventTypes(builder, format);
  addChanges(builder, webhook, format);
  const byId = (name: string) =>
    builder.inputType(name, { fields: (t) => ({ id: t.id({ required: true }) }) });
  builder.mutationField('deleteWebhook', (t) =>
    t.field({
      type: deleted,
      description: 'What waits for it is not delivered, and its log is gone',
      args: { input: t.arg({ type: byId('DeleteWebhookInput'), required: true }) },
      resolve: async (_root, { input }, context) => {
        await deleteEndpoint(context.deps.webhook, ...asCaller(context), webhookId(input.id));
        return { id: input.id };
      },
    }),
  );
  const testInput = builder.inputType('TestWebhookInput', {
    fields: (t) => ({ id: t.id({ required: true }), eventType: t.string({ required: true }) }),
  });
  builder.mutationField('testWebhook', (t) =>
    t.field({
      type: testSend,
      description: 'Posts one signed sample, even while the webhook is off',
      args: { input: t.arg({ type: testInput, required: true }) },
      resolve: (_root, { input: { id, ...fields } }, context) => {
        const { event_type: type } = checkInput(endpointTest, fields);
        return testEndpoint(context.deps.webhook, signedIn(context).tenantId, webhookId(id), type);
      },
    }),
  );
  return { webhook };
}

function addFormat(builder: Builder) {
  return builder.enumType('WebhookFormat', { values: WEBHOOK_FORMATS });
}

type Format = ReturnType<typeof addFormat>;

function addWebhook(builder: Builder, format: Format) {
  const reason = builder.enumType('WebhookDisabledReason', {
    values: {
      gone: { description: 'The endpoint responded with 410' },
      failing: { description: 'No delivery succeeded for five days' },
    },
  });
  const recent = builder.objectRef<RecentDeliveries>('RecentDeliveries').implement({
    description: `Deliveries of the last 24 hours by status; the latest ${MAX_COUNTED} at most`,
    fields: (t) => ({
      pending: t.exposeInt('pending'),
      succeeded: t.exposeInt('succeeded'),
      failed: t.exposeInt('failed'),
      dead: t.exposeInt('dead'),
    }),
  });
  const replay = builder.objectRef<RunningReplay>('WebhookReplay').implement({
    description: 'A replay in progress',
    fields: (t) => ({
      id: t.exposeID('id'),
      reachedAt: t.expose('reachedAt', {
        type: 'DateTime',
        description: 'Deliveries created before this time have started again',
      }),
      until: t.expose('until', { type: 'DateTime' }),
    }),
  });
  const webhook = builder.objectRef<Endpoint>('Webhook');
  builder.node(webhook, {
    description: 'An endpoint that events are posted to',
    id: { resolve: ({ id }) => toId('whk', id) },
    isTypeOf: (value) => typeof value === 'object' && value !== null && 'eventTypes' in value,
    loadOne: (id, context) => readWebhook(context, id),
    fields: (t) => ({
      url: t.exposeString('url'),
      eventTypes: t.exposeStringList('eventTypes', { description: 'Or `*` alone for all types' }),
      description: t.exposeString('description', { nullable: true }),
      domainIds: t.idList({
        nullable: true,
        description: 'Only events of these domains; null: of all',
        resolve: ({ domainIds }) => domainIds?.map((id) => toId('dom', id)) ?? null,
      }),
      format: t.expose('format', { type: format }),
      enabled: t.exposeBoolean('enabled'),
      disabledReason: t.expose('disabledReason', {
        type: reason,
        nullable: true,
        description: 'Why it was turned off automatically; null when a person did',
      }),
      failingSince: t.expose('failingSince', {
        type: 'DateTime',
        nullable: true,
        description: 'The first failure since the last success',
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      rotatedAt: t.expose('rotatedAt', { type: 'DateTime', nullable: true }),
      previousSecretUntil: t.expose('previousUntil', {
        type: 'DateTime',
        nullable: true,
        description: 'Until then the secret before the last rotation signs as well',
      }),
      recentDeliveries: t.field({
        type: recent,
        resolve: async ({ id }, _args, context) =>
          (await context.account.recentDeliveries.load(id)) ?? NO_DELIVERIES,
      }),
      replays: t.field({
        type: [replay],
        description: 'Replays in progress',
        resolve: async ({ id }, _args, context) => (await context.account.runningReplays.load(id)) ?? [],
      }),
    }),
  });
  return webhook;
}

const NO_DELIVERIES: RecentDeliveries = { pending: 0, succeeded: 0, failed: 0, dead: 0 };

function addEventTypes(builder: Builder, format: Format): void {
  const eventType = builder.objectRef<WebhookEventType>('WebhookEventType').implement({
    description: 'A type of event that a webhook can receive',
    fields: (t) => ({
      name: t.string({ resolve: (name) => name }),
      description: t.string({ resolve: (name) => WEBHOOK_EVENTS[name].description }),
      sample: t.string({
        nullable: true,
        description: 'A body as it is posted; null when the format has none for this type',
        args: { format: t.arg({ type: format, defaultValue: 'standard' }) },
        resolve: (name, { format: shape }) => bodyOf(shape ?? 'standard', sampleEvent(name)),
      }),
    }),
  });
  builder.queryField('webhookEventTypes', (t) =>
    t.field({ type: [eventType], resolve: () => WEBHOOK_EVENT_TYPES }),
  );
}

function addChanges(builder: Builder, webhook: ReturnType<typeof addWebhook>, format: Format): void {
  const payload = builder.objectRef<{ webhook: Endpoint }>('WebhookPayload').implement({
    fields: (t) => ({ webhook: t.expose('webhook', { type: webhook }) }),
  });
  const revealed = builder.objectRef<RevealedEndpoint>('WebhookSecretPayload').implement({
    fields: (t) => ({
      webhook: t.expose('endpoint', { type: webhook }),
      secret: t.exposeString('secret', { description: 'Shown once' }),
    }),
  });
  const createInput = builder.inputType('CreateWebhookInput', {
    fields: (t) => ({
      url: t.string({ required: true, description: 'https, without credentials, at a public address' }),
      eventTypes: t.stringList({ required: true, description: 'names of webhookEventTypes, or `*`' }),
      description: t.string(),
      domainIds: t.idList({ description: 'null: events of all domains' }),
      format: t.field({ type: format }),
    }),
  });
  builder.mutationField('createWebhook', (t) =>
    t.field({
      type: revealed,
      description: `A tenant may have 20. ${CONFIRMED}`,
      args: { input: t.arg({ type: createInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        await confirmedSelf(context);
        return createEndpoint(context.deps.webhook, ...asCaller(context), checkInput(newEndpoint, input));
      },
    }),
  );
  const updateInput = builder.inputType('UpdateWebhookInput', {
    description: 'What is omitted stays unchanged',
    fields: (t) => ({
      id: t.id({ required: true }),
      url: t.string(),
      eventTypes: t.stringList(),
      description: t.string({ description: 'Null removes it' }),
      domainIds: t.idList({ description: 'Null: events of all domains' }),
      enabled: t.boolean({ description: 'true also ends what turned it off automatically' }),
    }),
  });
  builder.mutationField('updateWebhook', (t) =>
    t.field({
      type: payload,
      description: `Another URL: ${CONFIRMED}`,
      args: { input: t.arg({ type: updateInput, required: true }) },
      resolve: async (_root, { input: { id, ...fields } }, context) => {
        const change = checkInput(endpointChange, fields, ['description', 'domainIds']);
        const endpointId = webhookId(id);
        const { db, webhook } = context.deps;
        if (await changesUrl(db, signedIn(context).tenantId, endpointId, change))
          await confirmedSelf(context);
        return { webhook: await changeEndpoint(webhook, ...asCaller(context), endpointId, change) };
      },
    }),
  );
  const rotateInput = builder.inputType('RotateWebhookSecretInput', {
    fields: (t) => ({ id: t.id({ required: true }) }),
  });
  builder.mutationField('rotateWebhookSecret', (t) =>
    t.field({
      type: revealed,
      description: 'For 24 hours the old secret signs beside the new one',
      args: { input: t.arg({ type: rotateInput, required: true }) },
      resolve: (_root, { input }, context) =>
        rotateEndpoint(context.deps.webhook, ...asCaller(context), webhookId(input.id)),
    }),
  );
}

function readWebhook(context: GraphqlContext, id: string): Promise<Endpoint | null> {
  return selectEndpoint(context.deps.db.pool, signedIn(context).tenantId, webhookId(id));
}

/** The UUID of a webhook's id. Throws not_found for a malformed one. */
export function webhookId(id: string): string {
  return requireId('whk', id, 'webhook');
}

/** What other type files refer to. */
export type WebhookTypes = ReturnType<typeof addWebhookTypes>;
