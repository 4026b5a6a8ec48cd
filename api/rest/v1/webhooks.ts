// /webhooks: endpoints that are told what happens.

import { z } from 'zod';

import { idInput, idView } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import { endpointChange, endpointTest, newEndpoint } from '../../../core/webhook/endpoint-input.ts';
import { listEndpoints, type Endpoint } from '../../../core/webhook/endpoint-store.ts';
import {
  changeEndpoint,
  changesUrl,
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  rotateEndpoint,
  type RevealedEndpoint,
} from '../../../core/webhook/endpoints.ts';
import { testEndpoint } from '../../../core/webhook/test-event.ts';
import { decodeCursor, UUID_KEY } from '../../cursor.ts';
import { jsonBody } from '../../endpoint.ts';
import { CONFIRMED_CALLER, requireConfirmedCaller } from '../confirmed-caller.ts';
import { deletedAnswer } from '../deleted.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { defineRoute } from '../route.ts';
import { testSendView, toTestSendView } from './test-send-view.ts';

const GROUP = 'Webhooks';
const params = z.object({ id: idInput('whk') });

const endpointView = z
  .object({
    id: idView('whk'),
    url: z.string(),
    event_types: z.array(z.string()),
    description: z.string().nullable(),
    domain_ids: z.array(idView('dom')).nullable(),
    format: z.string(),
    enabled: z.boolean(),
    disabled_reason: z.string().nullable().meta({
      description:
        'why it was turned off by itself: `gone` after an answer of 410, `failing` after five days',
    }),
    failing_since: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'the first failure since the last success' }),
    created_at: z.iso.datetime(),
    rotated_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Webhook', description: 'An endpoint that is told what happens' });

const revealedView = endpointView
  .extend({ secret: z.string().meta({ description: '`whsec_` and base64; shown once' }) })
  .meta({ id: 'WebhookWithSecret', description: 'An endpoint with its new secret' });

/** POST /webhooks */
export const postWebhook = defineRoute(
  {
    operationId: 'createWebhook',
    method: 'POST',
    path: '/webhooks',
    access: 'webhooks:write',
    group: GROUP,
    summary: 'Create a webhook',
    description:
      'Events of the chosen types are posted to the URL, signed as Standard Webhooks says, up to 7 times until it ' +
      `answers 2xx. A tenant may have 20. \`secret\` is in this answer only. ${CONFIRMED_CALLER}`,
    body: jsonBody(newEndpoint),
    response: revealedView,
    hasSecret: true,
    status: 201,
    errors: ['confirmation_required'],
    example: {
      url: 'https://app.example.com/webhooks',
      event_types: ['message.delivered', 'message.bounced'],
    },
  },
  async ({ deps, caller, by, body }) => {
    await requireConfirmedCaller(deps, caller);
    return { data: toRevealed(await createEndpoint(deps.webhook, by, caller.tenantId, body)) };
  },
);

/** GET /webhooks */
export const getWebhooks = defineRoute(
  {
    operationId: 'listWebhooks',
    method: 'GET',
    path: '/webhooks',
    access: 'webhooks:read',
    group: GROUP,
    summary: 'List webhooks',
    query: z.strictObject(pageQuery),
    response: pageOf(endpointView),
    status: 200,
  },
  async ({ deps, caller, query }) => {
    const [before = null] = query.after === undefined ? [] : decodeCursor(query.after, [UUID_KEY]);
    const rows = await listEndpoints(deps.db.pool, caller.tenantId, { before, limit: query.limit + 1 });
    return { data: toPage(rows, query.limit, (row) => [row.id], toView) };
  },
);

/** GET /webhooks/{id} */
export const getWebhook = defineRoute(
  {
    operationId: 'getWebhook',
    method: 'GET',
    path: '/webhooks/{id}',
    access: 'webhooks:read',
    group: GROUP,
    summary: 'Read a webhook',
    params,
    response: endpointView,
    status: 200,
  },
  async ({ deps, caller, params: { id } }) => ({
    data: toView(await getEndpoint(deps.db, caller.tenantId, id)),
  }),
);

/** PATCH /webhooks/{id} */
export const patchWebhook = defineRoute(
  {
    operationId: 'changeWebhook',
    method: 'PATCH',
    path: '/webhooks/{id}',
    access: 'webhooks:write',
    group: GROUP,
    summary: 'Change a webhook',
    description:
      'While it is off nothing is posted and no new event is kept for it; what waited already is posted when it is on ' +
      `again within seven days. Another URL: ${CONFIRMED_CALLER}`,
    params,
    body: jsonBody(endpointChange),
    response: endpointView,
    status: 200,
    errors: ['confirmation_required'],
    example: { event_types: ['*'], enabled: true },
  },
  async ({ deps, caller, by, params: { id }, body }) => {
    const { tenantId } = caller;
    if (await changesUrl(deps.db, tenantId, id, body)) await requireConfirmedCaller(deps, caller);
    return { data: toView(await changeEndpoint(deps.webhook, by, tenantId, id, body)) };
  },
);

/** DELETE /webhooks/{id} */
export const removeWebhook = defineRoute(
  {
    operationId: 'deleteWebhook',
    method: 'DELETE',
    path: '/webhooks/{id}',
    access: 'webhooks:write',
    group: GROUP,
    summary: 'Delete a webhook',
    description: 'What waits for it is not posted any more, and its log cannot be read any more.',
    params,
    response: deletedAnswer,
    status: 200,
  },
  async ({ deps, caller, by, params: { id } }) => {
    await deleteEndpoint(deps.webhook, by, caller.tenantId, id);
    return { data: { id: toId('whk', id), deleted: true as const } };
  },
);

/** POST /webhooks/{id}/rotate */
export const rotateWebhook = defineRoute(
  {
    operationId: 'rotateWebhook',
    method: 'POST',
    path: '/webhooks/{id}/rotate',
    access: 'webhooks:write',
    group: GROUP,
    summary: 'Replace the secret of a webhook',
    description: 'For 24 hours the old secret signs beside the new one. `secret` is in this answer only.',
    params,
    response: revealedView,
    hasSecret: true,
    status: 200,
  },
  async ({ deps, caller, by, params: { id } }) => ({
    data: toRevealed(await rotateEndpoint(deps.webhook, by, caller.tenantId, id)),
  }),
);

/** POST /webhooks/{id}/test */
export const testWebhook = defineRoute(
  {
    operationId: 'testWebhook',
    method: 'POST',
    path: '/webhooks/{id}/test',
    access: 'webhooks:write',
    group: GROUP,
    summary: 'Send a sample event to a webhook',
    description: 'Passes if the endpoint responds with 2xx within 10 seconds. It is in no log.',
    params,
    body: jsonBody(endpointTest),
    response: testSendView,
    status: 200,
    example: { event_type: 'message.delivered' },
  },
  async ({ deps, caller, params: { id }, body }) => ({
    data: toTestSendView(await testEndpoint(deps.webhook, caller.tenantId, id, body.event_type)),
  }),
);

function toView(endpoint: Endpoint): z.input<typeof endpointView> {
  return {
    id: toId('whk', endpoint.id),
    url: endpoint.url,
    event_types: endpoint.eventTypes,
    description: endpoint.description,
    domain_ids: endpoint.domainIds?.map((id) => toId('dom', id)) ?? null,
    format: endpoint.format,
    enabled: endpoint.enabled,
    disabled_reason: endpoint.disabledReason,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
    rotated_at: endpoint.rotatedAt?.toISOString() ?? null,
  };
}

function toRevealed({ endpoint, secret }: RevealedEndpoint): z.input<typeof revealedView> {
  return { ...toView(endpoint), secret };
}
