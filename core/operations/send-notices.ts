// Sends the notices of the outbox to the chat, one at a time, the longest due first.
//
// The row stays locked while its request runs, so that of any number of schedulers one sends it; a scheduler that
// dies lets go of it and another takes it up. Only a death between the chat's answer and our COMMIT can repeat a
// notice; its request then carries the same Idempotency-Key.
// Dies anywhere in here: docs/crashes-scheduler.md, rows notice.*.

import type pg from 'pg';

import { monotonicMs, sleep } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { inTransaction } from '../db/transaction.ts';
import { lockDueNotice, markNoticeFailed, markNoticeSent, type DueNotice } from './notice-store.ts';

/** Posts JSON and tells the status; rejects when there was no answer. Redirects are answers. */
export type PostJson = (
  url: string,
  body: string,
  headers: Record<string, string>,
) => Promise<{ status: number; retryAfterSeconds: number | null }>;

/** What sending needs. */
export interface NoticeDeps {
  pool: pg.Pool;
  url: string;
  post: PostJson;
  log: Logger;
}

/** A running sender of notices. */
export interface NoticeLoop {
  stop(): Promise<void>;
}

const PAUSE_MS = 1_000;
const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 900_000; // a chat that was away for hours gets its notices within a quarter of one
const GIVE_UP_MS = 7 * 86_400_000; // a week-old notice helps nobody; the row stays

/** Starts sending what is due until stopped. */
export function startNotices(deps: NoticeDeps): NoticeLoop {
  const stop = new AbortController();
  const run = async () => {
    while (!stop.signal.aborted) {
      let sent = false;
      try {
        sent = await sendDueNotice(deps);
      } catch (error) {
        deps.log.warn({ err: error }, 'sending operations notices failed; trying again');
      }
      if (!sent) await sleep(PAUSE_MS, stop.signal);
    }
  };
  const running = run();
  return {
    stop: () => {
      stop.abort();
      return running;
    },
  };
}

/** Tries the notice that is due for longest. False when none is due. */
export async function sendDueNotice(deps: NoticeDeps): Promise<boolean> {
  return inTransaction(deps.pool, async (client) => {
    const notice = await lockDueNotice(client);
    if (!notice) return false;
    const startedAt = monotonicMs();
    const result = await tryPost(deps, notice);
    const ms = Math.round(monotonicMs() - startedAt);
    if (result.ok) {
      await markNoticeSent(client, notice.id);
    } else {
      const retryInMs = nextRetryMs(notice, result.retryAfterSeconds);
      await markNoticeFailed(client, notice.id, result.error, retryInMs);
      deps.log.warn(
        { notice: notice.id, error: result.error, retryInMs, ms },
        'a notice did not get through',
      );
    }
    return true;
  });
}

type Posted = { ok: true } | { ok: false; error: string; retryAfterSeconds: number | null };

async function tryPost(deps: NoticeDeps, notice: DueNotice): Promise<Posted> {
  try {
    const headers = { 'content-type': 'application/json', 'idempotency-key': notice.id };
    const answer = await deps.post(deps.url, JSON.stringify({ text: notice.text }), headers);
    if (answer.status >= 200 && answer.status < 300) return { ok: true };
    const { retryAfterSeconds } = answer;
    return { ok: false, error: `the chat answered ${answer.status}`, retryAfterSeconds };
  } catch (error) {
    return {
      ok: false,
      error: error instanceof Error ? error.message : String(error),
      retryAfterSeconds: null,
    };
  }
}

// Whatever the chat says is tried again: a webhook that was deleted by mistake is put back by people.
function nextRetryMs(notice: DueNotice, retryAfterSeconds: number | null): number | null {
  const gap = Math.min(FIRST_RETRY_MS * 2 ** Math.min(notice.attempts, 20), LONGEST_RETRY_MS);
  const waitMs = Math.max(gap, Math.min((retryAfterSeconds ?? 0) * 1000, LONGEST_RETRY_MS));
  const longest = GIVE_UP_MS / LONGEST_RETRY_MS;
  return notice.attempts > longest ? null : waitMs;
}
