// Who may connect, how often, and for how long. The idle timer of the SMTP library is reset by every byte; a client
// that sends one byte a minute is ended by the deadline here.

import type { SMTPServerSession } from 'smtp-server';

import { networkOf } from '../base/address-range.ts';
import { Refusal } from './refusal.ts';

/** The sessions of one process, over all of its listeners. */
export interface SessionLimits {
  /** Most of one address at a time. */
  perAddress: number;
  /** Counts a session in, or throws a Refusal. `end` is called when the session has lasted too long. */
  enter(session: SMTPServerSession, end: (refusal: Refusal) => void): void;
  leave(session: SMTPServerSession): void;
  /** Sessions under way. */
  size(): number;
}

/** Makes the limits. */
export function createSessionLimits(limits: { perAddress: number; sessionMs: number }): SessionLimits {
  const perAddress = new Map<string, number>();
  const sessions = new Map<string, { address: string; deadline: NodeJS.Timeout }>();
  return {
    perAddress: limits.perAddress,
    enter: (session, end) => {
      const address = networkOf(session.remoteAddress);
      const count = perAddress.get(address) ?? 0;
      if (count >= limits.perAddress) {
        throw new Refusal(421, '4.7.0 Too many connections from your address; close some and try again');
      }
      perAddress.set(address, count + 1);
      const tooLong = () => end(new Refusal(421, '4.4.2 This session took too long; goodbye'));
      sessions.set(session.id, { address, deadline: setTimeout(tooLong, limits.sessionMs) });
    },
    leave: (session) => {
      const known = sessions.get(session.id);
      if (!known) return;
      sessions.delete(session.id);
      clearTimeout(known.deadline);
      const count = (perAddress.get(known.address) ?? 1) - 1;
      if (count > 0) perAddress.set(known.address, count);
      else perAddress.delete(known.address);
    },
    size: () => sessions.size,
  };
}
