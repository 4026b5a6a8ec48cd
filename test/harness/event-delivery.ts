// The delivery of an event to a webhook, as the dispatcher makes it.

import { fromId, newUuid, toId } from '../../core/base/ids.ts';
import type { Database } from '../../core/db/pool.ts';

/** Makes one, due now or dead; its id in the outside form. `webhook` is an outside id. */
export async function makeEventDelivery(
  db: Database,
  tenantId: string,
  webhook: string,
  more: { state?: 'pending' | 'dead'; type?: string; body?: string } = {},
): Promise<string> {
  const { state = 'dead', type = 'message.delivered', body = '{"type":"message.delivered"}' } = more;
  const id = newUuid();
  await db.pool.query(
    `insert into webhook_deliveries (id, tenant_id, endpoint_id, event_id, event_type, body, state, attempts,
       next_attempt_at, last_error, dead_lettered_at)
     values ($1, $2, $3, $4, $5, $6, $7::text, case when $7::text = 'dead' then 7 else 0 end,
       case when $7::text = 'pending' then now() end, case when $7::text = 'dead' then 'no answer' end,
       case when $7::text = 'dead' then now() end)`,
    [id, tenantId, fromId('whk', webhook), newUuid(), type, body, state],
  );
  return toId('wdl', id);
}
