// Signing in, refreshing and signing out.

import { AppError, notFound } from '../../../core/base/errors.ts';
import { fromId } from '../../../core/base/ids.ts';
import { confirmIdentity } from '../../../core/people/confirm-identity.ts';
import { refreshSession, signIn, signOut } from '../../../core/people/sessions.ts';
import { switchTenant } from '../../../core/people/tenant-switch.ts';
import { atHome } from '../../deps.ts';
import { SELF, type Builder } from '../builder.ts';
import { changedBy, selfOf, type GraphqlContext } from '../context.ts';
import { rememberBrowser, signInOrigin } from '../known-browser.ts';
import { clearedCookies, readRefreshCookie, requireOwnOrigin } from '../refresh-cookie.ts';
import { accessAnswer, keepSession, originOf, type SessionAnswer } from '../session-answer.ts';
import type { TenantTypes } from './tenant.ts';

/**
 * Adds login, refresh and logout, which need no signed-in person, switchTenant and confirmIdentity. Returns what other types refer to.
 */
export function addSessionTypes(builder: Builder, { user }: TenantTypes) {
  const payload = (name: string) =>
    builder.objectRef<SessionAnswer>(name).implement({
      fields: (t) => ({
        accessToken: t.exposeString('accessToken', { description: 'for Authorization: Bearer; 15 minutes' }),
        expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
        user: t.expose('user', { type: user }),
      }),
    });
  const loginPayload = payload('LoginPayload');
  const loginInput = builder.inputType('LoginInput', {
    fields: (t) => ({
      email: t.string({ required: true }),
      password: t.string({ required: true }),
      code: t.string({
        description:
          'of the second factor, or a recovery code; asked for by the error second_factor_required',
      }),
    }),
  });
  // GraphQL has no input without a field; clients may leave the whole argument out.
  const emptyInput = (name: string) =>
    builder.inputType(name, { fields: (t) => ({ clientMutationId: t.string() }) });

  builder.mutationField('login', (t) =>
    t.field({
      type: loginPayload,
      skipTypeScopes: true,
      args: { input: t.arg({ type: loginInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        guard(context);
        const session = await signIn(atHome(context.deps), input, signInOrigin(context));
        const answer = keepSession(context, session);
        await rememberBrowser(context, session.user.email);
        return answer;
      },
    }),
  );
  builder.mutationField('refresh', (t) =>
    t.field({
      type: payload('RefreshPayload'),
      skipTypeScopes: true,
      args: { input: t.arg({ type: emptyInput('RefreshInput') }) },
      resolve: async (_root, _args, context) => {
        guard(context);
        const token = readRefreshCookie(context.exchange.context.env.incoming);
        if (token === null) throw new AppError('unauthorized', 'There is no session to refresh. Sign in.');
        try {
          return keepSession(
            context,
            await refreshSession(atHome(context.deps), token, originOf(context).ip),
          );
        } catch (error) {
          if (error instanceof AppError && error.code === 'unauthorized')
            context.setCookies.push(...clearedCookies());
          throw error;
        }
      },
    }),
  );
  const switchInput = builder.inputType('SwitchTenantInput', {
    fields: (t) => ({ tenantId: t.id({ required: true }) }),
  });
  builder.mutationField('switchTenant', (t) =>
    t.field({
      type: payload('SwitchTenantPayload'),
      description: 'Switches the session to another tenant of the person, also after a refresh',
      ...SELF,
      args: { input: t.arg({ type: switchInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const tenantId = fromId('tnt', input.tenantId);
        if (tenantId === null) throw notFound('tenant');
        const self = selfOf(context);
        return accessAnswer(await switchTenant(context.deps, changedBy(context), self, tenantId));
      },
    }),
  );
  const confirmInput = builder.inputType('ConfirmIdentityInput', {
    fields: (t) => ({
      password: t.string({ required: true }),
      code: t.string({
        description:
          'of the second factor, or a recovery code; asked for by the error second_factor_required',
      }),
    }),
  });
  const confirmPayload = builder.objectRef<{ ok: boolean }>('ConfirmIdentityPayload').implement({
    fields: (t) => ({ ok: t.exposeBoolean('ok') }),
  });
  builder.mutationField('confirmIdentity', (t) =>
    t.field({
      type: confirmPayload,
      description:
        'The password again, and the second factor if the person has one, after the error confirmation_required; then repeat the change. Sessions by SSO sign in again',
      ...SELF,
      args: { input: t.arg({ type: confirmInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const { user, sessionId, method } = selfOf(context);
        const { ip } = originOf(context);
        const self = { user, sessionId, method, ip };
        await confirmIdentity(context.deps, changedBy(context), self, input);
        return { ok: true };
      },
    }),
  );
  const logoutPayload = builder.objectRef<{ ok: boolean }>('LogoutPayload').implement({
    fields: (t) => ({ ok: t.exposeBoolean('ok') }),
  });
  builder.mutationField('logout', (t) =>
    t.field({
      type: logoutPayload,
      skipTypeScopes: true,
      args: { input: t.arg({ type: emptyInput('LogoutInput') }) },
      resolve: async (_root, _args, context) => {
        guard(context);
        const token = readRefreshCookie(context.exchange.context.env.incoming);
        if (token !== null) await signOut(atHome(context.deps), token, originOf(context).ip);
        context.setCookies.push(...clearedCookies());
        return { ok: true };
      },
    }),
  );
  return { loginPayload };
}

function guard({ exchange, deps }: GraphqlContext): void {
  requireOwnOrigin(exchange.context.env.incoming, deps.config.PUBLIC_URL);
}

/** What other type files refer to. */
export type SessionTypes = ReturnType<typeof addSessionTypes>;
