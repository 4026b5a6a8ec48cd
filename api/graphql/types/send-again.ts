// `sendMessageAgain` and `tryMessageNow`.

import { notFound } from '../../../core/base/errors.ts';
import { toId } from '../../../core/base/ids.ts';
import { selectMessage, type MessageSummary } from '../../../core/message/message-store.ts';
import { againInput } from '../../../core/message/send-again-input.ts';
import { sendAgain } from '../../../core/message/send-again.ts';
import { toRefusal } from '../../../core/message/submission.ts';
import { tryNow } from '../../../core/message/try-now.ts';
import type { Builder } from '../builder.ts';
import { asCaller, signedIn, type GraphqlContext } from '../context.ts';
import { checkInput, requireId } from '../check-input.ts';
import type { MessageTypes } from './message.ts';
import { readKey } from './send-message.ts';

/** Adds both mutations. */
export function addSendAgain(builder: Builder, { message }: Pick<MessageTypes, 'message'>): void {
  const againFields = builder.inputType('SendMessageAgainInput', {
    fields: (t) => ({
      id: t.id({ required: true }),
      to: t.string({ description: 'Instead of its recipient: an address to look at it' }),
      idempotencyKey: t.string({ description: 'The same key again gives the first answer' }),
    }),
  });
  const again = builder
    .objectRef<{ id: string; status: string; replayed: boolean }>('SendMessageAgainPayload')
    .implement({
      fields: (t) => ({
        id: t.id({ description: 'Of the new message', resolve: ({ id }) => toId('msg', id) }),
        status: t.exposeString('status', { description: 'queued, deferred or dropped' }),
        replayed: t.exposeBoolean('replayed', {
          description: 'true: the answer to an earlier request with this idempotency key',
        }),
      }),
    });
  builder.mutationField('sendMessageAgain', (t) =>
    t.field({
      type: again,
      description: 'The same content as a new message, to its recipient or to another address',
      args: { input: t.arg({ type: againFields, required: true }) },
      resolve: async (_root, { input: { id, to, idempotencyKey } }, context) => {
        const idempotency = readKey('sendMessageAgain', idempotencyKey, { id, to });
        const checked = checkInput(againInput, { to });
        const uuid = requireId('msg', id, 'message');
        const [by, tenantId] = asCaller(context);
        const wanted = { id: uuid, to: checked.to?.text, idempotency };
        const answer = await sendAgain(context.deps, by, tenantId, wanted);
        if (!answer.ok) throw toRefusal(answer);
        return answer;
      },
    }),
  );

  const nowFields = builder.inputType('TryMessageNowInput', {
    fields: (t) => ({ id: t.id({ required: true }) }),
  });
  const now = builder.objectRef<{ message: MessageSummary }>('TryMessageNowPayload').implement({
    fields: (t) => ({ message: t.expose('message', { type: message }) }),
  });
  builder.mutationField('tryMessageNow', (t) =>
    t.field({
      type: now,
      description:
        'A message that waits for its next attempt becomes due; conflict says why another one cannot',
      args: { input: t.arg({ type: nowFields, required: true }) },
      resolve: async (_root, { input }, context) => {
        const id = requireId('msg', input.id, 'message');
        await tryNow(context.deps, ...asCaller(context), id);
        return { message: await messageOf(context, id) };
      },
    }),
  );
}

async function messageOf(context: GraphqlContext, id: string): Promise<MessageSummary> {
  const found = await selectMessage(context.deps.db.pool, signedIn(context).tenantId, id);
  if (!found) throw notFound('message');
  return found;
}
