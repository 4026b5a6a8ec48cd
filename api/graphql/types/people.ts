// The people of the tenant: the list, roles, removing one, and one's own password.

import { notFound } from '../../../core/base/errors.ts';
import { fromId } from '../../../core/base/ids.ts';
import { changePassword } from '../../../core/people/change-password.ts';
import { changeTimeZone } from '../../../core/people/profile.ts';
import { changeRole, listPeople, removePerson } from '../../../core/people/people.ts';
import type { User } from '../../../core/people/membership-store.ts';
import { CONFIRMED, EVERY_ROLE, OWN_SESSION, type Builder } from '../builder.ts';
import { changedBy, confirmedSelf, ownSession, signedIn } from '../context.ts';
import { connectionCost, resolveById } from '../page.ts';
import type { DeletePayload } from './deleted.ts';
import type { TenantTypes } from './tenant.ts';

/** Adds `people`, `changeRole`, `removePerson`, `changePassword` and `updateProfile`. */
export function addPeopleTypes(builder: Builder, { user, role }: TenantTypes, deleted: DeletePayload): void {
  builder.queryField('people', (t) =>
    t.connection({
      type: user,
      description: 'Newest accounts first',
      complexity: (args) => connectionCost(args),
      resolve: (_root, args, context) =>
        resolveById(args, (page) => listPeople(context.deps.db, signedIn(context).tenantId, page)),
    }),
  );

  const roleInput = builder.inputType('ChangeRoleInput', {
    fields: (t) => ({
      userId: t.id({ required: true }),
      role: t.field({ type: role, required: true }),
    }),
  });
  const userPayload = builder.objectRef<{ user: User }>('UserPayload').implement({
    fields: (t) => ({ user: t.expose('user', { type: user }) }),
  });
  builder.mutationField('changeRole', (t) =>
    t.field({
      type: userPayload,
      description: `Owners only. The last owner cannot be changed. ${CONFIRMED}`,
      authScopes: { owner: true },
      args: { input: t.arg({ type: roleInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const manager = await confirmedSelf(context);
        const change = { userId: readUserId(input.userId), role: input.role };
        return { user: await changeRole(context.deps, changedBy(context), manager, change) };
      },
    }),
  );

  const removeInput = builder.inputType('RemovePersonInput', {
    fields: (t) => ({ userId: t.id({ required: true }) }),
  });
  builder.mutationField('removePerson', (t) =>
    t.field({
      type: deleted,
      description: `Owners only. The person loses access to this tenant immediately; their other tenants are not affected. ${CONFIRMED}`,
      authScopes: { owner: true },
      args: { input: t.arg({ type: removeInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const userId = readUserId(input.userId);
        await removePerson(context.deps, changedBy(context), await confirmedSelf(context), userId);
        return { id: input.userId };
      },
    }),
  );
  addChangePassword(builder);
  addUpdateProfile(builder);
}

function addChangePassword(builder: Builder): void {
  const passwordInput = builder.inputType('ChangePasswordInput', {
    fields: (t) => ({
      currentPassword: t.string({ required: true }),
      newPassword: t.string({ required: true, description: '12 to 256 characters' }),
    }),
  });
  const passwordPayload = builder.objectRef<{ ok: boolean }>('ChangePasswordPayload').implement({
    fields: (t) => ({ ok: t.exposeBoolean('ok') }),
  });
  builder.mutationField('changePassword', (t) =>
    t.field({
      type: passwordPayload,
      description: `Ends all other sessions. ${OWN_SESSION}`,
      ...EVERY_ROLE,
      args: { input: t.arg({ type: passwordInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        await changePassword(context.deps, changedBy(context), ownSession(context), input);
        return { ok: true };
      },
    }),
  );
}

function addUpdateProfile(builder: Builder): void {
  const input = builder.inputType('UpdateProfileInput', {
    fields: (t) => ({
      timeZone: t.string({ description: 'IANA name, for example Europe/Berlin; null: that of the browser' }),
    }),
  });
  const payload = builder.objectRef<{ timeZone: string | null }>('UpdateProfilePayload').implement({
    fields: (t) => ({ timeZone: t.exposeString('timeZone', { nullable: true }) }),
  });
  builder.mutationField('updateProfile', (t) =>
    t.field({
      type: payload,
      description: `How the signed-in person is shown things. ${OWN_SESSION}`,
      ...EVERY_ROLE,
      args: { input: t.arg({ type: input, required: true }) },
      resolve: async (_root, args, context) => {
        const timeZone = args.input.timeZone ?? null;
        await changeTimeZone(context.deps, changedBy(context), ownSession(context), timeZone);
        return { timeZone };
      },
    }),
  );
}

function readUserId(id: string): string {
  const uuid = fromId('usr', id);
  if (uuid === null) throw notFound('person');
  return uuid;
}
