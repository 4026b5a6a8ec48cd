// /settings/inbound-webhook: where inbound mail is posted to.

import { z } from 'zod';

import { changeWebhook, readWebhook, type WebhookSettings } from '../../../core/webhook/settings.ts';
import { testSend } from '../../../core/webhook/test-send.ts';
import { webhookChange } from '../../../core/webhook/webhook-input.ts';
import { jsonBody } from '../../endpoint.ts';
import { CONFIRMED_CALLER, requireConfirmedCaller } from '../confirmed-caller.ts';
import { defineRoute } from '../route.ts';
import { testSendView, toTestSendView } from './test-send-view.ts';

const GROUP = 'Inbound webhook';
const PATH = '/settings/inbound-webhook';

const settingsView = z
  .object({
    webhook_url: z.string().nullable(),
    enabled: z.boolean(),
    created_at: z.iso.datetime().nullable(),
    rotated_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'InboundWebhook', description: 'The endpoint that receives inbound mail' });

const changedView = settingsView.extend({
  secret: z.string().optional().meta({ description: 'only when created or rotated; shown once' }),
  secret_revealed_once: z.literal(true).optional(),
});

/** GET /settings/inbound-webhook */
export const getInboundWebhook = defineRoute(
  {
    operationId: 'getInboundWebhook',
    method: 'GET',
    path: PATH,
    access: 'settings:read',
    group: GROUP,
    summary: 'Read the webhook',
    response: settingsView,
    status: 200,
  },
  async ({ deps, caller }) => ({ data: toView(await readWebhook(deps.db, caller.tenantId)) }),
);

/** PATCH /settings/inbound-webhook */
export const changeInboundWebhook = defineRoute(
  {
    operationId: 'changeInboundWebhook',
    method: 'PATCH',
    path: PATH,
    access: 'settings:write',
    group: GROUP,
    summary: 'Set up or change the webhook',
    description:
      'The first change creates the secret; `rotate_secret=true` replaces it, and the new one signs from then on. A ' +
      `secret is shown once. The URL must be https, without credentials, at a public address. ${CONFIRMED_CALLER}`,
    query: z.strictObject({
      rotate_secret: z.enum(['true', 'false']).optional().meta({ description: 'create a new secret' }),
    }),
    body: jsonBody(webhookChange),
    response: changedView,
    status: 200,
    errors: ['confirmation_required'],
    example: { webhook_url: 'https://app.example.com/inbound', enabled: true },
  },
  async ({ deps, caller, by, query, body }) => {
    await requireConfirmedCaller(deps, caller);
    const { settings, secret } = await changeWebhook(deps.webhook, by, caller.tenantId, {
      webhookUrl: body.webhook_url,
      enabled: body.enabled,
      rotate: query.rotate_secret === 'true',
    });
    const shown = secret === null ? {} : { secret, secret_revealed_once: true as const };
    return { data: { ...toView(settings), ...shown } };
  },
);

/** POST /settings/inbound-webhook/test-send */
export const testInboundWebhook = defineRoute(
  {
    operationId: 'testInboundWebhook',
    method: 'POST',
    path: `${PATH}/test-send`,
    access: 'settings:write',
    group: GROUP,
    summary: 'Send a test message to the webhook',
    description: 'Passes if the endpoint responds with 2xx within 10 seconds.',
    response: testSendView,
    status: 200,
  },
  async ({ deps, caller }) => ({ data: toTestSendView(await testSend(deps.webhook, caller.tenantId)) }),
);

function toView(settings: WebhookSettings | null): z.input<typeof settingsView> {
  return {
    webhook_url: settings?.webhookUrl ?? null,
    enabled: settings?.enabled ?? false,
    created_at: settings?.createdAt.toISOString() ?? null,
    rotated_at: settings?.rotatedAt?.toISOString() ?? null,
  };
}
