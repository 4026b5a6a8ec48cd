// Mailboxes: addresses of owned domains whose mail people read.

import { toId } from '../../../core/base/ids.ts';
import { mailboxChange, newMailbox } from '../../../core/inbound/mailbox-input.ts';
import { listMailboxes, selectMailbox, type Mailbox } from '../../../core/inbound/mailbox-store.ts';
import { createMailbox, deleteMailbox, renameMailbox } from '../../../core/inbound/mailboxes.ts';
import type { Builder } from '../builder.ts';
import { asCaller, signedIn } from '../context.ts';
import { connectionCost, resolveOlder } from '../page.ts';
import { checkInput, requireId } from '../check-input.ts';
import type { DeletePayload } from './deleted.ts';

/** Adds Mailbox, its query and its mutations. */
export function addMailboxTypes(builder: Builder, deleted: DeletePayload): void {
  const mailbox = builder.objectRef<Mailbox>('Mailbox');
  builder.node(mailbox, {
    id: { resolve: ({ id }) => toId('mbx', id) },
    isTypeOf: (value) => typeof value === 'object' && value !== null && 'address' in value,
    loadOne: (id, context) => selectMailbox(context.deps.db.pool, signedIn(context).tenantId, idOf({ id })),
    fields: (t) => ({
      address: t.exposeString('address', {
        description: 'An address, or `*@domain` for a catch-all',
      }),
      name: t.exposeString('name', { nullable: true }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      unread: t.int({
        resolve: async ({ id }, _args, context) => (await context.account.unread.load(id)) ?? 0,
      }),
    }),
  });
  builder.queryField('mailboxes', (t) =>
    t.connection({
      type: mailbox,
      description: 'Newest first',
      complexity: (args) => connectionCost(args),
      resolve: (_root, args, context) =>
        resolveOlder(args, (page) => listMailboxes(context.deps.db.pool, signedIn(context).tenantId, page)),
    }),
  );
  const payload = builder.objectRef<{ mailbox: Mailbox }>('MailboxPayload').implement({
    fields: (t) => ({ mailbox: t.expose('mailbox', { type: mailbox }) }),
  });
  const createInput = builder.inputType('CreateMailboxInput', {
    fields: (t) => ({ address: t.string({ required: true }), name: t.string() }),
  });
  builder.mutationField('createMailbox', (t) =>
    t.field({
      type: payload,
      description: 'Its domain must be a verified domain of the tenant',
      args: { input: t.arg({ type: createInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const fields = checkInput(newMailbox, input);
        return { mailbox: await createMailbox(context.deps, ...asCaller(context), fields) };
      },
    }),
  );
  const renameInput = builder.inputType('RenameMailboxInput', {
    fields: (t) => ({
      id: t.id({ required: true }),
      name: t.string({ description: 'Null removes the name; if omitted, it stays unchanged' }),
    }),
  });
  builder.mutationField('renameMailbox', (t) =>
    t.field({
      type: payload,
      args: { input: t.arg({ type: renameInput, required: true }) },
      resolve: async (_root, { input: { id, ...fields } }, context) => {
        const change = checkInput(mailboxChange, fields, ['name']);
        return { mailbox: await renameMailbox(context.deps, ...asCaller(context), idOf({ id }), change) };
      },
    }),
  );
  const deleteInput = builder.inputType('DeleteMailboxInput', {
    fields: (t) => ({ id: t.id({ required: true }) }),
  });
  builder.mutationField('deleteMailbox', (t) =>
    t.field({
      type: deleted,
      description: 'Its messages are kept, without a mailbox',
      args: { input: t.arg({ type: deleteInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        await deleteMailbox(context.deps, ...asCaller(context), idOf(input));
        return { id: input.id };
      },
    }),
  );
}

function idOf({ id }: { id: string }): string {
  return requireId('mbx', id, 'mailbox');
}
