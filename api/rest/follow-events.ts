// Follows a tenant's events for one request: what is there, then what comes. NATS says when to read on; without it a poll
// finds the same a second later.

import { monotonicMs, sleep } from '../../core/base/clock.ts';
import { subscribeLive } from '../../core/clients/live.ts';
import type { FeedType } from '../../core/message/event-feed.ts';
import { readTail, type TailPage, type TailPlace } from '../../core/message/event-tail.ts';
import type { ApiDeps } from '../deps.ts';

/** What is followed, and for how long. */
export interface Following {
  tenantId: string;
  from: TailPlace;
  types: readonly FeedType[];
  /** Events of a page. */
  limit: number;
  /** Ends it, as the stopping of this process does. */
  signal: AbortSignal;
  /** Whether to read the next page while the one before is worked on: doubles the speed, and costs a page of memory. */
  readsAhead: boolean;
  /** Milliseconds for which nothing new is waited for; then a page without events comes. */
  idleMs: number;
}

const POLL_MS = 1_000;

/**
 * Pages, one after another, each going on where the one before ended; without events only when nothing came for `idleMs`.
 * Ends with the signal.
 */
export async function* followEvents(deps: ApiDeps, following: Following): AsyncGenerator<TailPage> {
  const { tenantId, types, limit, idleMs } = following;
  const read = (after: TailPlace) => {
    const page = readTail(deps.db, tenantId, after, { types, limit });
    page.catch(() => {}); // one that is read ahead may never be asked for
    return page;
  };
  let ahead: Promise<TailPage> | null = null;
  const ends = [following.signal, deps.stopping];
  let news = new AbortController();
  const wake = () => news.abort();
  // Not AbortSignal.any: with a signal that lives as long as the process, Node keeps something of each of them.
  for (const signal of ends) signal.addEventListener('abort', wake);
  const unsubscribe = subscribeLive(deps.nats, tenantId, 'log', wake);
  let place = following.from;
  let idleSince = monotonicMs();
  try {
    while (!ends.some((signal) => signal.aborted)) {
      if (!ahead) news = new AbortController(); // before the read, so that what comes meanwhile is not missed
      const page: TailPage = await (ahead ?? read(place));
      place = page.end;
      ahead = following.readsAhead && !page.isAtEnd ? read(place) : null;
      const leftMs = idleMs - (monotonicMs() - idleSince);
      if (page.events.length > 0 || leftMs <= 0) {
        yield page;
        idleSince = monotonicMs();
      } else if (page.isAtEnd) {
        await sleep(Math.min(POLL_MS, leftMs), news.signal);
      }
    }
  } finally {
    unsubscribe();
    for (const signal of ends) signal.removeEventListener('abort', wake);
  }
}
