// Who may connect, how often, and for how long. The idle timer of the SMTP library is reset by every byte; a client
// that sends one byte a minute is ended by the deadline here.

import type { SMTPServer, SMTPServerSession } from 'smtp-server';

import { connectionOf } from './extend-connection.ts';
import { Refusal } from './refusal.ts';

/** The sessions of one process. */
export interface SessionLimits {
  /** Counts a session in, or throws a Refusal. */
  enter(session: SMTPServerSession): void;
  leave(session: SMTPServerSession): void;
  /** Sessions under way. */
  size(): number;
}

/** Makes the limits. `server` is asked only when a session is ended. */
export function createSessionLimits(
  limits: { perAddress: number; sessionMs: number },
  server: () => SMTPServer,
): SessionLimits {
  const perAddress = new Map<string, number>();
  const sessions = new Map<string, { address: string; deadline: NodeJS.Timeout }>();
  return {
    enter: (session) => {
      const address = networkOf(session.remoteAddress);
      const count = perAddress.get(address) ?? 0;
      if (count >= limits.perAddress) {
        throw new Refusal(421, '4.7.0 Too many connections from your address; close some and try again');
      }
      perAddress.set(address, count + 1);
      const deadline = setTimeout(() => endSession(server(), session), limits.sessionMs);
      sessions.set(session.id, { address, deadline });
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

function endSession(server: SMTPServer, session: SMTPServerSession): void {
  connectionOf(server, session)?.send(421, '4.4.2 This session took too long; goodbye');
}

/** What counts as one client: an IPv4 address, or the /64 that one IPv6 customer has (RFC 6177). */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.toLowerCase().split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === '' ? [] : tail.split(':');
  const zeros = address.includes('::')
    ? Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0')
    : [];
  return [...front, ...zeros, ...back].slice(0, 4).join(':');
}
