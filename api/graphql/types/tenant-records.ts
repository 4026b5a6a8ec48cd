// The messages and the audit log of a tenant, as operators read them. Each opening is noted in the tenant's own log.

import { notFound } from '../../../core/base/errors.ts';
import { toId } from '../../../core/base/ids.ts';
import { messageFilter } from '../../../core/message/list-input.ts';
import { listMessages } from '../../../core/message/list-messages.ts';
import { selectAttempts, selectMessage, type MessageSummary } from '../../../core/message/message-store.ts';
import type { Builder } from '../builder.ts';
import { checkInput, requireId } from '../check-input.ts';
import { connectionCost, resolveById } from '../page.ts';
import { auditArgs, resolveAudit, type AuditTypes } from './audit.ts';
import type { MessageTypes } from './message.ts';
import { noteOpened } from './tenant-admin.ts';
import type { TenantTypes } from './tenant.ts';

const superAdmin = { superAdmin: true };

/** Adds `messages`, `messageAttempts` and `auditLog` of a tenant, for super-admins. */
export function addTenantRecords(
  builder: Builder,
  { tenant }: TenantTypes,
  { entry, attempt, messageStatus }: AuditTypes & Pick<MessageTypes, 'attempt' | 'messageStatus'>,
): void {
  const message = builder.objectRef<MessageSummary>('TenantMessage').implement({
    description: 'A message as operators see it: where it stands, not what it says',
    fields: (t) => ({
      id: t.id({ resolve: ({ id }) => toId('msg', id) }),
      from: t.exposeString('from'),
      to: t.exposeString('to'),
      domain: t.exposeString('domain', { description: 'The sending domain' }),
      status: t.expose('status', { type: messageStatus }),
      deferReason: t.exposeString('deferReason', { nullable: true, description: 'Null unless deferred' }),
      deferredUntil: t.expose('deferredUntil', {
        type: 'DateTime',
        nullable: true,
        description: 'When it is tried next; null unless deferred, and while nothing of the domain is sent',
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
    }),
  });
  builder.objectField(tenant, 'messages', (t) =>
    t.connection({
      type: message,
      description: 'Newest first. Noted in the tenant’s audit log; super-admins only',
      authScopes: superAdmin,
      args: {
        status: t.arg({ type: messageStatus }),
        domain: t.arg.string({ description: 'name of the sending domain' }),
      },
      complexity: (args) => connectionCost(args),
      resolve: async ({ id }, args, context) => {
        const filter = checkInput(messageFilter, { status: args.status, domain: args.domain });
        await noteOpened(context, id, 'tenant.messages_opened');
        const { deps } = context;
        return resolveById(args, (page) =>
          deps.inTenantOf(id, () => listMessages(deps.db.pool, id, filter, page)),
        );
      },
    }),
  );
  builder.objectField(tenant, 'messageAttempts', (t) =>
    t.field({
      type: [attempt],
      description:
        'Delivery attempts of one of its messages, with the servers’ replies. Noted in the tenant’s audit log; super-admins only',
      authScopes: superAdmin,
      args: { id: t.arg.id({ required: true, description: 'id of the message' }) },
      resolve: ({ id: tenantId }, { id }, context) => {
        const { deps } = context;
        const uuid = requireId('msg', id, 'message');
        return deps.inTenantOf(tenantId, async () => {
          if (!(await selectMessage(deps.db.pool, tenantId, uuid))) throw notFound('message');
          await noteOpened(context, tenantId, 'message.attempts_opened', id);
          return selectAttempts(deps.db.pool, tenantId, [uuid]);
        });
      },
    }),
  );
  builder.objectField(tenant, 'auditLog', (t) =>
    t.connection({
      type: entry,
      description: 'Newest first. Noted in the log itself; super-admins only',
      authScopes: superAdmin,
      args: auditArgs(t.arg),
      complexity: (args) => connectionCost(args),
      resolve: async ({ id }, args, context) => {
        await noteOpened(context, id, 'tenant.audit_log_opened');
        return resolveAudit(args, context.deps.home.pool, id);
      },
    }),
  );
}
