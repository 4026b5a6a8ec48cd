// Sub-caps while mail is accepted or released: which route a message will take, and whether that route's sub-cap of the
// tenant's day allows it. Advisory by default: then sends are only counted, without a lock.

import type pg from 'pg';

import type { Route } from '../../core/base/setting-kinds.ts';
import { admitOnRoute, countsByRoute, subCap, type EspCapacity } from '../../core/warmup/esp-cap.ts';
import { espKey, lockEspUse, readTenantCaps, type EspUse } from '../../core/warmup/esp-cap-store.ts';
import { chooseRoute } from '../deliver/route.ts';

/** How routes are capped; null where there is nothing to count by route. */
export type EspPolicy = { routes: readonly Route[]; enforced: boolean } | null;

/** The policy that the settings make. */
export function espPolicy(config: { OUTBOUND_ROUTES: Route[]; WARMUP_PER_ESP_ENFORCE: boolean }): EspPolicy {
  const { OUTBOUND_ROUTES: routes, WARMUP_PER_ESP_ENFORCE: enforced } = config;
  return countsByRoute(routes) ? { routes, enforced } : null;
}

/** What routes have carried, running while one transaction is decided. */
export interface EspCount {
  /** Counts a message on its route; false when the route's sub-cap is reached. */
  admit(tenantId: string, message: { id: string; esp: string | null }): boolean;
  /** What the route of a message has carried, of how many. */
  numbers(
    tenantId: string,
    message: { id: string; esp: string | null },
  ): { route: string; used: number; sub_cap: number };
  /** What was counted, to add to the rows. */
  uses(): EspUse[];
}

/** Opens the count of these tenants' day. Enforced, their rows stay locked until the transaction ends. */
export async function openEspCount(
  client: pg.ClientBase,
  policy: EspPolicy,
  tenantIds: string[],
  day: string,
): Promise<EspCount | null> {
  if (!policy || tenantIds.length === 0) return null;
  const capacities = policy.enforced
    ? await lockCapacities(client, policy.routes, tenantIds, day)
    : new Map<string, EspCapacity>();
  const uses = new Map<string, EspUse>();
  return {
    admit: (tenantId, message) => {
      const esp = chooseRoute(policy.routes, message).name;
      const key = espKey({ tenantId, esp });
      const capacity: EspCapacity = capacities.get(key) ?? { used: 0, subCap: Infinity };
      if (!admitOnRoute(capacity, policy.enforced)) return false;
      const use = uses.get(key) ?? { tenantId, esp, count: 0 };
      use.count += 1;
      uses.set(key, use);
      return true;
    },
    numbers: (tenantId, message) => {
      const route = chooseRoute(policy.routes, message).name;
      const { used, subCap: most } = capacities.get(espKey({ tenantId, esp: route }))!;
      return { route, used, sub_cap: most };
    },
    uses: () => [...uses.values()],
  };
}

async function lockCapacities(
  client: pg.ClientBase,
  routes: readonly Route[],
  tenantIds: string[],
  day: string,
): Promise<Map<string, EspCapacity>> {
  const keys = tenantIds.flatMap((tenantId) => routes.map(({ name }) => ({ tenantId, esp: name })));
  const [caps, used] = await Promise.all([
    readTenantCaps(client, tenantIds, day),
    lockEspUse(client, keys, day),
  ]);
  return new Map(
    tenantIds.flatMap((tenantId) =>
      routes.map((route) => {
        const key = espKey({ tenantId, esp: route.name });
        return [key, { used: used.get(key) ?? 0, subCap: subCap(caps.get(tenantId) ?? 0, route) }] as const;
      }),
    ),
  );
}
