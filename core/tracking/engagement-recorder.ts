// Records opens and clicks in batches (core/base/batcher.ts), after the answer went out. While the database is
// unavailable hits are kept and tried again, up to a bound; what is beyond it is counted in the log. A process
// that is killed loses what it had not written yet, some milliseconds' worth: docs/crashes.md.

import { createBatcher } from '../base/batcher.ts';
import { monotonicMs, sleep } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { isDatabaseAway } from '../db/transaction.ts';
import type { Hit } from './engagement-store.ts';

/** Takes hits and sees that they are recorded. */
export interface EngagementRecorder {
  push(hit: Hit): void;
  /** Hits that are not recorded yet. */
  pending(): number;
  /** Writes what is there, for a few seconds at most. */
  close(): Promise<void>;
}

/** What the recorder needs. */
export interface RecorderDeps {
  /** Writes a batch in one transaction; writing a hit again changes nothing. Returns what is new. */
  record: (hits: Hit[]) => Promise<{ id: string; tenantId: string }[]>;
  /** Called after the commit. */
  onRecorded?: (written: { id: string; tenantId: string }[]) => void;
  log: Logger;
}

const MAX_BATCH = 500;
const MAX_PENDING = 100_000; // about 60 MB; at 1,000 opens a second a database may be unavailable for 100 s
const LONGEST_PAUSE_MS = 2_000;
const CLOSE_LIMIT_MS = 5_000;
const LOG_EVERY_MS = 10_000;

// One message's links can be asked for without end by anybody who has it. No reader does so more often.
const MAX_PER_MESSAGE = 100;
const PER_MS = 60_000;

/** Makes a recorder. */
export function createEngagementRecorder(deps: RecorderDeps): EngagementRecorder {
  const { log } = deps;
  let closing = false;
  const tooMany = createFloodGuard();
  const lost = createLossLog(log);
  const batcher = createBatcher<Hit>({
    async run(batch) {
      const written = await deps.record(batch);
      deps.onRecorded?.(written);
    },
    failed: () => lost(1, 'PostgreSQL refuses it'), // a bug: it is logged, and not retried for ever
    onTrouble: (error, hits, storeDown) =>
      log.warn({ err: error, hits, storeDown }, 'recording opens and clicks failed'),
    isStoreDown: isDatabaseAway,
    whenDown: 'keep',
    longestPauseMs: LONGEST_PAUSE_MS,
    maxItems: MAX_BATCH,
    maxWaiting: MAX_PENDING,
  });
  return {
    push(hit) {
      if (tooMany(hit.messageId)) return lost(1, 'too many of one message');
      if (closing || !batcher.push(hit)) lost(1, 'too many are waiting');
    },
    pending: () => batcher.pending(),
    async close() {
      await Promise.race([batcher.drained(), sleep(CLOSE_LIMIT_MS)]);
      closing = true;
      if (batcher.pending() > 0) lost(batcher.pending(), 'the process ends');
    },
  };
}

function createFloodGuard(): (messageId: string) => boolean {
  let counts = new Map<string, number>();
  let since = 0;
  return (messageId) => {
    const now = monotonicMs();
    if (now - since >= PER_MS) [counts, since] = [new Map(), now];
    const count = (counts.get(messageId) ?? 0) + 1;
    counts.set(messageId, count);
    return count > MAX_PER_MESSAGE;
  };
}

// One line for many: whatever floods us must not flood the log.
function createLossLog(log: Logger): (hits: number, why: string) => void {
  const counts = new Map<string, number>();
  let loggedAt = -Infinity;
  return (hits, why) => {
    counts.set(why, (counts.get(why) ?? 0) + hits);
    if (monotonicMs() - loggedAt < LOG_EVERY_MS && why !== 'the process ends') return;
    loggedAt = monotonicMs();
    log.error({ lost: Object.fromEntries(counts) }, 'opens and clicks were not recorded');
    counts.clear();
  };
}
