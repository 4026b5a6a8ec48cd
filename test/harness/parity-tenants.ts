// Parity of what operators do with tenants.

import { toId } from '../../core/base/ids.ts';
import type { Pair } from './parity-pair.ts';

const ITS_ID = { id: 'tenantId' };

/** Creating, suspending, reactivating, another plan. */
export const TENANT_PAIRS: readonly Pair[] = [
  {
    mutation: 'createTenant',
    route: 'POST /admin/tenants',
    good: async () => ({ name: 'Acme', plan: 'pro' }),
    admin: true,
  },
  {
    mutation: 'suspendTenant',
    route: 'POST /admin/tenants/{id}/suspend',
    params: ITS_ID,
    good: async ({ tenantId }) => ({ tenantId: toId('tnt', tenantId) }),
    admin: true,
  },
  {
    mutation: 'reactivateTenant',
    route: 'POST /admin/tenants/{id}/reactivate',
    params: ITS_ID,
    good: async ({ tenantId, db }) => {
      await db.pool.query('update tenants set suspended_at = now() where id = $1', [tenantId]);
      return { tenantId: toId('tnt', tenantId) };
    },
    admin: true,
  },
  {
    mutation: 'changePlan',
    route: 'POST /admin/tenants/{id}/plan',
    params: ITS_ID,
    good: async ({ tenantId }) => ({ tenantId: toId('tnt', tenantId), plan: 'starter' }),
    admin: true,
  },
];
