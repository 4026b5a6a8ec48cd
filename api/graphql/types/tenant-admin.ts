// Tenants as super-admins see them: their domains, plans of warm-up, reconciliation and dead letters.

import type { Actor } from '../../../core/audit/actor.ts';
import { notFound } from '../../../core/base/errors.ts';
import { toId } from '../../../core/base/ids.ts';
import { getDomain, listDomains } from '../../../core/domain/domains.ts';
import type { Tenant } from '../../../core/tenant/tenant-store.ts';
import { reactivateTenant, suspendTenant } from '../../../core/suspension/suspend-tenant.ts';
import { newTenant } from '../../../core/tenant/tenant-input.ts';
import { createTenant } from '../../../core/new-tenant/create-tenant.ts';
import { changePlan, findTenant, listTenants, readQuota } from '../../../core/tenant/tenants.ts';
import { TENANT_PROBLEMS } from '../../../core/service-health/health-store.ts';
import { readTroubledTenants } from '../../../core/service-health/service-health.ts';
import { listDeadLetters, type DeadLetter } from '../../../core/webhook/dead-letter-store.ts';
import { replayAllDeadLetters, replayDeadLetter } from '../../../core/webhook/dead-letters.ts';
import { atHome, type ApiDeps } from '../../deps.ts';
import { CONFIRMED, type Builder } from '../builder.ts';
import { changedBy, confirmedSelf, type GraphqlContext } from '../context.ts';
import { keyTime, TIME_KEY, timeKey, UUID_KEY } from '../../cursor.ts';
import { connectionCost, resolveForward, resolveOlder } from '../page.ts';
import { checkInput, requireId } from '../check-input.ts';
import type { DomainTypes } from './domain.ts';
import type { TenantTypes } from './tenant.ts';

const superAdmin = { superAdmin: true };

/** Adds `tenants`, `tenant`, what hangs below a tenant, and the replay of dead letters. */
export function addTenantAdmin(
  builder: Builder,
  { tenant, quota, plan, status }: TenantTypes,
  { domain }: DomainTypes,
): void {
  const problem = builder.enumType('TenantProblem', { values: TENANT_PROBLEMS });
  builder.objectField(tenant, 'problems', (t) =>
    t.field({
      type: [problem],
      description: 'Problems of its domains and webhooks, the most urgent first; super-admins only',
      authScopes: superAdmin,
      resolve: async ({ id }, _args, { account }) => {
        const found = await account.tenantProblems.load(id);
        return TENANT_PROBLEMS.filter((one) => found?.includes(one));
      },
    }),
  );
  builder.queryField('tenants', (t) =>
    t.connection({
      type: tenant,
      description: 'All tenants, newest first; super-admins only',
      authScopes: superAdmin,
      args: {
        name: t.arg.string({ description: 'part of the name' }),
        status: t.arg({ type: status, description: 'Only tenants of this status' }),
        problem: t.arg({ type: problem, description: 'Only tenants with this problem' }),
      },
      complexity: (args) => connectionCost(args),
      resolve: (_root, args, { deps }) =>
        resolveOlder(args, async (page) => {
          const ids = args.problem ? await readTroubledTenants(deps.buckets, args.problem) : undefined;
          const filter = { name: args.name || null, status: args.status ?? null, ids };
          return listTenants(deps.home, { ...page, ...filter });
        }),
    }),
  );
  builder.queryField('tenant', (t) =>
    t.field({
      type: tenant,
      nullable: true,
      description: 'Super-admins only',
      authScopes: superAdmin,
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_root, { id }, context) => {
        const found = await readTenant(context, id);
        await noteOpened(context, found.id, 'tenant.opened');
        return found;
      },
    }),
  );
  builder.objectField(tenant, 'domains', (t) =>
    t.connection({
      type: domain,
      description: 'Super-admins only',
      authScopes: superAdmin,
      complexity: (args) => connectionCost(args),
      resolve: (self, args, { deps }) =>
        deps.inTenant(self, () => resolveOlder(args, (page) => listDomains(deps, self.id, page))),
    }),
  );
  builder.objectField(tenant, 'domain', (t) =>
    t.field({
      type: domain,
      description: 'One of its domains; super-admins only',
      authScopes: superAdmin,
      args: { id: t.arg.id({ required: true }) },
      resolve: async (self, { id }, context) => {
        const { deps } = context;
        const uuid = requireId('dom', id, 'domain');
        const found = await deps.inTenant(self, () => getDomain(deps, self.id, uuid));
        await noteOpened(context, self.id, 'domain.opened', toId('dom', uuid));
        return found;
      },
    }),
  );
  builder.objectField(tenant, 'quota', (t) =>
    t.field({
      type: quota,
      description: 'Super-admins only',
      authScopes: superAdmin,
      resolve: (self, _args, { deps }) => deps.inTenant(self, () => readQuota(deps.db, self)),
    }),
  );
  addChanges(builder, { tenant, plan });
  addDeadLetters(builder, tenant);
}

function addChanges(builder: Builder, { tenant, plan }: Pick<TenantTypes, 'tenant' | 'plan'>): void {
  const payload = builder.objectRef<{ tenant: Tenant }>('TenantPayload').implement({
    fields: (t) => ({ tenant: t.expose('tenant', { type: tenant }) }),
  });
  const oneInput = builder.inputType('TenantInput', {
    fields: (t) => ({ tenantId: t.id({ required: true }) }),
  });
  builder.mutationField('suspendTenant', (t) =>
    t.field({
      type: payload,
      description: `Nothing is sent or received from then on; messages that wait are kept. Super-admins only. ${CONFIRMED}`,
      authScopes: superAdmin,
      args: { input: t.arg({ type: oneInput, required: true }) },
      resolve: (_root, { input }, context) => changeTenant(context, input.tenantId, suspendTenant),
    }),
  );
  builder.mutationField('reactivateTenant', (t) =>
    t.field({
      type: payload,
      description: `Ends a suspension: messages that wait are sent as far as the caps allow. Super-admins only. ${CONFIRMED}`,
      authScopes: superAdmin,
      args: { input: t.arg({ type: oneInput, required: true }) },
      resolve: (_root, { input }, context) => changeTenant(context, input.tenantId, reactivateTenant),
    }),
  );
  const newInput = builder.inputType('CreateTenantInput', {
    fields: (t) => ({ name: t.string({ required: true }), plan: t.field({ type: plan, required: true }) }),
  });
  builder.mutationField('createTenant', (t) =>
    t.field({
      type: payload,
      description: `Super-admins only. ${CONFIRMED}`,
      authScopes: superAdmin,
      args: { input: t.arg({ type: newInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        await confirmedSelf(context);
        return {
          tenant: await createTenant(atHome(context.deps), changedBy(context), checkInput(newTenant, input)),
        };
      },
    }),
  );
  const planInput = builder.inputType('ChangePlanInput', {
    fields: (t) => ({ tenantId: t.id({ required: true }), plan: t.field({ type: plan, required: true }) }),
  });
  builder.mutationField('changePlan', (t) =>
    t.field({
      type: payload,
      description: `Super-admins only. ${CONFIRMED}`,
      authScopes: superAdmin,
      args: { input: t.arg({ type: planInput, required: true }) },
      resolve: (_root, { input }, context) =>
        changeTenant(context, input.tenantId, (deps, by, id) =>
          changePlan(deps, by, id, { plan: input.plan }),
        ),
    }),
  );
}

async function changeTenant(
  context: GraphqlContext,
  tenantId: string,
  verb: (deps: ApiDeps, by: Actor, id: string) => Promise<Tenant>,
): Promise<{ tenant: Tenant }> {
  await confirmedSelf(context);
  const id = requireId('tnt', tenantId, 'tenant');
  const { deps } = context;
  return { tenant: await deps.inTenantOf(id, () => verb(deps, changedBy(context), id)) };
}

function addDeadLetters(builder: Builder, tenant: TenantTypes['tenant']): void {
  const letter = builder.objectRef<DeadLetter>('DeadLetter').implement({
    description: 'An inbound message whose webhook delivery failed after all attempts',
    fields: (t) => ({
      id: t.id({ resolve: ({ id }) => toId('dlv', id) }),
      tenantId: t.id({ resolve: ({ tenantId }) => toId('tnt', tenantId) }),
      messageId: t.id({ resolve: ({ messageId }) => toId('inm', messageId) }),
      recipient: t.exposeString('recipient'),
      webhookUrl: t.exposeString('webhookUrl', { nullable: true }),
      attempts: t.exposeInt('attempts'),
      lastStatusCode: t.exposeInt('lastStatusCode', { nullable: true }),
      lastError: t.exposeString('lastError', { nullable: true }),
      firstAttemptAt: t.expose('firstAttemptAt', { type: 'DateTime', nullable: true }),
      deadLetteredAt: t.expose('deadLetteredAt', { type: 'DateTime' }),
      sizeBytes: t.exposeInt('sizeBytes'),
    }),
  });
  builder.objectField(tenant, 'deadLetters', (t) =>
    t.connection({
      type: letter,
      description: 'Super-admins only',
      authScopes: superAdmin,
      complexity: (args) => connectionCost(args),
      resolve: ({ id: tenantId }, args, { deps }) =>
        resolveForward<DeadLetter>(
          args,
          [TIME_KEY, UUID_KEY],
          (row) => [timeKey(row.deadLetteredAt), row.id],
          ({ after, limit }) => {
            const [at, id] = after ?? [];
            const before = at === undefined || id === undefined ? undefined : { at: keyTime(at), id };
            return deps.inTenantOf(tenantId, () =>
              listDeadLetters(deps.db.pool, tenantId, { limit, before }),
            );
          },
        ),
    }),
  );

  const payload = builder.objectRef<{ replayed: number }>('ReplayPayload').implement({
    fields: (t) => ({ replayed: t.exposeInt('replayed') }),
  });
  const oneInput = builder.inputType('ReplayDeadLetterInput', {
    fields: (t) => ({ tenantId: t.id({ required: true }), id: t.id({ required: true }) }),
  });
  builder.mutationField('replayDeadLetter', (t) =>
    t.field({
      type: payload,
      description: 'Keeps its id and starts again with attempt 1; super-admins only',
      authScopes: superAdmin,
      args: { input: t.arg({ type: oneInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const tenantId = requireId('tnt', input.tenantId, 'tenant');
        const id = requireId('dlv', input.id, 'dead letter');
        const { deps } = context;
        await deps.inTenantOf(tenantId, () => replayDeadLetter(deps, changedBy(context), tenantId, id));
        return { replayed: 1 };
      },
    }),
  );
  const allInput = builder.inputType('ReplayAllDeadLettersInput', {
    fields: (t) => ({ tenantId: t.id({ required: true }) }),
  });
  builder.mutationField('replayAllDeadLetters', (t) =>
    t.field({
      type: payload,
      description: 'Super-admins only',
      authScopes: superAdmin,
      args: { input: t.arg({ type: allInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const id = requireId('tnt', input.tenantId, 'tenant');
        const { deps } = context;
        const replay = () => replayAllDeadLetters(deps, changedBy(context), id);
        return { replayed: await deps.inTenantOf(id, replay) };
      },
    }),
  );
}

/** Notes in a tenant's log that an operator opened something of it, before it is shown. */
export function noteOpened(
  { deps, ...context }: GraphqlContext,
  tenantId: string,
  action:
    | 'tenant.opened'
    | 'tenant.messages_opened'
    | 'tenant.audit_log_opened'
    | 'domain.opened'
    | 'message.attempts_opened',
  subject = toId('tnt', tenantId),
): Promise<void> {
  return deps.noteRead(deps.home.pool, changedBy(context), { tenantId, action, subject });
}

/** One tenant, by its outside id. Throws not_found. For super-admins. */
export async function readTenant(context: GraphqlContext, id: string): Promise<Tenant> {
  const tenant = await findTenant(context.deps.home, requireId('tnt', id, 'tenant'));
  if (!tenant) throw notFound('tenant');
  return tenant;
}
