// Contacts: the people that campaigns go to.

import { NIL_UUID, toId } from '../../../core/base/ids.ts';
import { contactChange, newContact } from '../../../core/contact/contact-input.ts';
import { selectAttributeNames } from '../../../core/contact/contact-store.ts';
import type { Contact, ContactList } from '../../../core/contact/contact.ts';
import {
  changeContact,
  countContacts,
  createContact,
  deleteContact,
  getContact,
  listContacts,
} from '../../../core/contact/contacts.ts';
import { normalizeEmail } from '../../../core/mail/address.ts';
import type { Builder, QueryArgs } from '../builder.ts';
import { asCaller, signedIn, type GraphqlContext } from '../context.ts';
import { EMAIL_KEY, UUID_KEY } from '../../cursor.ts';
import { connectionCost, resolveForward } from '../page.ts';
import { checkInput, requireId } from '../check-input.ts';
import type { ContactListTypes } from './contact-list.ts';
import type { DeletePayload } from './deleted.ts';
import { COUNT_COST, type ListCountTypes } from './list-count.ts';

const NULLABLE = ['firstName', 'lastName'];

/** Adds Contact, its queries and its mutations. */
export function addContactTypes(
  builder: Builder,
  { contactList }: ContactListTypes,
  { listCount }: ListCountTypes,
  deleted: DeletePayload,
) {
  const status = builder.enumType('ContactStatus', { values: ['subscribed', 'unsubscribed'] as const });
  const contact = builder.objectRef<Contact>('Contact');
  builder.node(contact, {
    id: { resolve: ({ id }) => toId('con', id) },
    isTypeOf: (value) => typeof value === 'object' && value !== null && 'attributes' in value,
    loadOne: (id, context) => readContact(context, id),
    fields: (t) => ({
      email: t.exposeString('email'),
      firstName: t.exposeString('firstName', { nullable: true }),
      lastName: t.exposeString('lastName', { nullable: true }),
      attributes: t.expose('attributes', { type: 'JSON' }),
      tags: t.exposeStringList('tags'),
      lists: t.field({ type: [contactList], resolve: (self, _args, context) => listsOf(context, self) }),
      status: t.expose('status', { type: status }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    }),
  });
  const filters = (t: QueryArgs) => ({
    email: t.arg.string({ description: 'only the contact with this address' }),
    listId: t.arg.id(),
    tag: t.arg.string(),
    status: t.arg({ type: status }),
  });
  const sorts = builder.enumType('ContactSort', { values: ['newest', 'oldest', 'address'] as const });
  builder.queryField('contacts', (t) =>
    t.connection({
      type: contact,
      description: 'Newest first, unless `sort` says otherwise',
      args: { ...filters(t), sort: t.arg({ type: sorts }) },
      complexity: (args) => connectionCost(args),
      resolve: (_root, args, context) =>
        resolveForward<Contact>(
          args,
          [args.sort === 'address' ? EMAIL_KEY : UUID_KEY],
          ({ id, email }) => [args.sort === 'address' ? normalizeEmail(email) : id],
          ({ after, limit }) =>
            listContacts(context.deps.db, signedIn(context).tenantId, {
              ...pageOf(args.sort ?? 'newest', after?.[0] ?? null),
              limit,
              ...readFilter(args),
            }),
        ),
    }),
  );
  builder.queryField('contactCount', (t) =>
    t.field({
      type: listCount,
      nullable: true,
      description: 'How many contacts match; null when counting them takes too long',
      args: filters(t),
      complexity: COUNT_COST,
      resolve: (_root, given, context) =>
        countContacts(context.deps.db, signedIn(context).tenantId, readFilter(given)),
    }),
  );
  builder.queryField('contactAttributes', (t) =>
    t.stringList({
      description:
        'Names of the attributes of the newest 1,000 contacts, at most 100, the most frequent first',
      complexity: COUNT_COST,
      resolve: (_root, _args, context) =>
        selectAttributeNames(context.deps.db.pool, signedIn(context).tenantId),
    }),
  );
  builder.queryField('contact', (t) =>
    t.field({
      type: contact,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, context) => readContact(context, id),
    }),
  );

  const payload = builder.objectRef<{ contact: Contact }>('ContactPayload').implement({
    fields: (t) => ({ contact: t.expose('contact', { type: contact }) }),
  });
  const createInput = builder.inputType('CreateContactInput', {
    fields: (t) => ({
      email: t.string({ required: true }),
      firstName: t.string(),
      lastName: t.string(),
      attributes: t.field({ type: 'JSON', description: 'An object' }),
      tags: t.stringList(),
      listIds: t.idList(),
      status: t.field({ type: status }),
    }),
  });
  builder.mutationField('createContact', (t) =>
    t.field({
      type: payload,
      args: { input: t.arg({ type: createInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const checked = checkInput(newContact, withLists(input));
        return { contact: await createContact(context.deps, ...asCaller(context), checked) };
      },
    }),
  );
  const updateInput = builder.inputType('UpdateContactInput', {
    description: 'Fields left out do not change; attributes, tags and lists are replaced as a whole',
    fields: (t) => ({
      id: t.id({ required: true }),
      email: t.string(),
      firstName: t.string(),
      lastName: t.string(),
      attributes: t.field({ type: 'JSON', description: 'An object' }),
      tags: t.stringList(),
      listIds: t.idList(),
      status: t.field({ type: status }),
    }),
  });
  builder.mutationField('updateContact', (t) =>
    t.field({
      type: payload,
      args: { input: t.arg({ type: updateInput, required: true }) },
      resolve: async (_root, { input: { id, ...fields } }, context) => {
        const checked = checkInput(contactChange, withLists(fields), NULLABLE);
        return { contact: await changeContact(context.deps, ...asCaller(context), idOf(id), checked) };
      },
    }),
  );
  const deleteInput = builder.inputType('DeleteContactInput', {
    fields: (t) => ({ id: t.id({ required: true }) }),
  });
  builder.mutationField('deleteContact', (t) =>
    t.field({
      type: deleted,
      description: 'Sent messages and a suppression of the address are kept',
      args: { input: t.arg({ type: deleteInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        await deleteContact(context.deps, ...asCaller(context), idOf(input.id));
        return { id: input.id };
      },
    }),
  );
  return { contact };
}

/** What other types refer to. */
export type ContactTypes = ReturnType<typeof addContactTypes>;

function pageOf(sort: 'newest' | 'oldest' | 'address', after: string | null) {
  switch (sort) {
    case 'newest':
      return { before: after };
    case 'oldest':
      return { before: null, after: after ?? NIL_UUID };
    case 'address':
      return { before: null, afterKey: after ?? '' };
    default:
      return sort satisfies never;
  }
}

interface GivenFilter {
  email?: string | null | undefined;
  listId?: string | null | undefined;
  tag?: string | null | undefined;
  status?: Contact['status'] | null | undefined;
}

function readFilter({ email, listId, tag, status }: GivenFilter) {
  return {
    emailKey: email ? normalizeEmail(email) : undefined,
    listId: listId ? requireId('lst', listId, 'list') : undefined,
    tag: tag ?? undefined,
    status: status ?? undefined,
  };
}

// REST says `lists`.
function withLists({ listIds, ...fields }: Record<string, unknown>): Record<string, unknown> {
  return { ...fields, lists: listIds };
}

async function listsOf(context: GraphqlContext, { lists }: Contact): Promise<ContactList[]> {
  const found = await context.account.contactLists.loadMany(lists);
  return found.filter((list): list is ContactList => list !== null && !(list instanceof Error));
}

function readContact(context: GraphqlContext, id: string): Promise<Contact> {
  return getContact(context.deps.db, signedIn(context).tenantId, idOf(id));
}

function idOf(id: string): string {
  return requireId('con', id, 'contact');
}
