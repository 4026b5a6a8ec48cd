// /admin/tenants: operators create tenants, list them, put them on another plan, suspend and reactivate them.

import { z } from 'zod';

import { idInput, idView } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import { reactivateTenant, suspendTenant } from '../../../core/suspension/suspend-tenant.ts';
import { PLANS } from '../../../core/tenant/plan.ts';
import { newTenant, planInput } from '../../../core/tenant/tenant-input.ts';
import { TENANT_STATUSES, tenantStatus, type Tenant } from '../../../core/tenant/tenant-store.ts';
import { createTenant } from '../../../core/new-tenant/create-tenant.ts';
import { changePlan, listTenants } from '../../../core/tenant/tenants.ts';
import { decodeCursor, UUID_KEY } from '../../cursor.ts';
import { atHome } from '../../deps.ts';
import { jsonBody } from '../../endpoint.ts';
import { CONFIRMED_CALLER, requireConfirmedCaller } from '../confirmed-caller.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { defineRoute, type Route } from '../route.ts';

const GROUP = 'Administration';
const PATH = '/admin/tenants';
const params = z.object({ id: idInput('tnt') });

const view = z
  .object({
    id: idView('tnt'),
    name: z.string(),
    plan: z.enum(PLANS),
    status: z.enum(TENANT_STATUSES),
    suspended_at: z.iso.datetime().nullable().meta({ description: 'null: it is active' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Tenant', description: 'A customer account' });

function toView(tenant: Tenant): z.input<typeof view> {
  return {
    id: toId('tnt', tenant.id),
    name: tenant.name,
    plan: tenant.plan,
    status: tenantStatus(tenant),
    suspended_at: tenant.suspendedAt?.toISOString() ?? null,
    created_at: tenant.createdAt.toISOString(),
  };
}

const create = defineRoute(
  {
    operationId: 'createTenant',
    method: 'POST',
    path: PATH,
    access: 'admin',
    group: GROUP,
    summary: 'Create a tenant',
    description: CONFIRMED_CALLER,
    body: jsonBody(newTenant),
    response: view,
    status: 201,
    example: { name: 'Acme', plan: 'pro' },
    errors: ['confirmation_required'],
  },
  async ({ deps, by, caller, body }) => {
    const home = atHome(deps);
    await requireConfirmedCaller(home, caller);
    return { data: toView(await createTenant(home, by, body)) };
  },
);

const list = defineRoute(
  {
    operationId: 'listTenants',
    method: 'GET',
    path: PATH,
    access: 'admin',
    group: GROUP,
    summary: 'List tenants',
    query: z.strictObject({
      ...pageQuery,
      name: z.string().max(100).optional().meta({ description: 'part of the name' }),
      status: z.enum(TENANT_STATUSES).optional(),
    }),
    response: pageOf(view),
    status: 200,
  },
  async ({ deps, query: { after, limit, name, status } }) => {
    const [before = null] = after === undefined ? [] : decodeCursor(after, [UUID_KEY]);
    const page = { before, limit: limit + 1, name: name || null, status: status ?? null };
    return { data: toPage(await listTenants(deps.home, page), limit, (row) => [row.id], toView) };
  },
);

const suspend = defineRoute(
  {
    operationId: 'suspendTenant',
    method: 'POST',
    path: `${PATH}/{id}/suspend`,
    access: 'admin',
    aboutTenant: true,
    group: GROUP,
    summary: 'Suspend a tenant',
    description:
      'It can neither send nor receive within a second. Messages that wait are kept, and expire as usual. Its people can sign in ' +
      `and read. The owner of the domain of SYSTEM_MAIL_FROM cannot be suspended. ${CONFIRMED_CALLER}`,
    params,
    response: view,
    status: 200,
    errors: ['confirmation_required'],
  },
  async ({ deps, by, caller, params: { id } }) => {
    await requireConfirmedCaller(deps, caller);
    return { data: toView(await suspendTenant(deps, by, id)) };
  },
);

const reactivate = defineRoute(
  {
    operationId: 'reactivateTenant',
    method: 'POST',
    path: `${PATH}/{id}/reactivate`,
    access: 'admin',
    aboutTenant: true,
    group: GROUP,
    summary: 'Reactivate a tenant',
    description: `Ends a suspension. Messages that wait are sent as far as the caps of the day allow. ${CONFIRMED_CALLER}`,
    params,
    response: view,
    status: 200,
    errors: ['confirmation_required'],
  },
  async ({ deps, by, caller, params: { id } }) => {
    await requireConfirmedCaller(deps, caller);
    return { data: toView(await reactivateTenant(deps, by, id)) };
  },
);

const changeOfPlan = defineRoute(
  {
    operationId: 'changePlan',
    method: 'POST',
    path: `${PATH}/{id}/plan`,
    access: 'admin',
    aboutTenant: true,
    group: GROUP,
    summary: 'Change the plan of a tenant',
    description: `The monthly quota and single sign-on follow at once. ${CONFIRMED_CALLER}`,
    params,
    body: jsonBody(planInput),
    response: view,
    status: 200,
    example: { plan: 'scale' },
    errors: ['confirmation_required'],
  },
  async ({ deps, by, caller, params: { id }, body }) => {
    await requireConfirmedCaller(deps, caller);
    return { data: toView(await changePlan(deps, by, id, body)) };
  },
);

/** Rows of the route table, in the order of the documentation. */
export const TENANT_ROUTES: readonly Route[] = [create, list, suspend, reactivate, changeOfPlan];
