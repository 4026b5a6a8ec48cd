// One's own sessions: the list, and ending them.

import { notFound } from '../../../core/base/errors.ts';
import { fromId, toId } from '../../../core/base/ids.ts';
import { browserName } from '../../../core/people/browser-name.ts';
import type { Session } from '../../../core/people/session-store.ts';
import {
  listSessions,
  readSession,
  revokeOtherSessions,
  revokeSession,
} from '../../../core/people/sessions.ts';
import { EVERY_ROLE, OWN_SESSION, type Builder } from '../builder.ts';
import { changedBy, selfOf, signedIn } from '../context.ts';
import type { DeletePayload } from './deleted.ts';
import type { TenantTypes } from './tenant.ts';

/** Adds Session, `sessions`, `Viewer.session`, `revokeSession` and `revokeOtherSessions`. */
export function addOwnSessionTypes(builder: Builder, { viewer }: TenantTypes, deleted: DeletePayload): void {
  const method = builder.enumType('SignInMethod', { values: ['password', 'saml'] as const });
  const session = builder.objectRef<Session>('Session').implement({
    description: 'A signed-in browser',
    fields: (t) => ({
      id: t.id({ resolve: ({ id }) => toId('ses', id) }),
      userAgent: t.exposeString('userAgent'),
      browser: t.string({
        description: 'Name of browser and system, such as `Firefox on Linux`',
        resolve: ({ userAgent }) => browserName(userAgent),
      }),
      ip: t.exposeString('ip', { description: 'client address at the last use; IPv6 as its /64' }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', description: 'accurate to 15 minutes' }),
      current: t.boolean({
        description: 'Whether it is the current session',
        resolve: ({ id }, _args, context) => id === selfOf(context).sessionId,
      }),
      method: t.expose('method', { type: method }),
    }),
  });
  builder.objectField(viewer, 'session', (t) =>
    t.field({
      type: session,
      resolve: (_viewer, _args, context) => {
        return readSession(context.deps.db, selfOf(context));
      },
    }),
  );
  builder.queryField('sessions', (t) =>
    t.field({
      type: [session],
      description:
        'The person’s own active sessions, last used first. In a session by SSO: those that the same SSO opened',
      resolve: (_root, _args, context) => listSessions(context.deps.db, signedIn(context)),
    }),
  );

  const revokeInput = builder.inputType('RevokeSessionInput', {
    fields: (t) => ({ id: t.id({ required: true }) }),
  });
  builder.mutationField('revokeSession', (t) =>
    t.field({
      type: deleted,
      description: `Its access tokens are rejected within a second. ${OWN_SESSION}, unless they have no password`,
      ...EVERY_ROLE,
      args: { input: t.arg({ type: revokeInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const id = fromId('ses', input.id);
        if (id === null) throw notFound('session');
        await revokeSession(context.deps, changedBy(context), signedIn(context), id);
        return { id: input.id };
      },
    }),
  );
  const othersPayload = builder.objectRef<{ count: number }>('RevokeOtherSessionsPayload').implement({
    fields: (t) => ({ count: t.exposeInt('count') }),
  });
  builder.mutationField('revokeOtherSessions', (t) =>
    t.field({
      type: othersPayload,
      description: `${OWN_SESSION}, unless they have no password`,
      ...EVERY_ROLE,
      resolve: async (_root, _args, context) => {
        const count = await revokeOtherSessions(context.deps, changedBy(context), signedIn(context));
        return { count };
      },
    }),
  );
}
