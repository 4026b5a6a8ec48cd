// What this process has in hand: claimed messages that are neither recorded nor given up, and how much room is left.

import type { Claim, Stream } from '../core/message/claim.ts';
import type { Held } from './smtp/destination.ts';

/** The account of messages in memory. */
export interface Hand {
  add(held: Held): void;
  /** Takes a claim out. An older claim of the same message does nothing. */
  remove(claim: Claim): void;
  clear(): void;
  /** How many more messages of a lane fit. */
  room(stream: Stream): number;
  /** How many octets of content fit beside what is there. */
  octetsLeft(): number;
  ids(): ReadonlySet<string>;
  size(): number;
}

const BULK_PART = 0.75; // of the room: campaigns leave the rest to receipts
const MAX_OCTETS = 256 * 1024 * 1024; // of content; composed messages on their way come on top

/** An empty hand for so many messages. */
export function createHand(max: number): Hand {
  const inHand = new Map<string, Claim>();
  let octets = 0;
  return {
    add: ({ claim }) => {
      octets += claim.content.length - (inHand.get(claim.id)?.content.length ?? 0);
      inHand.set(claim.id, claim);
    },
    remove: (claim) => {
      if (inHand.get(claim.id) !== claim) return;
      inHand.delete(claim.id);
      octets -= claim.content.length;
    },
    clear: () => {
      inHand.clear();
      octets = 0;
    },
    room: (stream) => {
      if (octets >= MAX_OCTETS) return 0;
      return Math.max(0, Math.ceil(stream === 'bulk' ? max * BULK_PART : max) - inHand.size);
    },
    octetsLeft: () => Math.max(0, MAX_OCTETS - octets),
    ids: () => new Set(inHand.keys()),
    size: () => inHand.size,
  };
}
