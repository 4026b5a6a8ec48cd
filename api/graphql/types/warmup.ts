// The warm-up by hand, for super-admins: the same verbs as REST's admin routes, with the same history and audit rows.

import { AppError, notFound } from '../../../core/base/errors.ts';
import { fromId, toId } from '../../../core/base/ids.ts';
import { overrideTier, resumeDomain, type TierChange, type Warmup } from '../../../core/warmup/tier-store.ts';
import { tellWarmup } from '../../tell-live.ts';
import type { Builder } from '../builder.ts';
import { signedIn } from '../context.ts';

interface Target {
  tenantId: string;
  domainId: string;
}

/** Adds Warmup, `overrideTier` and `resumeDomain`. */
export function addWarmupTypes(builder: Builder): void {
  const action = builder.enumType('TierAction', {
    values: ['advance', 'hold', 'release', 'demote'] as const,
  });
  const warmup = builder.objectRef<Warmup>('Warmup').implement({
    description: 'The warm-up gate of one sending domain on one UTC day',
    fields: (t) => ({
      domainId: t.id({ resolve: ({ domainId }) => toId('dom', domainId) }),
      domain: t.exposeString('domain'),
      day: t.exposeString('day', { description: 'UTC date of `used`' }),
      tier: t.exposeInt('tier', { description: '0 to 10' }),
      cap: t.exposeInt('cap', { description: 'Sends of the day' }),
      used: t.exposeInt('used'),
      state: t.exposeString('state', { description: 'active, held or paused' }),
      pausedReason: t.exposeString('pausedReason', { nullable: true }),
      waiting: t.exposeInt('waiting', { description: 'Deferred messages without a slot' }),
    }),
  });
  const payload = builder.objectRef<{ warmup: Warmup }>('WarmupPayload').implement({
    fields: (t) => ({ warmup: t.expose('warmup', { type: warmup }) }),
  });

  const overrideInput = builder.inputType('OverrideTierInput', {
    fields: (t) => ({
      tenantId: t.id({ required: true }),
      domainId: t.id({ required: true }),
      action: t.field({ type: action, description: 'Either this or `tier`' }),
      tier: t.int({ description: '0 to 10' }),
      reason: t.string({ required: true, description: 'Why, for the history' }),
    }),
  });
  builder.mutationField('overrideTier', (t) =>
    t.field({
      type: payload,
      authScopes: { superAdmin: true },
      args: { input: t.arg({ type: overrideInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const by = { actor: toId('usr', signedIn(context).userId), reason: input.reason };
        const { tenantId, domainId } = readTarget(input);
        const { pool } = context.deps.db;
        const warmup = await overrideTier(pool, tenantId, { id: domainId }, readChange(input), by);
        tellWarmup(context.deps.nats, warmup);
        return { warmup };
      },
    }),
  );

  const resumeInput = builder.inputType('ResumeDomainInput', {
    fields: (t) => ({
      tenantId: t.id({ required: true }),
      domainId: t.id({ required: true }),
      reason: t.string({ required: true, description: 'Why, for the history' }),
    }),
  });
  builder.mutationField('resumeDomain', (t) =>
    t.field({
      type: payload,
      authScopes: { superAdmin: true },
      args: { input: t.arg({ type: resumeInput, required: true }) },
      resolve: async (_root, { input }, context) => {
        const by = { actor: toId('usr', signedIn(context).userId), reason: input.reason };
        const { tenantId, domainId } = readTarget(input);
        const warmup = await resumeDomain(context.deps.db.pool, tenantId, { id: domainId }, by);
        tellWarmup(context.deps.nats, warmup);
        return { warmup };
      },
    }),
  );
}

function readTarget(input: { tenantId: string; domainId: string }): Target {
  const tenantId = fromId('tnt', input.tenantId);
  const domainId = fromId('dom', input.domainId);
  if (tenantId === null || domainId === null) throw notFound('domain');
  return { tenantId, domainId };
}

function readChange(input: {
  action?: 'advance' | 'hold' | 'release' | 'demote' | null | undefined;
  tier?: number | null | undefined;
}): TierChange {
  const { action, tier } = input;
  if (action && tier === undefined) return { action };
  if (!action && typeof tier === 'number') return { action: 'set', tier };
  throw new AppError('validation_failed', 'Give either an action or a tier.');
}
