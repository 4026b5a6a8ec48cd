// Statements that need a table for themselves, beside services at work. Whoever waits for such a lock makes everybody wait
// who comes later, and whoever has it makes them wait too: so a try gives up soon, the others pass, and it tries again.

import { monotonicMs, sleep } from '../base/clock.ts';
import { TABLE_LOCK_MS } from '../base/time-limits.ts';
import { sqlState } from './sql-state.ts';

const ALL_MS = 150; // for a statement with its waits: with the way there and back nobody waits for longer than 200 ms
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
const GIVE_UP_MS = 300_000; // of somebody who holds the table all the time: a backup, a report, a forgotten session
// A lock or the statement took too long, two of us waited in a circle.
const TRY_AGAIN = new Set<string | null>(['55P03', '57014', '40P01']);

/** Limits of one transaction, to be set inside it: of its waits for locks, and of each statement that alters a table. */
export function limitLocks(statement: 'brief' | 'long'): string[] {
  return [
    `set local lock_timeout = ${TABLE_LOCK_MS}`,
    `set local statement_timeout = ${statement === 'brief' ? ALL_MS : 0}`,
  ];
}

/** How long `untilLocked` tries. */
interface Patience {
  giveUpMs?: number;
  signal?: AbortSignal | undefined;
}

/** Does `attempt` until it gets its locks. Throws what else goes wrong, and after five minutes, or so long, what it waited for. */
export async function untilLocked<T>(
  attempt: () => Promise<T>,
  { giveUpMs = GIVE_UP_MS, signal }: Patience = {},
): Promise<T> {
  const startedAt = monotonicMs();
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!TRY_AGAIN.has(sqlState(error)) || monotonicMs() - startedAt > giveUpMs) throw error;
    }
    await sleep(pauseMs * (0.5 + Math.random() / 2), signal);
    signal?.throwIfAborted();
    pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS);
  }
}
