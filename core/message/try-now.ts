// Tries a message at once that waits for its next attempt. It keeps the admission of the day that it has and never takes another:
// what waits for the cap, a brake or a pause is refused here in words, and held by the sender whatever is asked.

import type { Actor } from '../audit/actor.ts';
import { change, type LiveChangeDeps } from '../audit/change.ts';
import { AppError, notFound } from '../base/errors.ts';
import { toId } from '../base/ids.ts';
import { explainMessage } from './explain.ts';
import { makeDue, readWaiting, type Waiting } from './try-now-store.ts';

/** Seconds between attempts at one message, at least: receivers take haste for abuse (RFC 5321 section 4.5.4.1 asks for minutes). */
const LEAST_PAUSE_S = 60;

/** Makes it due. Throws not_found, or conflict with the reason why it has to wait. */
export async function tryNow(deps: LiveChangeDeps, by: Actor, tenantId: string, id: string): Promise<void> {
  await change(deps, by, async (client, record) => {
    const waiting = await readWaiting(client, tenantId, id);
    if (!waiting) throw notFound('message');
    const obstacle = obstacleOf(waiting);
    if (obstacle !== null) throw cannot(obstacle);
    if (waiting.isRetry && (await makeDue(client, tenantId, id))) {
      await record({ tenantId, action: 'message.tried_now', subject: toId('msg', id), topic: 'messages' });
      return;
    }
    const decisions = (await explainMessage(client, tenantId, id)) ?? [];
    throw cannot(`it does not wait for a retry. ${decisions.at(-1)?.outcome.text ?? ''}`.trim());
  });
}

function obstacleOf(waiting: Waiting): string | null {
  const { state, domain, secondsSinceAttempt: since } = waiting;
  if (waiting.isClaimed) return 'it is being sent right now.';
  if (state !== 'deferred') return `it is ${state}.`;
  if (waiting.isSuspended) return 'the account is suspended.';
  if (!waiting.isRetry) return null;
  if (domain === null) return 'its sending domain was deleted.';
  if (!waiting.maySend) return `its sending domain ${domain} is paused or not verified.`;
  if (waiting.brake === 'all' || (waiting.brake === 'bulk' && waiting.isBulk))
    return `the same-day brake of ${domain} holds it. Release the brake on the page of the domain first.`;
  if (!waiting.isAdmitted)
    return `its place under the cap of an earlier day is gone. It is sent as soon as today’s cap of ${domain} allows.`;
  if (waiting.isDue) return 'it is due already, and is tried within seconds.';
  if (since !== null && since < LEAST_PAUSE_S)
    return `it was tried ${Math.max(0, Math.floor(since))} s ago. Wait until a minute has passed.`;
  return null;
}

function cannot(why: string): AppError {
  return new AppError('conflict', `The message cannot be tried now: ${why}`);
}
