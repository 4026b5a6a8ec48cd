// Whether a request under an Idempotency-Key has had its effect: acts write their row of the audit log under the
// request's effect id, in their own transaction. A retry after a crash finds it, though nothing else tells who acted.

import type { Queryable } from '../db/pool.ts';

/** Whether the act of this effect id (UUID) is committed. */
export async function wasDone(
  db: Queryable,
  tenantId: string,
  effectId: string,
  action: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from audit_log where id = $1 and tenant_id = $2 and action = $3',
    [effectId, tenantId, action],
  );
  return rowCount === 1;
}
