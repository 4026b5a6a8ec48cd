// Events as whoever records them inserts them, with ids and times of any clock.

import type pg from 'pg';
import { v7 } from 'uuid';

import { newUuid } from '../../core/base/ids.ts';
import { COUNTED_HERE, EVENT_COLUMNS, eventEffects } from '../../core/message/event-effects.ts';
import type { Account } from './factories.ts';

/** An event to insert; `clockMs` is how far the clock is off with which its id was made. */
export interface EventRow {
  type: string;
  clockMs?: number;
  messageId?: string;
  recipient?: string;
  data?: unknown;
}

const INSERT = `
  with event as (
    insert into events (id, tenant_id, type, message_id, domain_id, recipient, occurred_at, data)
    select q.id, $1, q.type, q.message_id, $2, q.recipient, now(), q.data
    from unnest($3::uuid[], $4::text[], $5::uuid[], $6::text[], $7::jsonb[]) with ordinality
      as q(id, type, message_id, recipient, data, place), ${COUNTED_HERE}
    order by q.place ${EVENT_COLUMNS}), ${eventEffects({ engagements: true })}
  select 1`;

/** Inserts events of an account by one statement; returns their UUIDs in this order. */
export async function addEvents(
  db: Pick<pg.Pool | pg.ClientBase, 'query'>,
  account: Pick<Account, 'tenantId' | 'domainId'>,
  events: EventRow[],
): Promise<string[]> {
  const ids = events.map(({ clockMs = 0 }) =>
    clockMs === 0 ? newUuid() : v7({ msecs: Date.now() + clockMs }),
  );
  await db.query(INSERT, [
    account.tenantId,
    account.domainId,
    ids,
    events.map((event) => event.type),
    events.map((event) => event.messageId ?? newUuid()),
    events.map((event) => event.recipient ?? 'ann@example.net'),
    events.map((event) => JSON.stringify(event.data ?? {})),
  ]);
  return ids;
}
