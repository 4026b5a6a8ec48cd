// Signing in, refreshing and signing out.

import { nowMs } from '../../../core/base/clock.ts';
import { AppError } from '../../../core/base/errors.ts';
import { ACCESS_TOKEN_SECONDS } from '../../../core/tenant/access-token.ts';
import { refreshSession, signIn, signOut, type SignedIn } from '../../../core/tenant/sessions.ts';
import type { User } from '../../../core/tenant/user-store.ts';
import type { Builder } from '../builder.ts';
import type { GraphqlContext } from '../context.ts';
import { clearedCookie, readRefreshCookie, refreshCookie, requireOwnOrigin } from '../refresh-cookie.ts';
import type { TenantTypes } from './tenant.ts';

interface SessionShape {
  accessToken: string;
  expiresAt: Date;
  user: User;
}

/** Adds login, refresh and logout: the only fields that need no signed-in person. */
export function addSessionTypes(builder: Builder, { user }: TenantTypes): void {
  const payload = (name: string) =>
    builder.objectRef<SessionShape>(name).implement({
      fields: (t) => ({
        accessToken: t.exposeString('accessToken', { description: 'for Authorization: Bearer; 15 minutes' }),
        expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
        user: t.expose('user', { type: user }),
      }),
    });
  const loginInput = builder.inputType('LoginInput', {
    fields: (t) => ({ email: t.string({ required: true }), password: t.string({ required: true }) }),
  });
  // GraphQL has no input without a field; clients may leave the whole argument out.
  const emptyInput = (name: string) =>
    builder.inputType(name, { fields: (t) => ({ clientMutationId: t.string() }) });

  builder.mutationField('login', (t) =>
    t.field({
      type: payload('LoginPayload'),
      skipTypeScopes: true,
      args: { input: t.arg({ type: loginInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        guard(context);
        return keep(context, await signIn(context.deps, input, originOf(context)));
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
        if (token === null) throw new AppError('unauthorized', 'There is no session to refresh; sign in.');
        try {
          return keep(context, await refreshSession(context.deps, token));
        } catch (error) {
          if (error instanceof AppError && error.code === 'unauthorized')
            context.setCookies.push(clearedCookie());
          throw error;
        }
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
        if (token !== null) await signOut(context.deps, token);
        context.setCookies.push(clearedCookie());
        return { ok: true };
      },
    }),
  );
}

function guard({ exchange, deps }: GraphqlContext): void {
  requireOwnOrigin(exchange.context.env.incoming, deps.config.PUBLIC_URL);
}

function keep(context: GraphqlContext, session: SignedIn): SessionShape {
  context.setCookies.push(refreshCookie(session.refreshToken));
  const expiresAt = new Date(nowMs() + ACCESS_TOKEN_SECONDS * 1000);
  return { accessToken: session.accessToken, expiresAt, user: session.user };
}

function originOf({ exchange }: GraphqlContext): { ip: string; userAgent: string } {
  return {
    ip: exchange.client.address,
    userAgent: exchange.context.env.incoming.headers['user-agent'] ?? '',
  };
}
