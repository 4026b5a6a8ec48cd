// `sendMessage`: the same submission as REST, in camelCase.

import { nowDate } from '../../../core/base/clock.ts';
import { invalidField, invalidFields } from '../../../core/base/errors.ts';
import { toId } from '../../../core/base/ids.ts';
import { isIdempotencyKey, requestHash } from '../../../core/idempotency/run-once.ts';
import { toRefusal, type Accepted, type IdempotencyKey } from '../../../core/message/submission.ts';
import { parseSendInput } from '../../../core/message/send-input.ts';
import { submitMessage } from '../../../core/message/submit-message.ts';
import type { Builder } from '../builder.ts';
import { signedIn } from '../context.ts';
import { toRestNames } from '../check-input.ts';

/** Adds `sendMessage`. */
export function addSendMessage(builder: Builder): void {
  const payload = addPayload(builder);
  const input = addInput(builder);
  builder.mutationField('sendMessage', (t) =>
    t.field({
      type: payload,
      args: { input: t.arg({ type: input, required: true }) },
      resolve: async (_root, args, context) => {
        const { idempotencyKey, ...fields } = args.input;
        const raw = toSendFields(fields);
        const parsed = parseSendInput(raw, nowDate());
        if (!parsed.ok) throw invalidFields(parsed.details);
        const idempotency = readKey(idempotencyKey, raw);
        const answer = await submitMessage(context.deps.sender, {
          tenantId: signedIn(context).tenantId,
          input: parsed.input,
          ...(idempotency && { idempotency }),
        });
        if (!answer.ok) throw toRefusal(answer);
        return {
          ...answer,
          deferredUntil: answer.deferredUntil === null ? null : new Date(answer.deferredUntil),
        };
      },
    }),
  );
}

function addPayload(builder: Builder) {
  const warmup = builder.objectRef<Accepted['warmup']>('WarmupUse').implement({
    description: 'The day’s cap of the sending domain, right after the decision',
    fields: (t) => ({ tier: t.exposeInt('tier'), cap: t.exposeInt('cap'), used: t.exposeInt('used') }),
  });
  type Shape = Omit<Accepted, 'deferredUntil'> & { deferredUntil: Date | null; replayed: boolean };
  return builder.objectRef<Shape>('SendMessagePayload').implement({
    fields: (t) => ({
      id: t.id({ resolve: ({ id }) => toId('msg', id) }),
      status: t.exposeString('status', { description: 'queued, deferred or dropped' }),
      reason: t.exposeString('reason', { nullable: true }),
      deferredUntil: t.expose('deferredUntil', { type: 'DateTime', nullable: true }),
      domain: t.exposeString('domain'),
      warmup: t.expose('warmup', { type: warmup }),
      replayed: t.exposeBoolean('replayed', {
        description: 'true: the answer to an earlier request with this idempotency key',
      }),
    }),
  });
}

function addInput(builder: Builder) {
  const pair = (name: string) =>
    builder.inputType(name, {
      fields: (t) => ({ name: t.string({ required: true }), value: t.string({ required: true }) }),
    });
  const attachment = builder.inputType('AttachmentInput', {
    fields: (t) => ({
      filename: t.string({ required: true }),
      content: t.string({ required: true, description: 'base64' }),
      contentType: t.string(),
      contentId: t.string(),
    }),
  });
  return builder.inputType('SendMessageInput', {
    description: 'As the body of POST /transactional/send',
    fields: (t) => ({
      from: t.string({ required: true }),
      to: t.string({ required: true }),
      subject: t.string(),
      html: t.string(),
      text: t.string(),
      templateId: t.id(),
      variables: t.field({ type: 'JSON' }),
      replyTo: t.string(),
      headers: t.field({ type: [pair('HeaderInput')] }),
      tags: t.field({ type: [pair('TagInput')] }),
      attachments: t.field({ type: [attachment] }),
      scheduledAt: t.string(),
      trackOpens: t.boolean(),
      trackClicks: t.boolean(),
      esp: t.string(),
      idempotencyKey: t.string(),
    }),
  });
}

// Template variables keep the names that the customer gave them; attachments have two-word fields of their own.
function toSendFields(fields: Record<string, unknown>): Record<string, unknown> {
  const raw = toRestNames(fields);
  const attachments = raw['attachments'] as Record<string, unknown>[] | undefined;
  return attachments ? { ...raw, attachments: attachments.map((one) => toRestNames(one)) } : raw;
}

function readKey(key: string | null | undefined, raw: unknown): IdempotencyKey | undefined {
  if (key === null || key === undefined) return undefined;
  if (!isIdempotencyKey(key))
    throw invalidField('idempotencyKey', 'must be 1 to 255 visible ASCII characters');
  return { key, bodyHash: requestHash('MUTATION', 'sendMessage', raw) };
}
