// The audit log, for owners: who did what to which thing or read it, when, and from where.

import { toId } from '../../../core/base/ids.ts';
import { selectAudit, type AuditRow } from '../../../core/audit/audit-store.ts';
import { findActors } from '../../../core/audit/actor-emails.ts';
import type { Queryable } from '../../../core/db/pool.ts';
import type { Builder, QueryArgs } from '../builder.ts';
import { signedIn } from '../context.ts';
import { connectionCost, resolveById, type ConnectionArgs } from '../page.ts';

/** Adds AuditEntry and `auditLog`. Returns the type. */
export function addAuditTypes(builder: Builder) {
  const entry = builder.objectRef<AuditRow>('AuditEntry').implement({
    description: 'One change that somebody made, or one read of a content',
    fields: (t) => ({
      id: t.id({ resolve: ({ id }) => toId('aud', id) }),
      at: t.expose('at', { type: 'DateTime' }),
      actor: t.exposeString('actor', { description: 'id of a person or key, or the name of a system actor' }),
      actorEmail: t.string({
        nullable: true,
        description: 'Null for keys, tokens and jobs',
        resolve: ({ tenantId, actor }, _args, context) => context.actorEmails.load({ tenantId, actor }),
      }),
      action: t.exposeString('action'),
      subject: t.exposeString('subject', { description: 'id of the object that was changed or read' }),
      detail: t.expose('detail', { type: 'JSON' }),
      ip: t.exposeString('ip', { nullable: true, description: 'client address; IPv6 as its /64' }),
    }),
  });
  builder.queryField('auditLog', (t) =>
    t.connection({
      type: entry,
      description: 'Newest first; owners only',
      authScopes: { owner: true },
      args: auditArgs(t.arg),
      complexity: (args) => connectionCost(args),
      resolve: (_root, args, context) => resolveAudit(args, context.deps.db.pool, signedIn(context).tenantId),
    }),
  );
  return { entry };
}

/** What other type files refer to. */
export type AuditTypes = ReturnType<typeof addAuditTypes>;

interface AuditArgs extends ConnectionArgs {
  action?: string | null | undefined;
  actor?: string | null | undefined;
  since?: Date | null | undefined;
  until?: Date | null | undefined;
}

/** The filters of a log. */
export function auditArgs(arg: QueryArgs['arg']) {
  return {
    action: arg.string({ description: 'an action (`user.removed`) or a kind of actions (`user`)' }),
    actor: arg.string({
      description: 'address of a person, id of a key, or the name of a job as `actor` spells it',
    }),
    since: arg({ type: 'DateTime', description: 'from this time on' }),
    until: arg({ type: 'DateTime', description: 'before this time' }),
  };
}

/** A page of a tenant's log with these filters. */
export function resolveAudit(args: AuditArgs, db: Queryable, tenantId: string) {
  return resolveById(args, async (page) => {
    const { action, actor, since, until } = args;
    const actors = actor ? await findActors(db, tenantId, actor) : undefined;
    const filter = {
      action: action ?? undefined,
      actors,
      since: since ?? undefined,
      until: until ?? undefined,
    };
    return selectAudit(db, tenantId, page, filter);
  });
}
