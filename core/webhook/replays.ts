// Delivering events again: one delivery, or all of a range of time. The event keeps its id, so that a receiver knows what
// it has seen.

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps } from '../audit/change.ts';
import { AppError, invalidField, notFound } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import { insertReplay, restartDelivery } from './delivery-log-store.ts';
import type { ReplayRange } from './endpoint-input.ts';
import { selectEndpoint } from './endpoint-store.ts';

/** Starts one delivery of an endpoint again at attempt 1, whatever became of it. Throws not_found. */
export async function replayDelivery(
  deps: ChangeDeps,
  by: Actor,
  tenantId: string,
  endpointId: string,
  id: string,
): Promise<void> {
  await change(deps, by, async (client, record) => {
    switch (await restartDelivery(client, tenantId, endpointId, id)) {
      case 'not_found':
        throw notFound('delivery');
      case 'under_way':
        throw new AppError(
          'conflict',
          'An attempt at this delivery is in progress. Wait for it to end, then replay it.',
        );
      case 'restarted':
        await record({
          tenantId,
          action: 'webhook.replayed',
          subject: toId('whk', endpointId),
          details: { delivery: toId('wdl', id) },
        });
    }
  });
}

/** Lets all deliveries of a range start again, in the background and in pieces. Throws not_found. */
export async function replayRange(
  deps: ChangeDeps,
  by: Actor,
  tenantId: string,
  endpointId: string,
  { since, until, status }: ReplayRange,
): Promise<void> {
  if (until !== undefined && until <= since) throw invalidField('until', 'must be after since');
  await change(deps, by, async (client, record) => {
    if (!(await selectEndpoint(client, tenantId, endpointId))) throw notFound('webhook');
    await insertReplay(client, {
      id: by.changeId ?? newUuid(),
      tenantId,
      endpointId,
      since,
      until: until ?? null,
      status: status ?? null,
    });
    await record({
      tenantId,
      action: 'webhook.replayed',
      subject: toId('whk', endpointId),
      details: { since: since.toISOString(), until: until?.toISOString() ?? null, status: status ?? null },
    });
  });
}
