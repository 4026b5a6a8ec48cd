// What receivers saw, by transaction.

import type {
  WireClosed,
  WireConnected,
  WireData,
  WireGoAhead,
  WireDot,
  WireRecipient,
  WireVerdict,
} from '../facts/wire.ts';
import { addTo } from './by-key.ts';

/** One transaction at the receiving side. */
export interface Transaction {
  id: number;
  recipient: string;
  /** The name with which the sender greeted; null when it is not known. */
  sender: string | null;
  rcpt: { t: number; reply: string } | null;
  /** When the command DATA came. */
  dataAt: number | null;
  /** When it was answered with "go ahead". */
  goAheadAt: number | null;
  /** The whole message. */
  dot: (WireDot & { t: number }) | null;
  verdict: { t: number; reply: string; written: boolean } | null;
  /** The connection ended between DATA and verdict. */
  broke: { t: number; by: 'sink' | 'peer' } | null;
}

type WireEntry = { t: number } & (
  | WireConnected
  | WireRecipient
  | WireData
  | WireGoAhead
  | WireDot
  | WireVerdict
  | WireClosed
);

/** Puts transactions into `wire` by recipient, in the order of their first sign. */
export function createWireReader(wire: Map<string, Transaction[]>) {
  const senders = new Map<number, string>();
  const known = new Map<number, Transaction>();
  const transactionOf = (id: number, connection: number, recipient: string) => {
    let found = known.get(id);
    if (!found) {
      const sender = senders.get(connection) ?? null;
      found = {
        id,
        recipient,
        sender,
        rcpt: null,
        dataAt: null,
        goAheadAt: null,
        dot: null,
        verdict: null,
        broke: null,
      };
      known.set(id, found);
      addTo(wire, recipient, found);
    }
    return found;
  };
  return {
    readWire(entry: WireEntry): void {
      if (entry.kind === 'connected') return void senders.set(entry.connection, entry.helo);
      if (entry.kind === 'closed') {
        const broken = entry.transaction === null ? undefined : known.get(entry.transaction);
        if (broken) broken.broke = entry;
        return;
      }
      const transaction = transactionOf(entry.transaction, entry.connection, entry.recipient);
      if (entry.kind === 'rcpt') transaction.rcpt = entry;
      else if (entry.kind === 'data') transaction.dataAt = entry.t;
      else if (entry.kind === 'go_ahead') transaction.goAheadAt = entry.t;
      else if (entry.kind === 'dot') transaction.dot = entry;
      else transaction.verdict = entry;
    },
  };
}
