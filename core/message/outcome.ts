// How one claim of a message ended. Expected outcomes, all of them; a bug or a store that is away is an exception.

import type { Claim } from './claim.ts';

/** One try, as it is kept: who was asked, what was said, how long it took. */
export interface AttemptRecord {
  at: Date;
  durationMs: number;
  /** Name of the route. */
  esp: string;
  /** Host that was spoken to, or null when none was reached. */
  mx: string | null;
  /** TLS version, or null for plain text. */
  tls: string | null;
  /** SMTP command that was answered last. */
  command: string | null;
  smtpCode: number | null;
  enhancedCode: string | null;
  /** The peer's words, or our own about the network. */
  reply: string;
  bounceClass: string | null;
}

/** Why a try is repeated later. */
export type RetryReason = 'remote_4xx' | 'network';

/** How a claim ended. All but `postponed` are one row in the timeline. */
export type Outcome =
  | { kind: 'delivered'; claim: Claim; attempt: AttemptRecord }
  | { kind: 'deferred'; claim: Claim; attempt: AttemptRecord; reason: RetryReason; retryInMs: number }
  | { kind: 'bounced'; claim: Claim; attempt: AttemptRecord; hard: boolean; suppresses: string | null }
  /** `attempt` is null when the age limit passed while the message waited. */
  | { kind: 'expired'; claim: Claim; attempt: AttemptRecord | null }
  | { kind: 'dropped'; claim: Claim; reason: DropReason; detail: string | null }
  /** Not tried: back to the record, to be claimed again then. A null reason means that it only waits its turn. */
  | { kind: 'postponed'; claim: Claim; reason: PostponeReason | null; retryInMs: number };

/** Why a message is given up without a try. */
export type DropReason = 'suppressed' | 'domain_deleted' | 'content_missing' | 'render_failed';

/** Why a message waits without a try. `network`: its destination did not answer others a moment ago. */
export type PostponeReason = 'domain_paused' | 'network';
