// `sendMessage`: the same submission as REST, in camelCase.

import { nowDate } from '../../../core/base/clock.ts';
import { invalidField, invalidFields } from '../../../core/base/errors.ts';
import { toId } from '../../../core/base/ids.ts';
import { isIdempotencyKey, requestHash } from '../../../core/idempotency/run-once.ts';
import { toRefusal, type Accepted, type IdempotencyKey } from '../../../core/message/submission.ts';
import { countRecipients } from '../../../core/message/mailbox-input.ts';
import { parseSendInput } from '../../../core/message/send-input.ts';
import { submitMessage } from '../../../core/message/submit-message.ts';
import { testOrigin } from '../../../core/people/test-origin.ts';
import { countRequest } from '../../exchange.ts';
import type { Builder } from '../builder.ts';
import { signedIn } from '../context.ts';
import { toRestNames } from '../check-input.ts';
import type { MessageTypes } from './message.ts';
import { RECIPIENTS_COST, type ShownRecipient } from './recipient.ts';

/** Adds `sendMessage`. */
export function addSendMessage(builder: Builder, { recipient }: Pick<MessageTypes, 'recipient'>): void {
  const payload = addPayload(builder, recipient);
  const input = addInput(builder);
  builder.mutationField('sendMessage', (t) =>
    t.field({
      type: payload,
      args: { input: t.arg({ type: input, required: true }) },
      resolve: async (_root, args, context) => {
        const { idempotencyKey, ...fields } = args.input;
        const raw = toSendFields(fields);
        const more = countRecipients(raw) - 1; // the request itself is counted
        if (more > 0)
          await countRequest(context.deps, context.exchange, { key: 'send', nobody: 'visitor' }, more);
        const parsed = parseSendInput(raw, nowDate());
        if (!parsed.ok) throw invalidFields(parsed.details);
        const idempotency = readKey('sendMessage', idempotencyKey, raw);
        const { tenantId } = signedIn(context);
        const answer = await submitMessage(context.deps.sender, {
          tenantId,
          onlyDomain: null,
          input: parsed.input,
          origin: await testOrigin(context.deps.db.pool, tenantId, parsed.input.recipients),
          ...(idempotency && { idempotency }),
        });
        if (!answer.ok) throw toRefusal(answer);
        return { ...withDate(answer), recipients: (answer.recipients ?? []).map(withDate) };
      },
    }),
  );
}

function withDate<T extends { deferredUntil: string | null }>(answer: T) {
  const { deferredUntil } = answer;
  return { ...answer, deferredUntil: deferredUntil === null ? null : new Date(deferredUntil) };
}

function addPayload(builder: Builder, recipient: MessageTypes['recipient']) {
  const warmup = builder.objectRef<Accepted['warmup']>('WarmupUse').implement({
    description: 'The day’s cap of the sending domain, right after the decision',
    fields: (t) => ({ tier: t.exposeInt('tier'), cap: t.exposeInt('cap'), used: t.exposeInt('used') }),
  });
  type Shape = Omit<Accepted, 'deferredUntil' | 'recipients'> & {
    deferredUntil: Date | null;
    replayed: boolean;
    recipients: ShownRecipient[];
  };
  return builder.objectRef<Shape>('SendMessagePayload').implement({
    fields: (t) => ({
      id: t.id({ resolve: ({ id }) => toId('msg', id) }),
      status: t.exposeString('status', { description: 'queued, deferred or dropped' }),
      reason: t.exposeString('reason', { nullable: true }),
      deferredUntil: t.expose('deferredUntil', { type: 'DateTime', nullable: true }),
      domain: t.exposeString('domain'),
      warmup: t.expose('warmup', { type: warmup }),
      recipients: t.expose('recipients', {
        type: [recipient],
        description: 'all recipients in the order of to, cc, bcc, each with its decision; empty with one',
        complexity: RECIPIENTS_COST,
      }),
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
      contentType: t.string({ description: 'with its parameters, which are kept' }),
      contentId: t.string(),
      alternative: t.boolean({
        description:
          'true, for one attachment of text/calendar: an invitation beside text and html, in place of a file',
      }),
    }),
  });
  return builder.inputType('SendMessageInput', {
    description: 'As the body of POST /transactional/send',
    fields: (t) => ({
      from: t.string({ description: 'required, but with raw' }),
      to: t.stringList({ required: true, description: 'one address or several; 50 with cc and bcc' }),
      cc: t.stringList(),
      bcc: t.stringList(),
      subject: t.string(),
      html: t.string(),
      text: t.string(),
      raw: t.string({
        description: 'base64: a whole message in place of subject, html, text and attachments',
      }),
      templateId: t.id(),
      variables: t.field({ type: 'JSON' }),
      replyTo: t.stringList({ description: 'one address or several; at most 10' }),
      headers: t.field({ type: [pair('HeaderInput')] }),
      tags: t.field({ type: [pair('TagInput')] }),
      attachments: t.field({ type: [attachment] }),
      scheduledAt: t.string(),
      trackOpens: t.boolean(),
      trackClicks: t.boolean(),
      esp: t.string(),
      unsubscribe: t.boolean({
        description: 'our List-Unsubscribe pair, and the link in place of {{ unsubscribe_url }}',
      }),
      idempotencyKey: t.string(),
    }),
  });
}

// Template variables keep the names that the customer gave them; attachments have two-word fields of their own.
function toSendFields(fields: Record<string, unknown>): Record<string, unknown> {
  const raw = toRestNames(fields);
  const attachments = raw['attachments'] as Record<string, unknown>[] | undefined;
  // GraphQL makes a list of one address, and REST names the field of that one without a place in a list.
  const single = (list: unknown) => (Array.isArray(list) && list.length === 1 ? (list[0] as unknown) : list);
  const named = {
    ...raw,
    to: single(raw['to']),
    ...('reply_to' in raw && { reply_to: single(raw['reply_to']) }),
  };
  return attachments ? { ...named, attachments: attachments.map((one) => toRestNames(one)) } : named;
}

/** The idempotency key of a mutation that sends; `raw` is what was asked. Throws validation_failed. */
export function readKey(
  mutation: string,
  key: string | null | undefined,
  raw: unknown,
): IdempotencyKey | undefined {
  if (key === null || key === undefined) return undefined;
  if (!isIdempotencyKey(key))
    throw invalidField('idempotencyKey', 'must be 1 to 255 visible ASCII characters');
  return { key, bodyHash: requestHash('MUTATION', mutation, raw) };
}
