// How templates have behaved in this process, which decides where they run:
//
//   shared    finished fast the last time: runs among the others
//   trial     never ran here, or was slow: runs alone, one at a time, tenants in turn
//   refused   ran over the time limit again and again: fails at once for half a minute, then has one more try

import { monotonicMs } from '../base/clock.ts';

/** Where a render goes. */
type Placement = 'shared' | 'trial' | 'refused';

/** Whose render it is. */
interface Rendering {
  tenantId: string;
  key: string | null;
}

/** The record of all templates. */
export interface RenderHistory {
  placementOf(rendering: Rendering): Placement;
  finished(rendering: Rendering, ms: number): void;
  ranOver(rendering: Rendering): void;
}

const FAST_MS = 25; // about a hundred times what ordinary mail takes; parsing the first time included
const TEMPLATE_STRIKES = 3;
const TENANT_STRIKES = 10; // over its templates that never finished fast
const REFUSED_MS = 30_000;
const MAX_ENTRIES = 50_000;

interface Strikes {
  count: number;
  refusedUntil: number;
}

/** An empty record. */
export function createRenderHistory(): RenderHistory {
  const fast = new Map<string, true>();
  const templates = new Map<string, Strikes>();
  const tenants = new Map<string, Strikes>();
  return {
    placementOf({ tenantId, key }) {
      if (key !== null && fast.has(key)) return 'shared';
      const now = monotonicMs();
      if (isRefused(tenants.get(tenantId), now)) return 'refused';
      return key !== null && isRefused(templates.get(key), now) ? 'refused' : 'trial';
    },
    finished({ tenantId, key }, ms) {
      tenants.delete(tenantId);
      if (key === null) return;
      templates.delete(key);
      fast.delete(key);
      if (ms < FAST_MS) keep(fast, key, true);
    },
    ranOver({ tenantId, key }) {
      strike(tenants, tenantId, TENANT_STRIKES);
      if (key === null) return;
      fast.delete(key);
      strike(templates, key, TEMPLATE_STRIKES);
    },
  };
}

function isRefused(strikes: Strikes | undefined, now: number): boolean {
  return strikes !== undefined && strikes.refusedUntil > now;
}

// One below the limit after it was reached: whoever was refused has one more try afterwards, not all of them.
function strike(records: Map<string, Strikes>, key: string, limit: number): void {
  const strikes = records.get(key) ?? { count: 0, refusedUntil: 0 };
  strikes.count++;
  if (strikes.count >= limit) {
    strikes.refusedUntil = monotonicMs() + REFUSED_MS;
    strikes.count = limit - 1;
  }
  keep(records, key, strikes);
}

function keep<T>(records: Map<string, T>, key: string, value: T): void {
  records.delete(key);
  records.set(key, value);
  if (records.size > MAX_ENTRIES) records.delete(records.keys().next().value as string);
}
