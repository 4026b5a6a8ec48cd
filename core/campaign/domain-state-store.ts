// Whether a tenant's sending domain may send now.
// SQL by hand: one row with the database's clock beside it.

import type { Queryable } from '../db/pool.ts';
import { suspendedSql } from '../tenant/suspended.ts';

/** The domain as it stands. `status` is null when the tenant does not have it. */
export interface DomainState {
  status: string | null;
  /** Its tenant is. */
  suspended: boolean;
  paused: boolean;
  pausedReason: string | null;
  /** The database's clock. */
  now: Date;
}

/** Reads it by name. */
export async function readDomainState(db: Queryable, tenantId: string, name: string): Promise<DomainState> {
  const { rows } = await db.query<DomainState>({
    name: 'campaign-domain-state',
    text: `select d.status, ${suspendedSql('$1')} as suspended, coalesce(d.warmup_state = 'paused', false) as paused,
             d.paused_reason as "pausedReason", now() as now
           from (values (1)) as one left join domains d on d.tenant_id = $1 and d.name = $2`,
    values: [tenantId, name],
  });
  return rows[0]!;
}
