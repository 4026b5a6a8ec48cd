// What decisions about a batch add up to: the answers, and everything that is written before COMMIT.

import type { Stream } from '../../core/base/stream.ts';
import type { MessageRow } from '../../core/message/accept-store.ts';
import type { NewEvent } from '../../core/message/event-store.ts';
import type { Claim } from '../../core/message/claim.ts';
import type { SubmissionAnswer } from '../../core/message/submission.ts';
import type { LockedDay } from '../../core/warmup/warmup-store.ts';
import type { EspCount } from './esp-shares.ts';
import type { Facts } from './facts.ts';
import type { Stored } from './new-rows.ts';

/** Everything that the batch writes and answers. */
export interface Decided {
  answers: SubmissionAnswer[];
  rows: MessageRow[];
  events: NewEvent[];
  claims: Claim[];
  /** Admitted messages that no worker has claimed yet. */
  unclaimed: number;
  /** Ids of admitted messages. */
  admitted: Set<string>;
  /** Domains about which the check in PostgreSQL overruled the one in Redis. */
  disagreements: Set<string>;
  /** Today's rows as they are after this batch. */
  days: Map<string, LockedDay>;
  /** Admissions to add to today's rows, by domain. */
  admissions: Map<string, { tenantId: string; total: number; bulk: number }>;
  /** Accepted sends to add to the month, by tenant. */
  usage: Map<string, number>;
  /** Sends to add, by route. */
  esp: EspCount | null;
}

/** A batch while it is decided, message by message. */
export interface Deciding extends Decided {
  facts: Facts;
  workerId: string;
  stored: Stored;
  maxAgeMs: number;
  /** Ids that Redis admitted, by domain; null when it could not answer. */
  redis: Map<string, Set<string> | null>;
  /** The month's count by tenant, running. */
  used: Map<string, number>;
  /** Messages of each stream that this process can still deliver. */
  capacity: Record<Stream, number>;
  /** How many of them may be of each tenant. */
  capacityOf: Map<string, number>;
}
