// Our count of a day beside what each route accepted, for super-admins.

import { z } from 'zod';

import { toId } from '../../../core/base/ids.ts';
import { calendarDay } from '../../../core/base/time-input.ts';
import {
  readReconciliation,
  type Reconciliation,
  type ReconciliationItem,
} from '../../../core/warmup/reconcile.ts';
import type { Builder } from '../builder.ts';
import { checkInput } from '../check-input.ts';
import type { TenantTypes } from './tenant.ts';

const REPORT_COST = 100;

/** Adds `reconciliation` to Tenant. */
export function addReconciliation(builder: Builder, { tenant }: TenantTypes): void {
  const item = builder.objectRef<ReconciliationItem>('ReconciliationItem').implement({
    fields: (t) => ({
      esp: t.exposeString('esp'),
      subCap: t.exposeInt('subCap'),
      used: t.exposeInt('used'),
      remaining: t.exposeInt('remaining'),
      overBy: t.exposeInt('overBy'),
      acceptedByEsp: t.exposeInt('acceptedByEsp'),
      difference: t.exposeInt('difference', { description: 'used − accepted: in flight, bounced, or lost' }),
    }),
  });
  const report = builder.objectRef<Reconciliation>('Reconciliation').implement({
    description: 'Our count compared with what each route accepted',
    fields: (t) => ({
      tenantId: t.id({ resolve: ({ tenantId }) => toId('tnt', tenantId) }),
      date: t.exposeString('date', { description: 'UTC' }),
      enforced: t.exposeBoolean('enforced', { description: 'False: sub-caps are not enforced' }),
      items: t.expose('items', { type: [item] }),
    }),
  });
  builder.objectField(tenant, 'reconciliation', (t) =>
    t.field({
      type: report,
      description: 'Super-admins only',
      authScopes: { superAdmin: true },
      args: { date: t.arg.string({ description: 'YYYY-MM-DD; default: today' }) },
      complexity: REPORT_COST,
      resolve: (self, args, { deps }) => {
        const { date = null } = checkInput(z.object({ date: calendarDay.optional() }), { date: args.date });
        const { OUTBOUND_ROUTES: routes, WARMUP_PER_ESP_ENFORCE: enforced } = deps.config;
        return deps.inTenant(self, () =>
          readReconciliation(deps.db.pool, self.id, date, { routes, enforced }),
        );
      },
    }),
  );
}
