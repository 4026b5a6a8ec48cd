// What this process has in hand: claimed messages that are neither recorded nor given up, and how much room is left.

import type { Stream } from '../../core/base/stream.ts';
import type { Claim } from '../../core/message/claim.ts';
import type { Held } from '../smtp/destination.ts';

/** The account of messages in memory. */
export interface Hand {
  add(held: Held): void;
  /** Takes a claim out. An older claim of the same message does nothing. */
  remove(claim: Claim): void;
  clear(): void;
  /** How many more messages of a lane fit, when they were accepted just now. */
  room(stream: Stream): number;
  /** How many more of those that wait in the record fit. */
  roomToFill(stream: Stream): number;
  /** How many octets of content fit beside what is there. */
  octetsLeft(): number;
  ids(): ReadonlySet<string>;
  size(): number;
}

// Parts of the hand up to which each kind fills it. Campaigns leave room to receipts; what comes from the record leaves
// room to what is accepted now, which then needs no second look at the record.
const ACCEPTED_PART = { transactional: 1, bulk: 0.75 };
const RECORDED_PART = { transactional: 0.7, bulk: 0.55 };
const MAX_OCTETS = 256 * 1024 * 1024; // of content; composed messages on their way come on top

/** An empty hand for so many messages. */
export function createHand(max: number): Hand {
  const inHand = new Map<string, Claim>();
  let octets = 0;
  const roomUpTo = (part: number) =>
    octets >= MAX_OCTETS ? 0 : Math.max(0, Math.ceil(max * part) - inHand.size);
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
    room: (stream) => roomUpTo(ACCEPTED_PART[stream]),
    roomToFill: (stream) => roomUpTo(RECORDED_PART[stream]),
    octetsLeft: () => Math.max(0, MAX_OCTETS - octets),
    ids: () => new Set(inHand.keys()),
    size: () => inHand.size,
  };
}
