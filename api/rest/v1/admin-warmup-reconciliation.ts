// GET /admin/tenants/{id}/warmup/reconciliation: our count of each route beside what the route accepted.

import { z } from 'zod';

import { idInput, idView } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import { calendarDay } from '../../../core/base/time-input.ts';
import { readReconciliation } from '../../../core/warmup/reconcile.ts';
import { defineRoute } from '../route.ts';

const response = z.object({
  tenant_id: idView('tnt'),
  date: z.iso.date(),
  enforced: z.boolean().meta({ description: 'false: sub-caps are not enforced' }),
  items: z.array(
    z.object({
      esp: z.string(),
      sub_cap: z.int(),
      used: z.int(),
      remaining: z.int(),
      over_by: z.int(),
      accepted_by_esp: z.int(),
      difference: z.int(),
    }),
  ),
});

/** GET /admin/tenants/{id}/warmup/reconciliation */
export const getWarmupReconciliation = defineRoute(
  {
    operationId: 'reconcileSubCaps',
    method: 'GET',
    path: '/admin/tenants/{id}/warmup/reconciliation',
    access: 'admin',
    aboutTenant: true,
    group: 'Administration',
    summary: 'Reconcile sub-caps',
    description:
      'For one UTC day (today, or `date`): sends counted for each route, its part of the tenant’s daily cap, and what ' +
      'the route accepted.',
    params: z.object({ id: idInput('tnt') }),
    query: z.strictObject({ date: calendarDay.optional() }),
    response,
    status: 200,
  },
  async ({ deps, params: { id }, query }) => {
    const { OUTBOUND_ROUTES: routes, WARMUP_PER_ESP_ENFORCE: enforced } = deps.config;
    const report = await readReconciliation(deps.db.pool, id, query.date ?? null, { routes, enforced });
    return {
      data: {
        tenant_id: toId('tnt', report.tenantId),
        date: report.date,
        enforced: report.enforced,
        items: report.items.map((item) => ({
          esp: item.esp,
          sub_cap: item.subCap,
          used: item.used,
          remaining: item.remaining,
          over_by: item.overBy,
          accepted_by_esp: item.acceptedByEsp,
          difference: item.difference,
        })),
      },
    };
  },
);
