// Sub-caps: the part of a tenant's daily cap that one route (ESP) may carry. Pure.

import type { Route } from '../base/setting-kinds.ts';

/** A route as far as sub-caps go. */
export type CappedRoute = Pick<Route, 'name' | 'sub_cap_share'>;

/** Whether sends must be counted by route. With one route and no share, the route's count is the tenant's. */
export function countsByRoute(routes: readonly CappedRoute[]): boolean {
  return routes.length > 1 || routes.some((route) => route.sub_cap_share !== undefined);
}

/** What a route may carry of a tenant's caps of the day. A route without a share may carry all. */
export function subCap(tenantCap: number, route: CappedRoute): number {
  return Math.floor(tenantCap * (route.sub_cap_share ?? 1) + 1e-9); // 0.29 × 100 is 28.999… in binary
}

/** One tenant's day on one route, running while a batch is decided. */
export interface EspCapacity {
  used: number;
  subCap: number;
}

/** Counts one send of a route unless its sub-cap is reached; with `enforced` false it never is. */
export function admitOnRoute(capacity: EspCapacity, enforced: boolean): boolean {
  if (enforced && capacity.used >= capacity.subCap) return false;
  capacity.used += 1;
  return true;
}
