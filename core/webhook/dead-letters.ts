// Replaying dead letters: deliveries that failed for good start again at attempt 1, under their ids.

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import { notFound } from '../base/errors.ts';
import { toId } from '../base/ids.ts';
import { findTenant } from '../tenant/tenants.ts';
import { replayAllRows, replayRow } from './dead-letter-store.ts';

/** Replays one dead letter of a tenant. Throws not_found when it is not there, or not dead. */
export async function replayDeadLetter(
  deps: ChangeDeps,
  by: Actor,
  tenantId: string,
  id: string,
): Promise<void> {
  await change(deps, by, async (client, record) => {
    if (!(await replayRow(client, tenantId, id))) throw notFound('dead letter');
    const subject = toId('dlv', id);
    await record({ tenantId, action: 'webhook.replayed', subject, details: { count: 1 } });
  });
}

/** Replays all dead letters of a tenant. Returns how many. Throws not_found for an unknown tenant. */
export async function replayAllDeadLetters(deps: ChangeDeps, by: Actor, tenantId: string): Promise<number> {
  if (!(await findTenant(deps.db, tenantId))) throw notFound('tenant');
  return change(deps, by, async (client, record) => {
    const count = await replayAllRows(client, tenantId);
    await record({
      tenantId,
      action: 'webhook.replayed',
      subject: toId('tnt', tenantId),
      details: { count },
    });
    return count;
  });
}
