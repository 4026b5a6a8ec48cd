// The webhook for inbound mail: where it goes, its secret (shown once), and a test of it.

import type { TestSendResult } from '../../../core/webhook/test-send.ts';
import { testSend } from '../../../core/webhook/test-send.ts';
import { webhookChange } from '../../../core/webhook/webhook-input.ts';
import { changeWebhook, readWebhook, type WebhookSettings } from '../../../core/webhook/settings.ts';
import { CONFIRMED, type Builder } from '../builder.ts';
import { asCaller, confirmedSelf, signedIn } from '../context.ts';
import { checkInput } from '../check-input.ts';

/** Adds InboundWebhook, TestSend and what is done with them. */
export function addInboundWebhookTypes(builder: Builder) {
  const webhook = builder.objectRef<Partial<WebhookSettings>>('InboundWebhook').implement({
    description: 'The endpoint that receives inbound mail',
    fields: (t) => ({
      webhookUrl: t.string({ nullable: true, resolve: ({ webhookUrl }) => webhookUrl ?? null }),
      enabled: t.boolean({ resolve: ({ enabled }) => enabled ?? false }),
      createdAt: t.field({ type: 'DateTime', nullable: true, resolve: ({ createdAt }) => createdAt ?? null }),
      rotatedAt: t.field({ type: 'DateTime', nullable: true, resolve: ({ rotatedAt }) => rotatedAt ?? null }),
    }),
  });
  builder.queryField('inboundWebhook', (t) =>
    t.field({
      type: webhook,
      resolve: async (_root, _args, context) =>
        (await readWebhook(context.deps.db, signedIn(context).tenantId)) ?? {},
    }),
  );
  const input = builder.inputType('UpdateInboundWebhookInput', {
    fields: (t) => ({
      webhookUrl: t.string({ description: 'https, without credentials, at a public address' }),
      enabled: t.boolean(),
      rotateSecret: t.boolean(),
    }),
  });
  type Changed = { inboundWebhook: WebhookSettings; secret: string | null };
  const payload = builder.objectRef<Changed>('InboundWebhookPayload').implement({
    fields: (t) => ({
      inboundWebhook: t.expose('inboundWebhook', { type: webhook }),
      secret: t.exposeString('secret', {
        nullable: true,
        description: 'Only when created or rotated; shown once',
      }),
    }),
  });
  builder.mutationField('updateInboundWebhook', (t) =>
    t.field({
      type: payload,
      description: CONFIRMED,
      args: { input: t.arg({ type: input, required: true }) },
      resolve: async (_root, { input: { rotateSecret, ...fields } }, context) => {
        await confirmedSelf(context);
        const { webhook_url: webhookUrl, enabled } = checkInput(webhookChange, fields);
        const { settings, secret } = await changeWebhook(context.deps.webhook, ...asCaller(context), {
          webhookUrl,
          enabled,
          rotate: rotateSecret ?? false,
        });
        return { inboundWebhook: settings, secret };
      },
    }),
  );
  const test = builder.objectRef<TestSendResult>('TestSend').implement({
    description: 'The endpoint’s response to a test message',
    fields: (t) => ({
      passed: t.exposeBoolean('passed', { description: 'The endpoint responded with 2xx within 10 seconds' }),
      statusCode: t.exposeInt('statusCode', { nullable: true }),
      durationMs: t.exposeInt('durationMs', { description: 'Milliseconds' }),
      error: t.exposeString('error', { nullable: true }),
      responseBody: t.exposeString('responseBody', {
        nullable: true,
        description: 'The start of the response; untrusted content',
      }),
    }),
  });
  builder.mutationField('testInboundWebhook', (t) =>
    t.field({
      type: test,
      resolve: (_root, _args, context) => testSend(context.deps.webhook, signedIn(context).tenantId),
    }),
  );
  return { testSend: test };
}

/** What other type files refer to. */
export type InboundWebhookTypes = ReturnType<typeof addInboundWebhookTypes>;
