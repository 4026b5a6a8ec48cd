// The audit log, for owners: who did what to which thing or read it, when, and from where.

import { toId } from '../../../core/base/ids.ts';
import { selectAudit, type AuditRow } from '../../../core/audit/audit-store.ts';
import type { Builder } from '../builder.ts';
import { signedIn } from '../context.ts';
import { connectionCost, resolveById } from '../page.ts';

/** Adds AuditEntry and `auditLog`. */
export function addAuditTypes(builder: Builder): void {
  const entry = builder.objectRef<AuditRow>('AuditEntry').implement({
    description: 'One change that somebody made, or one read of a content',
    fields: (t) => ({
      id: t.id({ resolve: ({ id }) => toId('aud', id) }),
      at: t.expose('at', { type: 'DateTime' }),
      actor: t.exposeString('actor', { description: 'id of a person or key, or the name of a system actor' }),
      actorEmail: t.string({
        nullable: true,
        description: 'Null for keys, jobs and people of another tenant',
        resolve: ({ actor }, _args, context) => context.actorEmails.load(actor),
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
      args: {
        action: t.arg.string({ description: 'an action (`user.removed`) or a kind of actions (`user`)' }),
      },
      complexity: (args) => connectionCost(args),
      resolve: (_root, args, context) =>
        resolveById(args, (page) =>
          selectAudit(context.deps.db.pool, signedIn(context).tenantId, {
            ...page,
            action: args.action ?? undefined,
          }),
        ),
    }),
  );
}
