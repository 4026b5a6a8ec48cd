// The alert rules that a new tenant begins with: one of each kind, for all its domains.

import { newUuid } from '../base/ids.ts';
import type { Queryable } from '../db/pool.ts';
import { ALERT_KIND_NAMES, ALERT_KINDS } from './alert-kinds.ts';
import { insertRules } from './alert-store.ts';

/** Adds a rule of each kind with its suggested threshold to a tenant that has none. They are listed in the order of the kinds. */
export async function addRecommendedRules(client: Queryable, tenantId: string): Promise<void> {
  const rules = ALERT_KIND_NAMES.toReversed().map((kind) => {
    return { id: newUuid(), tenantId, kind, threshold: ALERT_KINDS[kind].suggested };
  });
  await insertRules(client, rules);
}
