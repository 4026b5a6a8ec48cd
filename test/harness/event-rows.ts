// Events as whoever records them inserts them, with ids of any clock.

import type pg from 'pg';
import { v7 } from 'uuid';

import { newUuid } from '../../core/base/ids.ts';
import type { Account } from './factories.ts';

/** An event to insert; `clockMs` is how far the clock is off with which its id was made. */
export interface EventRow {
  type: string;
  clockMs?: number;
  messageId?: string;
  data?: unknown;
}

/** Inserts events of an account by one statement; returns their UUIDs in this order. */
export async function addEvents(
  db: Pick<pg.Pool | pg.ClientBase, 'query'>,
  account: Account,
  events: EventRow[],
): Promise<string[]> {
  const ids = events.map(({ clockMs = 0 }) =>
    clockMs === 0 ? newUuid() : v7({ msecs: Date.now() + clockMs }),
  );
  await db.query(
    `insert into events (id, tenant_id, type, message_id, domain_id, recipient, occurred_at, data)
     select q.id, $1, q.type, q.message_id, $2, 'ann@example.net', now(), q.data
     from unnest($3::uuid[], $4::text[], $5::uuid[], $6::jsonb[]) with ordinality as q(id, type, message_id, data, place)
     order by q.place`,
    [
      account.tenantId,
      account.domainId,
      ids,
      events.map((event) => event.type),
      events.map((event) => event.messageId ?? newUuid()),
      events.map((event) => JSON.stringify(event.data ?? {})),
    ],
  );
  return ids;
}
