// An event is counted and put into the outbox once: by the statement of this release, and by the triggers for one of the release
// before, which says nothing (core/message/event-effects.ts).

import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import { insertEvents } from '../../core/message/event-store.ts';
import { createContext, type Context } from '../harness/context.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { isOnCitus } from '../harness/test-database.ts';

let context: Context;
let account: Account;

beforeAll(async () => {
  context = await createContext();
  account = await makeAccount(context.db);
});

afterAll(() => context.close());

test('the statement that inserts it', async () => {
  await inTransaction(context.db.pool, (client) =>
    insertEvents(client, [
      {
        id: newUuid(),
        tenantId: account.tenantId,
        type: 'delivered',
        messageId: newUuid(),
        domainId: account.domainId,
        campaignId: null,
        recipient: 'ann@example.net',
        data: {},
      },
    ]),
  );
  expect(await counted()).toEqual({ delivered: 1, waiting: 1 });
});

// On Citus no release before this one ran, and nothing is done by triggers.
test.skipIf(isOnCitus())('one of the release before, on the same connection too', async () => {
  const insert = `insert into events (id, tenant_id, type, message_id, domain_id, recipient, occurred_at, data)
    values ($1, $2, 'delivered', $3, $4, 'ann@example.net', now(), '{}')`;
  for (let n = 0; n < 2; n++)
    await context.db.pool.query(insert, [newUuid(), account.tenantId, newUuid(), account.domainId]);
  expect(await counted()).toEqual({ delivered: 3, waiting: 3 });
});

async function counted() {
  const { rows } = await context.db.pool.query(
    `select (select sum(delivered)::int from domain_days where tenant_id = $1) as delivered,
       (select count(*)::int from event_outbox where tenant_id = $1) as waiting`,
    [account.tenantId],
  );
  return rows[0];
}
