// Moves a scheduled message to another time.

import type { Actor } from '../audit/actor.ts';
import { change, type LiveChangeDeps } from '../audit/change.ts';
import { nowDate } from '../base/clock.ts';
import { AppError, invalidFields, notFound } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import { insertEvents } from './event-store.ts';
import { selectMessage } from './message-store.ts';
import { rescheduleWaiting } from './schedule-store.ts';
import { pastProblem, scheduleProblem } from './scheduled-at.ts';

/**
 * Moves it with its event; a time of the last minute is now. Throws not_found, validation_failed for a time before or too far ahead, or
 * conflict when it does not wait for its time any more.
 */
export async function rescheduleMessage(
  deps: LiveChangeDeps,
  by: Actor,
  tenantId: string,
  id: string,
  at: Date,
): Promise<void> {
  if (!(await selectMessage(deps.db.pool, tenantId, id))) throw notFound('message');
  const problem = scheduleProblem(at, nowDate()) ?? pastProblem(at, nowDate());
  if (problem) throw invalidFields([problem]);
  await change(deps, by, async (client, record) => {
    const moved = await rescheduleWaiting(client, tenantId, id, at);
    if (!moved) throw notScheduled();
    const { domainId, rcptTo: recipient } = moved;
    const of = { tenantId, messageId: id, domainId, campaignId: null, recipient };
    const data = { reason: 'scheduled', deferred_until: at.toISOString() };
    await insertEvents(client, [{ id: newUuid(), type: 'deferred', ...of, data }]);
    await record({
      tenantId,
      action: 'message.rescheduled',
      subject: toId('msg', id),
      topic: 'messages',
      details: { scheduled_at: data.deferred_until },
    });
  });
}

function notScheduled(): AppError {
  return new AppError('conflict', 'Only a scheduled message can be moved to another time. This one is not.');
}
