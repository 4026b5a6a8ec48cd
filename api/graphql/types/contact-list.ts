// Lists: named sets of contacts.

import { toId } from '../../../core/base/ids.ts';
import { contactListInput } from '../../../core/contact/contact-input.ts';
import type { ContactList } from '../../../core/contact/contact.ts';
import { createList, deleteList, getList, listLists, renameList } from '../../../core/contact/lists.ts';
import type { Builder } from '../builder.ts';
import { asCaller, signedIn } from '../context.ts';
import { connectionCost, resolveOlder } from '../page.ts';
import { checkInput, requireId } from '../check-input.ts';
import type { DeletePayload } from './deleted.ts';

/** Adds ContactList, its query and its mutations. */
export function addContactListTypes(builder: Builder, deleted: DeletePayload) {
  const contactList = builder.objectRef<ContactList>('ContactList');
  builder.node(contactList, {
    id: { resolve: ({ id }) => toId('lst', id) },
    isTypeOf: (value) => typeof value === 'object' && value !== null && 'contactsCount' in value,
    loadOne: (id, context) => getList(context.deps.db, signedIn(context).tenantId, idOf(id)),
    fields: (t) => ({
      name: t.exposeString('name'),
      contactsCount: t.exposeInt('contactsCount'),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
    }),
  });
  builder.queryField('contactLists', (t) =>
    t.connection({
      type: contactList,
      description: 'Newest first',
      complexity: (args) => connectionCost(args),
      resolve: (_root, args, context) =>
        resolveOlder(args, (page) => listLists(context.deps.db, signedIn(context).tenantId, page)),
    }),
  );

  const payload = builder.objectRef<{ contactList: ContactList }>('ContactListPayload').implement({
    fields: (t) => ({ contactList: t.expose('contactList', { type: contactList }) }),
  });
  const createInput = builder.inputType('CreateContactListInput', {
    fields: (t) => ({ name: t.string({ required: true }) }),
  });
  builder.mutationField('createContactList', (t) =>
    t.field({
      type: payload,
      args: { input: t.arg({ type: createInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const { name } = checkInput(contactListInput, input);
        return { contactList: await createList(context.deps, ...asCaller(context), name) };
      },
    }),
  );
  const renameInput = builder.inputType('RenameContactListInput', {
    fields: (t) => ({ id: t.id({ required: true }), name: t.string({ required: true }) }),
  });
  builder.mutationField('renameContactList', (t) =>
    t.field({
      type: payload,
      args: { input: t.arg({ type: renameInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const { name } = checkInput(contactListInput, { name: input.name });
        return {
          contactList: await renameList(context.deps, ...asCaller(context), idOf(input.id), name),
        };
      },
    }),
  );
  const deleteInput = builder.inputType('DeleteContactListInput', {
    fields: (t) => ({ id: t.id({ required: true }) }),
  });
  builder.mutationField('deleteContactList', (t) =>
    t.field({
      type: deleted,
      description: 'Its contacts are not deleted',
      args: { input: t.arg({ type: deleteInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        await deleteList(context.deps, ...asCaller(context), idOf(input.id));
        return { id: input.id };
      },
    }),
  );
  return { contactList };
}

function idOf(id: string): string {
  return requireId('lst', id, 'list');
}

/** What other type files refer to. */
export type ContactListTypes = ReturnType<typeof addContactListTypes>;
