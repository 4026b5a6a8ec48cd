// Invitations: made and revoked by owners, viewed and accepted by whoever has the link.

import { notFound } from '../../../core/base/errors.ts';
import { fromId, toId } from '../../../core/base/ids.ts';
import type { MailedInvitation, OpenInvitation } from '../../../core/people/invitation-store.ts';
import {
  acceptForSso,
  acceptInvitation,
  findInvitation,
  invitePerson,
  listInvitations,
  revokeInvitation,
} from '../../../core/people/invitations.ts';
import { isManager } from '../../../core/people/people.ts';
import { serviceProvider } from '../../../core/sso/service-provider.ts';
import { atHome } from '../../deps.ts';
import { CONFIRMED, type Builder } from '../builder.ts';
import { asCaller, changedBy, confirmedSelf, signedIn } from '../context.ts';
import { rememberBrowser, signInOrigin } from '../known-browser.ts';
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
  const invitation = builder.objectRef<MailedInvitation>('Invitation').implement({
    description: 'Valid for 7 days, for one use',
    fields: (t) => ({
      id: t.id({ resolve: ({ id }) => toId('inv', id) }),
      email: t.exposeString('email'),
      role: t.expose('role', { type: role }),
      invitedBy: t.exposeString('invitedBy', { description: 'address of the inviting person' }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
      mail: t.exposeString('mail', {
        nullable: true,
        description: 'status of the message with the link; null: it was not sent, so invite again',
      }),
    }),
  });
  builder.queryField('invitations', (t) =>
    t.field({
      type: [invitation],
      description: 'Open invitations, newest first; owners only',
      authScopes: { owner: true },
      resolve: (_root, _args, context) => listInvitations(context.deps.buckets, signedIn(context).tenantId),
    }),
  );

  const inviteInput = builder.inputType('InvitePersonInput', {
    fields: (t) => ({
      email: t.string({ required: true }),
      role: t.field({ type: role, required: true }),
    }),
  });
  const invitePayload = builder
    .objectRef<{ invitation: MailedInvitation }>('InvitePersonPayload')
    .implement({ fields: (t) => ({ invitation: t.expose('invitation', { type: invitation }) }) });
  builder.mutationField('invitePerson', (t) =>
    t.field({
      type: invitePayload,
      description: `Owners only. The link is mailed to the address. Replaces an open invitation of the same address. As owner: ${CONFIRMED}`,
      authScopes: { owner: true },
      args: { input: t.arg({ type: inviteInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const manager = isManager(input.role) ? await confirmedSelf(context) : signedIn(context);
        return { invitation: await invitePerson(context.deps, changedBy(context), manager, input) };
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
        await revokeInvitation(context.deps, ...asCaller(context), id);
        return { id: input.id };
      },
    }),
  );
  addAccepting(builder, types);
}

function addAccepting(builder: Builder, { role, loginPayload }: TenantTypes & SessionTypes): void {
  const offer = builder.objectRef<OpenInvitation>('InvitationOffer').implement({
    description: 'An invitation as shown to the invited person',
    fields: (t) => ({
      tenantName: t.exposeString('tenantName'),
      email: t.exposeString('email'),
      role: t.expose('role', { type: role }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
      hasPassword: t.exposeBoolean('hasPassword', {
        description: 'The address has an account with a password, which is required to accept',
      }),
      hasSso: t.exposeBoolean('hasSso', { description: 'It can be accepted by acceptInvitationForSso' }),
      ssoOnly: t.exposeBoolean('ssoOnly', { description: 'It cannot be accepted with a password' }),
    }),
  });
  builder.queryField('invitation', (t) =>
    t.field({
      type: offer,
      nullable: true,
      description: 'Needs no sign-in. Null when it was used, revoked or has expired',
      skipTypeScopes: true,
      args: { token: t.arg.string({ required: true }) },
      resolve: (_root, { token }, context) => findInvitation(context.deps.home, token),
    }),
  );
  const acceptInput = builder.inputType('AcceptInvitationInput', {
    fields: (t) => ({
      token: t.string({ required: true }),
      password: t.string({
        required: true,
        description: 'of the account that the address has, or a new one: 12 to 256 characters',
      }),
      code: t.string({ description: 'of the second factor of that account, if it has one' }),
    }),
  });
  builder.mutationField('acceptInvitation', (t) =>
    t.field({
      type: loginPayload,
      description: 'Needs no sign-in; adds the person to the tenant and signs them in there',
      skipTypeScopes: true,
      args: { input: t.arg({ type: acceptInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        requireOwnOrigin(context.exchange.context.env.incoming, context.deps.config.PUBLIC_URL);
        const session = await acceptInvitation(atHome(context.deps), input, signInOrigin(context));
        const answer = keepSession(context, session);
        await rememberBrowser(context, session.user.email);
        return answer;
      },
    }),
  );

  const ssoInput = builder.inputType('AcceptInvitationForSsoInput', {
    fields: (t) => ({ token: t.string({ required: true }) }),
  });
  const ssoPayload = builder
    .objectRef<{ loginUrl: string }>('AcceptInvitationForSsoPayload')
    .implement({ fields: (t) => ({ loginUrl: t.exposeString('loginUrl') }) });
  builder.mutationField('acceptInvitationForSso', (t) =>
    t.field({
      type: ssoPayload,
      description: 'Needs no sign-in; adds the person to a tenant with SSO, where they sign in next',
      skipTypeScopes: true,
      args: { input: t.arg({ type: ssoInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const { deps } = context;
        requireOwnOrigin(context.exchange.context.env.incoming, deps.config.PUBLIC_URL);
        const { tenantId } = await acceptForSso(deps.home, input.token, originOf(context).ip);
        return { loginUrl: serviceProvider(deps.config, tenantId).loginUrl };
      },
    }),
  );
}
