// Parity of what operators do with warm-up.

import { toId } from '../../core/base/ids.ts';
import type { Pair } from './parity-pair.ts';

const ADMIN_DOMAIN = { id: 'tenantId', domain_id: 'domainId' };

/** Tiers, pauses and plans. */
export const WARMUP_PAIRS: readonly Pair[] = [
  {
    mutation: 'overrideTier',
    route: 'POST /admin/tenants/{id}/domains/{domain_id}/tier',
    params: ADMIN_DOMAIN,
    good: async ({ adminIds }) => ({ ...adminIds, action: 'hold', reason: 'a new list' }),
    admin: true,
  },
  {
    mutation: 'resumeDomain',
    route: 'POST /admin/tenants/{id}/domains/{domain_id}/resume',
    params: ADMIN_DOMAIN,
    good: async ({ adminIds, domainId, db }) => {
      await db.pool.query("update domains set warmup_state = 'paused' where id = $1", [domainId]);
      return { ...adminIds, reason: 'the list is clean' };
    },
    admin: true,
  },
  {
    mutation: 'releaseTenantBrake',
    route: 'POST /admin/tenants/{id}/domains/{domain_id}/brake/release',
    params: ADMIN_DOMAIN,
    good: async ({ adminIds, domainId, db }) => {
      await db.pool.query("update domains set brake_state = 'bulk', brake_since = now() where id = $1", [
        domainId,
      ]);
      return adminIds;
    },
    admin: true,
  },
  {
    mutation: 'generateWarmupSchedule',
    route: 'POST /admin/tenants/{id}/warmup-schedule/generate',
    params: { id: 'tenantId' },
    good: async ({ tenantId }) => ({
      tenantId: toId('tnt', tenantId),
      startDate: '2030-01-01',
      totalTargetRecipients: 20_000,
    }),
    admin: true,
  },
];
