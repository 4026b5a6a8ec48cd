// Invitations: made and revoked by owners, looked at and accepted by whoever has the link.

import { notFound } from '../../../core/base/errors.ts';
import { fromId, toId } from '../../../core/base/ids.ts';
import type { Invitation, OpenInvitation } from '../../../core/people/invitation-store.ts';
import {
  acceptInvitation,
  findInvitation,
  invitePerson,
  listInvitations,
  revokeInvitation,
} from '../../../core/people/invitations.ts';
import type { Builder } from '../builder.ts';
import { signedIn } from '../context.ts';
import { requireOwnOrigin } from '../refresh-cookie.ts';
import { keepSession, originOf } from '../session-answer.ts';
import type { DeletePayload } from './deleted.ts';
import type { SessionTypes } from './session.ts';
import type { TenantTypes } from './tenant.ts';

/** Adds Invitation, InvitationOffer and what is done with them. */
export function addInvitationTypes(
  builder: Builder,
  types: TenantTypes & SessionTypes,
  deleted: DeletePayload,
): void {
  const { role } = types;
  const invitation = builder.objectRef<Invitation>('Invitation').implement({
    description: 'Open for 7 days, for one use',
    fields: (t) => ({
      id: t.id({ resolve: ({ id }) => toId('inv', id) }),
      email: t.exposeString('email'),
      role: t.expose('role', { type: role }),
      invitedBy: t.exposeString('invitedBy', { description: 'address of who invited' }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    }),
  });
  builder.queryField('invitations', (t) =>
    t.field({
      type: [invitation],
      description: 'The open ones, newest first; owners only',
      authScopes: { owner: true },
      resolve: (_root, _args, context) => listInvitations(context.deps.db, signedIn(context).tenantId),
    }),
  );

  const inviteInput = builder.inputType('InvitePersonInput', {
    fields: (t) => ({
      email: t.string({ required: true }),
      role: t.field({ type: role, required: true }),
    }),
  });
  const invitePayload = builder
    .objectRef<{ invitation: Invitation; token: string; link: string }>('InvitePersonPayload')
    .implement({
      fields: (t) => ({
        invitation: t.expose('invitation', { type: invitation }),
        token: t.exposeString('token', { description: 'shown now and never again' }),
        link: t.exposeString('link', { description: 'to hand over; has the token in it' }),
      }),
    });
  builder.mutationField('invitePerson', (t) =>
    t.field({
      type: invitePayload,
      description: 'Owners only. Takes the place of an open invitation of the same address',
      authScopes: { owner: true },
      args: { input: t.arg({ type: inviteInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const { deps } = context;
        const { tenantId, userId, role: own, user } = signedIn(context);
        const by = { tenantId, userId, role: own, email: user.email };
        const made = await invitePerson(deps.db, by, input);
        return { ...made, link: `${deps.config.PUBLIC_URL.replace(/\/+$/, '')}/invite/${made.token}` };
      },
    }),
  );

  const revokeInput = builder.inputType('RevokeInvitationInput', {
    fields: (t) => ({ id: t.id({ required: true }) }),
  });
  builder.mutationField('revokeInvitation', (t) =>
    t.field({
      type: deleted,
      authScopes: { owner: true },
      args: { input: t.arg({ type: revokeInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const id = fromId('inv', input.id);
        if (id === null) throw notFound('invitation');
        await revokeInvitation(context.deps.db, signedIn(context), id);
        return { id: input.id };
      },
    }),
  );
  addAccepting(builder, types);
}

function addAccepting(builder: Builder, { role, loginPayload }: TenantTypes & SessionTypes): void {
  const offer = builder.objectRef<OpenInvitation>('InvitationOffer').implement({
    description: 'What the holder of an invitation is told',
    fields: (t) => ({
      tenantName: t.exposeString('tenantName'),
      email: t.exposeString('email'),
      role: t.expose('role', { type: role }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    }),
  });
  builder.queryField('invitation', (t) =>
    t.field({
      type: offer,
      nullable: true,
      description: 'Needs no sign-in. Null when it was used, revoked or is over',
      skipTypeScopes: true,
      args: { token: t.arg.string({ required: true }) },
      resolve: (_root, { token }, context) => findInvitation(context.deps.db, token),
    }),
  );
  const acceptInput = builder.inputType('AcceptInvitationInput', {
    fields: (t) => ({
      token: t.string({ required: true }),
      password: t.string({ required: true, description: '12 to 256 characters' }),
    }),
  });
  builder.mutationField('acceptInvitation', (t) =>
    t.field({
      type: loginPayload,
      description: 'Needs no sign-in; makes the person and signs them in',
      skipTypeScopes: true,
      args: { input: t.arg({ type: acceptInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        requireOwnOrigin(context.exchange.context.env.incoming, context.deps.config.PUBLIC_URL);
        return keepSession(context, await acceptInvitation(context.deps, input, originOf(context)));
      },
    }),
  );
}
