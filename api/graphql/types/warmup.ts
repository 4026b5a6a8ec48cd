// The warm-up by hand, for super-admins: the same verbs as REST's admin routes, with the same history and audit rows.

import { toId } from '../../../core/base/ids.ts';
import { overrideTier, resumeDomain, type TierTarget } from '../../../core/warmup/change-tier.ts';
import { resumeInput, TIER_ACTIONS, tierInput } from '../../../core/warmup/tier-input.ts';
import { releaseBrake } from '../../../core/warmup/release-brake.ts';
import { readWarmup, type Warmup } from '../../../core/warmup/tier-store.ts';
import type { Builder } from '../builder.ts';
import { changedBy } from '../context.ts';
import { checkInput, requireId } from '../check-input.ts';

/** Adds Warmup, `overrideTier`, `resumeDomain` and `releaseTenantBrake`. */
export function addWarmupTypes(builder: Builder): void {
  const action = builder.enumType('TierAction', { values: TIER_ACTIONS });
  const warmup = builder.objectRef<Warmup>('Warmup').implement({
    description: 'The warm-up of one sending domain on one UTC day',
    fields: (t) => ({
      domainId: t.id({ resolve: ({ domainId }) => toId('dom', domainId) }),
      domain: t.exposeString('domain'),
      day: t.exposeString('day', { description: 'UTC date of `used`' }),
      tier: t.exposeInt('tier', { description: '0 to 10' }),
      cap: t.exposeInt('cap', { description: 'Messages per UTC day' }),
      used: t.exposeInt('used'),
      state: t.exposeString('state', { description: 'active, held or paused' }),
      pausedReason: t.exposeString('pausedReason', { nullable: true }),
      waiting: t.exposeInt('waiting', { description: 'Messages deferred because the cap is reached' }),
    }),
  });
  const payload = builder.objectRef<{ warmup: Warmup }>('WarmupPayload').implement({
    fields: (t) => ({ warmup: t.expose('warmup', { type: warmup }) }),
  });

  const overrideInput = builder.inputType('OverrideTierInput', {
    fields: (t) => ({
      tenantId: t.id({ required: true }),
      domainId: t.id({ required: true }),
      action: t.field({ type: action, description: 'Give either this or `tier`' }),
      tier: t.int({ description: '0 to 10' }),
      reason: t.string({ description: 'Why, for the history' }),
    }),
  });
  builder.mutationField('overrideTier', (t) =>
    t.field({
      type: payload,
      authScopes: { superAdmin: true },
      args: { input: t.arg({ type: overrideInput, required: true }) },
      resolve: async (_root, { input: { tenantId, domainId, ...fields } }, context) => {
        const target = readTarget(tenantId, domainId);
        const checked = checkInput(tierInput, fields);
        const { deps } = context;
        const override = () => overrideTier(deps, changedBy(context), target, checked);
        return { warmup: await deps.inTenantOf(target.tenantId, override) };
      },
    }),
  );

  const resume = builder.inputType('ResumeDomainInput', {
    fields: (t) => ({
      tenantId: t.id({ required: true }),
      domainId: t.id({ required: true }),
      reason: t.string({ description: 'Why, for the history' }),
    }),
  });
  builder.mutationField('resumeDomain', (t) =>
    t.field({
      type: payload,
      authScopes: { superAdmin: true },
      args: { input: t.arg({ type: resume, required: true }) },
      resolve: async (_root, { input: { tenantId, domainId, ...fields } }, context) => {
        const target = readTarget(tenantId, domainId);
        const checked = checkInput(resumeInput, fields);
        const { deps } = context;
        const lift = () => resumeDomain(deps, changedBy(context), target, checked);
        return { warmup: await deps.inTenantOf(target.tenantId, lift) };
      },
    }),
  );

  const release = builder.inputType('ReleaseTenantBrakeInput', {
    fields: (t) => ({ tenantId: t.id({ required: true }), domainId: t.id({ required: true }) }),
  });
  builder.mutationField('releaseTenantBrake', (t) =>
    t.field({
      type: payload,
      description: 'Releases the same-day brake of a tenant’s domain; does nothing when it is off',
      authScopes: { superAdmin: true },
      args: { input: t.arg({ type: release, required: true }) },
      resolve: async (_root, { input }, context) => {
        const { tenantId, domain } = readTarget(input.tenantId, input.domainId);
        const { deps } = context;
        const released = async () => {
          await releaseBrake(deps, changedBy(context), tenantId, domain.id);
          return readWarmup(deps.db.pool, tenantId, domain);
        };
        return { warmup: await deps.inTenantOf(tenantId, released) };
      },
    }),
  );
}

function readTarget(tenantId: string, domainId: string): TierTarget & { domain: { id: string } } {
  return {
    tenantId: requireId('tnt', tenantId, 'domain'),
    domain: { id: requireId('dom', domainId, 'domain') },
  };
}
