// Records opens and clicks in batches, after the answer went out: what gathers while one batch is written forms the
// next. While the database is away hits are kept and tried again, up to a bound; what is beyond it is counted in the
// log. A process that is killed loses what it had not written yet, some milliseconds' worth: docs/crashes.md.

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
const MAX_PENDING = 100_000; // about 60 MB; at 1,000 opens a second a database may be away for 100 s
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;
const CLOSE_LIMIT_MS = 5_000;
const TELL_EVERY_MS = 10_000;

// One message's links can be asked for without end by anybody who has it. No reader does so more often.
const MAX_PER_MESSAGE = 100;
const PER_MS = 60_000;

/** Makes a recorder. */
export function createEngagementRecorder(deps: RecorderDeps): EngagementRecorder {
  const { log } = deps;
  let queue: Hit[] = [];
  let inFlight = 0;
  let running: Promise<void> | undefined;
  let closing = false;
  const tooMany = createFloodGuard();
  const lost = createLossLog(log);

  const run = async () => {
    while (queue.length > 0) {
      const batch = queue.slice(0, MAX_BATCH);
      queue = queue.slice(MAX_BATCH);
      inFlight = batch.length;
      await write(batch);
      inFlight = 0;
    }
    running = undefined;
  };
  // Comes back when the batch is written. A batch that PostgreSQL refuses is a bug: it is told, and not tried for ever.
  const write = async (batch: Hit[]) => {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        const written = await deps.record(batch);
        return deps.onRecorded?.(written);
      } catch (error) {
        const away = isDatabaseAway(error);
        log.warn({ err: error, hits: batch.length, away }, 'recording opens and clicks failed');
        if (!away && batch.length === 1) return lost(1, 'PostgreSQL refuses it');
        if (!away) return writeHalves(batch);
        await sleep(pauseMs);
      }
    }
  };
  const writeHalves = async (batch: Hit[]) => {
    const middle = Math.ceil(batch.length / 2);
    await write(batch.slice(0, middle));
    await write(batch.slice(middle));
  };
  return {
    push(hit) {
      if (tooMany(hit.messageId)) return lost(1, 'too many of one message');
      if (closing || queue.length >= MAX_PENDING) return lost(1, 'too many are waiting');
      queue.push(hit);
      running ??= run();
    },
    pending: () => queue.length + inFlight,
    async close() {
      await Promise.race([running, sleep(CLOSE_LIMIT_MS)]);
      closing = true;
      if (queue.length + inFlight > 0) lost(queue.length + inFlight, 'the process ends');
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
  let told = -Infinity;
  return (hits, why) => {
    counts.set(why, (counts.get(why) ?? 0) + hits);
    if (monotonicMs() - told < TELL_EVERY_MS && why !== 'the process ends') return;
    told = monotonicMs();
    log.error({ lost: Object.fromEntries(counts) }, 'opens and clicks were not recorded');
    counts.clear();
  };
}
