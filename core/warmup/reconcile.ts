// The reconciliation report: what we count for each route of a tenant beside what the route accepted.

import type pg from 'pg';

import { notFound } from '../base/errors.ts';
import { countsByRoute, subCap, type CappedRoute } from './esp-cap.ts';
import { readTenantCaps } from './esp-cap-store.ts';
import { readAccepted, readCounted, readDayOrToday, readStored } from './reconcile-store.ts';

/** One route's line. */
export interface ReconciliationItem {
  esp: string;
  subCap: number;
  used: number;
  remaining: number;
  overBy: number;
  acceptedByEsp: number;
  /** used − accepted: in flight, bounced, or lost. */
  difference: number;
}

/** The report of one tenant and UTC day. */
export interface Reconciliation {
  tenantId: string;
  date: string;
  enforced: boolean;
  items: ReconciliationItem[];
}

/** What the report needs to know of the settings. */
export interface ReconcileSettings {
  routes: readonly CappedRoute[];
  enforced: boolean;
}

/** Reads the report; `date` null is today by the database's clock. Throws not_found for an unknown tenant. */
export async function readReconciliation(
  pool: pg.Pool,
  tenantId: string,
  date: string | null,
  settings: ReconcileSettings,
): Promise<Reconciliation> {
  const day = await readDayOrToday(pool, tenantId, date);
  if (day === null) throw notFound('tenant');
  const { routes, enforced } = settings;
  const [caps, counted, accepted, stored] = await Promise.all([
    readTenantCaps(pool, [tenantId], day),
    readCounted(pool, tenantId, day),
    readAccepted(pool, day, tenantId),
    readStored(pool, tenantId, day),
  ]);
  // With one route and no share nothing is counted by route: the tenant's admissions are the route's.
  const single = countsByRoute(routes) ? undefined : routes[0]?.name;
  const used = new Map(counted.byRoute);
  if (single !== undefined) used.set(single, counted.admissions);
  const names = new Set([...routes.map((route) => route.name), ...used.keys(), ...accepted.keys()]);
  const items = [...names].map((esp): ReconciliationItem => {
    const route = routes.find(({ name }) => name === esp);
    const cap = stored.get(esp)?.subCap ?? (route ? subCap(caps.get(tenantId) ?? 0, route) : 0);
    const carried = used.get(esp) ?? 0;
    const acceptedByEsp = accepted.get(esp) ?? stored.get(esp)?.accepted ?? 0;
    return {
      esp,
      subCap: cap,
      used: carried,
      remaining: Math.max(cap - carried, 0),
      overBy: Math.max(carried - cap, 0),
      acceptedByEsp,
      difference: carried - acceptedByEsp,
    };
  });
  return { tenantId, date: day, enforced, items };
}
