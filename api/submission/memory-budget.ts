// How much of the messages that are coming in one process keeps in memory at a time. A message is kept whole until it is
// submitted, so without a bound forty clients with large ones would be the end of the process, and of the mail of others.

import type { SMTPServerSession } from 'smtp-server';

/** The bytes of all sessions. */
export interface MemoryBudget {
  /** Whether so many bytes would fit now. */
  fits(bytes: number): boolean;
  /** Takes bytes for the message of a session, or takes none and says no. */
  take(session: SMTPServerSession, bytes: number): boolean;
  /** Gives back all that a session took. */
  release(session: SMTPServerSession): void;
}

/** Makes one of so many bytes. */
export function createMemoryBudget(most: number): MemoryBudget {
  const taken = new Map<SMTPServerSession, number>();
  let sum = 0;
  return {
    fits: (bytes) => sum + bytes <= most,
    take: (session, bytes) => {
      if (sum + bytes > most) return false;
      sum += bytes;
      taken.set(session, (taken.get(session) ?? 0) + bytes);
      return true;
    },
    release: (session) => {
      sum -= taken.get(session) ?? 0;
      taken.delete(session);
    },
  };
}
