// Sends the notices of the outbox to the chat, one at a time, the longest due first.
//
// The row stays locked while its request runs, so that of any number of schedulers one sends it; a scheduler that
// dies releases the lock and another sends the notice. Only a death between the chat's answer and our COMMIT can repeat
// a notice; its request then carries the same Idempotency-Key.
// Dies anywhere in here: docs/crashes-scheduler.md, rows notice.*.

import type pg from 'pg';

import { monotonicMs } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { startLoop, type Loop } from '../base/loop.ts';
import type { GuardedHttp } from '../clients/guarded-http.ts';
import { inTransaction, isDatabaseAway } from '../db/transaction.ts';
import { lockDueNotice, markNoticeFailed, markNoticeSent, type DueNotice } from './notice-store.ts';

/** What sending needs. */
export interface NoticeDeps {
  pool: pg.Pool;
  url: string;
  http: Pick<GuardedHttp, 'post'>;
  log: Logger;
}

const PAUSE_MS = 1_000;
const TIMEOUT_MS = 10_000;
const FAILED_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000; // a chat that names its limit (Slack: one a second) is believed up to here
const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 900_000; // a chat that was away for hours gets its notices within a quarter of one

/** Starts sending what is due until stopped. */
export function startNotices(deps: NoticeDeps): Loop {
  return startLoop({
    what: 'sending operations notices',
    log: deps.log,
    isExpected: isDatabaseAway,
    step: () => sendDueNotice(deps),
  });
}

/**
 * Tries the notice that is due for longest. Returns how long to pause before the next: none after a success, longer
 * when the chat did not take it, so that a thousand notices do not knock at a closed door a thousand times.
 */
export async function sendDueNotice(deps: NoticeDeps): Promise<number> {
  return inTransaction(deps.pool, async (client) => {
    const notice = await lockDueNotice(client);
    if (!notice) return PAUSE_MS;
    const startedAt = monotonicMs();
    const result = await tryPost(deps, notice);
    const ms = Math.round(monotonicMs() - startedAt);
    if (result.ok) {
      await markNoticeSent(client, notice.id);
      return 0;
    }
    const retryInMs = nextRetryMs(notice, result.retryAfterMs);
    await markNoticeFailed(client, notice.id, result.error, retryInMs);
    deps.log.warn(
      { notice: notice.id, error: result.error, retryInMs, ms },
      'a notice could not be sent; it is tried again',
    );
    return Math.max(FAILED_PAUSE_MS, Math.min(result.retryAfterMs, LONGEST_PAUSE_MS));
  });
}

type Posted = { ok: true } | { ok: false; error: string; retryAfterMs: number };

async function tryPost(deps: NoticeDeps, notice: DueNotice): Promise<Posted> {
  const body = Buffer.from(JSON.stringify({ text: notice.text }));
  const headers = { 'content-type': 'application/json', 'idempotency-key': notice.id };
  const answer = await deps.http.post(deps.url, headers, body, TIMEOUT_MS);
  if (answer.kind !== 'answered') return { ok: false, error: answer.detail, retryAfterMs: 0 };
  if (answer.status >= 200 && answer.status < 300) return { ok: true };
  const seconds = Number(answer.retryAfter ?? 0);
  const error = `the chat answered ${answer.status}`;
  return { ok: false, error, retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : 0 };
}

// Whatever the chat says is tried again: a webhook that was deleted by mistake is put back by people.
function nextRetryMs(notice: DueNotice, retryAfterMs: number): number {
  const gap = Math.min(FIRST_RETRY_MS * 2 ** Math.min(notice.attempts, 20), LONGEST_RETRY_MS);
  return Math.max(gap, Math.min(retryAfterMs, LONGEST_RETRY_MS));
}
