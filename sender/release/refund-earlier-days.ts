// The cap counts what receivers see of a domain on a day, so an admission is for one day. Mail that is undelivered when
// the day ends gives its admission back and is released like deferred mail, in the order in which it all came.
// Dies anywhere in here: docs/crashes.md, row release.before-commit: a batch is refunded as a whole or not at all.

import type pg from 'pg';

import { inTransaction } from '../../core/db/transaction.ts';
import { refundEarlierDays, type Refunded } from '../../core/message/release-store.ts';
import { subtractEspUse } from '../../core/warmup/esp-cap-store.ts';
import { subtractAdmissions } from '../../core/warmup/warmup-store.ts';
import type { EspPolicy } from '../accept/esp-shares.ts';
import { chooseRoute } from '../deliver/route.ts';

/** Whose admissions are refunded, and by which clock; null is everyone's, and the database's. */
interface RefundRun {
  now: Date | null;
  tenantId: string | null;
  signal?: AbortSignal;
}

const BATCH = 2_000; // messages of one transaction: about 100 ms, in which nobody waits for their rows

/** Refunds the admissions of days that have ended. Resolves when none is left but what senders have in flight. */
export async function refundAll(pool: pg.Pool, esp: EspPolicy, run: RefundRun): Promise<void> {
  let more = true;
  while (more && !run.signal?.aborted) {
    more = await inTransaction(pool, async (client) => {
      const refunded = await refundEarlierDays(client, run.now, run.tenantId, BATCH);
      if (refunded.length > 0) await subtract(client, esp, refunded);
      return refunded.length === BATCH;
    });
  }
}

async function subtract(client: pg.ClientBase, esp: EspPolicy, refunded: Refunded[]): Promise<void> {
  const byDomain = Map.groupBy(refunded, ({ domainId, day }) => `${domainId} ${day}`);
  const days = [...byDomain.values()].map((group) => {
    const { tenantId, domainId, day } = group[0]!;
    const bulk = group.filter(({ stream }) => stream === 'bulk').length;
    return { tenantId, domainId, day, total: group.length, bulk };
  });
  await subtractAdmissions(client, days);
  if (!esp) return;
  const byRoute = Map.groupBy(
    refunded.map((one) => ({ ...one, esp: chooseRoute(esp.routes, one).name })),
    (one) => `${one.tenantId} ${one.esp} ${one.day}`,
  );
  await subtractEspUse(
    client,
    [...byRoute.values()].map((group) => ({ ...group[0]!, count: group.length })),
  );
}
