// The messages in flight in this process, claimed and neither recorded nor given up, and how many more may be.

import type { Stream } from '../../core/base/stream.ts';
import type { Claim } from '../../core/message/claim.ts';
import type { ClaimedMessage, Claimer } from '../smtp/destination.ts';

/** The messages that this process holds. */
export interface InFlight {
  add(message: ClaimedMessage): void;
  /** Removes a claim. An older claim of the same message does nothing. */
  remove(claim: Claim): void;
  /** Whether there are messages of a claimer. */
  hasAny(claimer: Claimer): boolean;
  /** Removes all of a claimer. */
  clear(claimer: Claimer): void;
  /** How many more messages of a stream may be added right after they were accepted. */
  capacity(stream: Stream): number;
  /** How many more of a tenant: half of all at most while others have messages here or wait for a place. */
  capacityOf(tenantId: string, othersWait: boolean): number;
  /** How many more may be claimed from the database. */
  capacityToClaim(stream: Stream): number;
  /** Octets of content that may be added. */
  octetsLeft(): number;
  /** Octets of content that may be claimed from the database. */
  octetsToClaim(): number;
  /** Counts as claimed already what a statement under way may bring, until the function that it returns is called. */
  reserve(most: { messages: number; octets: number }): () => void;
  ids(): ReadonlySet<string>;
  size(): number;
}

// Parts of the limit that each kind may fill. Bulk mail leaves capacity to transactional mail; what is claimed from the
// database leaves capacity to what is accepted now, which then needs no query to be found again.
const ACCEPTED_PART = { transactional: 1, bulk: 0.75 };
const CLAIMED_PART = { transactional: 0.7, bulk: 0.55 };
const TENANT_PART = 0.5; // of what was accepted and of what was claimed together
const MAX_OCTETS = 256 * 1024 * 1024; // of content; composed messages come on top

const NOTHING = { messages: 0, octets: 0 };

/** Starts empty; holds at most `max` messages. */
export function createInFlight(max: number): InFlight {
  const messages = new Map<string, ClaimedMessage>();
  const tenants = new Map<string, number>();
  const reserved = { messages: 0, octets: 0 };
  let octets = 0;
  const count = ({ tenantId }: Claim, change: number) => {
    const now = (tenants.get(tenantId) ?? 0) + change;
    if (now > 0) tenants.set(tenantId, now);
    else tenants.delete(tenantId);
  };
  const capacityUpTo = (part: number, more = 0) =>
    octets >= MAX_OCTETS ? 0 : Math.max(0, Math.ceil(max * part) - messages.size - more);
  const remove = (claim: Claim) => {
    if (messages.get(claim.id)?.claim !== claim) return;
    messages.delete(claim.id);
    count(claim, -1);
    octets -= claim.octets;
  };
  return {
    add: (message) => {
      const { claim } = message;
      const before = messages.get(claim.id)?.claim;
      octets += claim.octets - (before?.octets ?? 0);
      if (!before) count(claim, 1);
      messages.set(claim.id, message);
    },
    remove,
    hasAny: (claimer) => messages.values().some((message) => message.claimer === claimer),
    clear: (claimer) => {
      for (const { claim, claimer: own } of messages.values()) if (own === claimer) remove(claim);
    },
    capacity: (stream) => capacityUpTo(ACCEPTED_PART[stream]),
    capacityOf: (tenantId, othersWait) => {
      const own = tenants.get(tenantId) ?? 0;
      const isAlone = !othersWait && tenants.size === (own > 0 ? 1 : 0);
      return isAlone ? max : Math.ceil(max * TENANT_PART) - own;
    },
    capacityToClaim: (stream) => capacityUpTo(CLAIMED_PART[stream], reserved.messages),
    octetsLeft: () => Math.max(0, MAX_OCTETS - octets),
    octetsToClaim: () => Math.max(0, MAX_OCTETS - octets - reserved.octets),
    reserve: (most) => {
      let held = most;
      reserved.messages += held.messages;
      reserved.octets += held.octets;
      return () => {
        reserved.messages -= held.messages;
        reserved.octets -= held.octets;
        held = NOTHING;
      };
    },
    ids: () => new Set(messages.keys()),
    size: () => messages.size,
  };
}
