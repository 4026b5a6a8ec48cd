// What this sender may send today from new addresses: parts of the day's cap, taken from one row in PostgreSQL.
//
// Guarantee: what all senders together put on the wire from a new address on a UTC day is never more than its cap: a part
// counts before anything of it is used, and is used on its day only. What a sender that dies had taken is lost for the day.

import { monotonicMs } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/log.ts';
import { giveBack, takeShare, type DayShare } from '../../core/source/source-store.ts';
import type { Lease } from '../../core/worker/lease.ts';
import type pg from 'pg';

/** The right to send one message from an address, on a UTC day (YYYY-MM-DD) only. */
export interface Admission {
  address: string;
  day: string;
}

/** The parts of this process. */
export interface Shares {
  /** Takes one admission; null when the cap of the day is reached. Throws when the database is unavailable. */
  take(address: string): Promise<Admission | null>;
  /** It was not used. */
  giveBack(admission: Admission): void;
  /** Gives back to the others what is left. */
  stop(): Promise<void>;
}

interface Part extends DayShare {
  usedAt: number;
  /** Until then nobody is asked again: the cap was reached. Monotonic. */
  fullUntil: number;
  asking: Promise<void> | null;
}

const FULL_MS = 5_000; // others may give back what they do not use
const IDLE_MS = 10_000; // what was not used for so long, others may use
const LOOK_MS = 2_000;

/** Starts with nothing. */
export function createShares(deps: {
  pool: pg.Pool;
  lease: Pick<Lease, 'peers' | 'isOver'>;
  log: Logger;
}): Shares {
  const { pool, lease, log } = deps;
  const parts = new Map<string, Part>();

  const ask = async (address: string, part: Part) => {
    const share = await takeShare(pool, address, Math.max(1, lease.peers()));
    const before = part.day === share.day ? part.count : 0;
    Object.assign(part, { day: share.day, count: before + share.count });
    part.fullUntil = share.count === 0 ? monotonicMs() + FULL_MS : 0;
  };
  const release = async (idleMs: number) => {
    const old = [...parts].filter(([, { count, usedAt }]) => count > 0 && monotonicMs() - usedAt >= idleMs);
    for (const [address, part] of old) {
      const { day, count } = part;
      part.count = 0;
      await giveBack(pool, address, { day, count }).catch((error: unknown) =>
        log.warn(
          { err: error, address, messages: count },
          'a part of the day of a source is lost: it was not given back',
        ),
      );
    }
  };
  const timer = setInterval(() => void release(IDLE_MS), LOOK_MS).unref();
  const partOf = (address: string): Part => {
    const known = parts.get(address);
    if (known) return known;
    const part = { day: '', count: 0, usedAt: 0, fullUntil: 0, asking: null };
    parts.set(address, part);
    return part;
  };
  return {
    take: async (address) => {
      const part = partOf(address);
      for (;;) {
        if (part.count > 0 && !lease.isOver(part.day)) {
          part.count -= 1;
          part.usedAt = monotonicMs();
          return { address, day: part.day };
        }
        if (monotonicMs() < part.fullUntil) return null;
        part.asking ??= ask(address, part).finally(() => (part.asking = null));
        await part.asking;
      }
    },
    giveBack: ({ address, day }) => {
      const part = parts.get(address);
      if (part?.day === day) part.count += 1;
    },
    stop: async () => {
      clearInterval(timer);
      await release(0);
    },
  };
}
