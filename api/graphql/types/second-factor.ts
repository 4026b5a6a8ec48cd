// The second factor: one's own, that of others, and whether the tenant requires one.

import type { User } from '../../../core/people/membership-store.ts';
import {
  confirmSecondFactor,
  readSecondFactor,
  replaceRecoveryCodes,
  requireSecondFactor,
  resetSecondFactor,
  startSecondFactor,
  turnOffSecondFactor,
} from '../../../core/people/second-factor.ts';
import { isSecondFactorRequired } from '../../../core/people/second-factor-rule.ts';
import type { Tenant } from '../../../core/tenant/tenant-store.ts';
import { EVERY_ROLE, OWN_SESSION, SELF, type Builder } from '../builder.ts';
import { requireId } from '../check-input.ts';
import { changedBy, confirmedSelf, ownSession, selfOf } from '../context.ts';
import type { TenantTypes } from './tenant.ts';

interface ViewerFactor {
  since: Date | null;
  recoveryCodesLeft: number;
  required: boolean;
}

/** Adds `Viewer.secondFactor` and its mutations. */
export function addSecondFactorTypes(builder: Builder, { viewer, user, tenant }: TenantTypes): void {
  const factor = builder.objectRef<ViewerFactor>('SecondFactor').implement({
    description: 'The code of an authenticator app (TOTP) beside the password',
    fields: (t) => ({
      since: t.expose('since', { type: 'DateTime', nullable: true, description: 'null: not set up' }),
      recoveryCodesLeft: t.exposeInt('recoveryCodesLeft'),
      required: t.exposeBoolean('required', {
        description: 'Until it is set up, the person can do nothing else in this tenant',
      }),
    }),
  });
  builder.objectField(viewer, 'secondFactor', (t) =>
    t.field({
      type: factor,
      resolve: async (_viewer, _args, context) => {
        const self = selfOf(context);
        const required = isSecondFactorRequired(context.deps.config, self);
        return { ...(await readSecondFactor(context.deps.db, self.userId)), required };
      },
    }),
  );
  addOwn(builder);
  addOthers(builder, { user, tenant });
}

function addOwn(builder: Builder): void {
  const start = builder.objectRef<{ secret: string; url: string }>('StartSecondFactorPayload').implement({
    fields: (t) => ({
      secret: t.exposeString('secret', { description: 'base32; shown only in this answer' }),
      url: t.exposeString('url', { description: 'the same as otpauth:// URL, for a QR code' }),
    }),
  });
  builder.mutationField('startSecondFactor', (t) =>
    t.field({
      type: start,
      description: `Makes the secret of an authenticator app. confirmSecondFactor turns it on. ${OWN_SESSION}`,
      ...SELF,
      resolve: async (_root, _args, context) => {
        const self = ownSession(context);
        await confirmedSelf(context);
        return startSecondFactor(context.deps, changedBy(context), self);
      },
    }),
  );

  const codeInput = (name: string, description: string) =>
    builder.inputType(name, { fields: (t) => ({ code: t.string({ required: true, description }) }) });
  const codes = builder.objectRef<{ recoveryCodes: string[] }>('RecoveryCodesPayload').implement({
    fields: (t) => ({
      recoveryCodes: t.exposeStringList('recoveryCodes', {
        description: 'ten, each for one sign-in without the app; shown only in this answer',
      }),
    }),
  });
  builder.mutationField('confirmSecondFactor', (t) =>
    t.field({
      type: codes,
      description: `Turns it on and ends all other sessions. ${OWN_SESSION}`,
      ...SELF,
      args: { input: t.arg({ type: codeInput('ConfirmSecondFactorInput', 'of the app'), required: true }) },
      resolve: async (_root, { input }, context) => {
        const by = changedBy(context);
        return {
          recoveryCodes: await confirmSecondFactor(context.deps, by, ownSession(context), input.code),
        };
      },
    }),
  );
  const replaceInput = codeInput('ReplaceRecoveryCodesInput', 'of the app, or a recovery code');
  builder.mutationField('replaceRecoveryCodes', (t) =>
    t.field({
      type: codes,
      description: `Makes ten new recovery codes; those before work no longer. ${OWN_SESSION}`,
      ...EVERY_ROLE,
      args: { input: t.arg({ type: replaceInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const by = changedBy(context);
        return {
          recoveryCodes: await replaceRecoveryCodes(context.deps, by, ownSession(context), input.code),
        };
      },
    }),
  );

  const offInput = builder.inputType('TurnOffSecondFactorInput', {
    fields: (t) => ({
      password: t.string({ required: true }),
      code: t.string({ required: true, description: 'of the app, or a recovery code' }),
    }),
  });
  const offPayload = builder.objectRef<{ ok: boolean }>('TurnOffSecondFactorPayload').implement({
    fields: (t) => ({ ok: t.exposeBoolean('ok') }),
  });
  builder.mutationField('turnOffSecondFactor', (t) =>
    t.field({
      type: offPayload,
      description: `Refused where it is required. ${OWN_SESSION}`,
      ...EVERY_ROLE,
      args: { input: t.arg({ type: offInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        await turnOffSecondFactor(context.deps, changedBy(context), ownSession(context), input);
        return { ok: true };
      },
    }),
  );
}

function addOthers(builder: Builder, { user, tenant }: Pick<TenantTypes, 'user' | 'tenant'>): void {
  const resetInput = builder.inputType('ResetSecondFactorInput', {
    fields: (t) => ({ userId: t.id({ required: true }) }),
  });
  const resetPayload = builder.objectRef<{ user: User }>('ResetSecondFactorPayload').implement({
    fields: (t) => ({ user: t.expose('user', { type: user }) }),
  });
  builder.mutationField('resetSecondFactor', (t) =>
    t.field({
      type: resetPayload,
      description:
        'Owners only, for people who lost it and belong to this tenant alone. Ends all their sessions',
      authScopes: { owner: true },
      args: { input: t.arg({ type: resetInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const userId = requireId('usr', input.userId, 'person');
        const manager = await confirmedSelf(context);
        return { user: await resetSecondFactor(context.deps, changedBy(context), manager, userId) };
      },
    }),
  );

  const requireInput = builder.inputType('RequireSecondFactorInput', {
    fields: (t) => ({ required: t.boolean({ required: true }) }),
  });
  const requirePayload = builder.objectRef<{ tenant: Tenant }>('RequireSecondFactorPayload').implement({
    fields: (t) => ({ tenant: t.expose('tenant', { type: tenant }) }),
  });
  builder.mutationField('requireSecondFactor', (t) =>
    t.field({
      type: requirePayload,
      description: 'Owners only, who have one themselves. People without one can then only set it up',
      authScopes: { owner: true },
      args: { input: t.arg({ type: requireInput, required: true }) },
      resolve: async (_root, { input: { required } }, context) => {
        const self = await confirmedSelf(context);
        await requireSecondFactor(context.deps, changedBy(context), self, required);
        return { tenant: { ...self.tenant, secondFactorRequired: required } };
      },
    }),
  );
}
