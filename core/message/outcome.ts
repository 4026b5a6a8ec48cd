// How one claim of a message ended. Expected outcomes, all of them; a bug or an unavailable store is an exception.

import type { SuppressedFor } from './accept-facts-store.ts';
import type { Claim } from './claim.ts';
import type { PostponeRule } from './explain-rules.ts';
import type { DeferReason } from './states.ts';

/** What makes a receiver's TLS binding: a policy of its domain. */
export const TLS_POLICIES = ['dane', 'mta_sts'] as const;

/** One of these policies. */
export type TlsPolicy = (typeof TLS_POLICIES)[number];

/** A certificate that a mail server showed, in short. */
export interface PeerCertificate {
  /** Distinguished names, as in `CN=mx.example.com`. */
  subject: string;
  issuer: string;
  /** ISO 8601. */
  expiresAt: string;
  /** SHA-256 of the certificate, as in `AB:CD:…`. */
  fingerprint: string;
}

/** One attempt, as it is stored. */
export interface AttemptRecord {
  at: Date;
  durationMs: number;
  /** Name of the route. */
  esp: string;
  /** Host that was spoken to, or null when none was reached. */
  mx: string | null;
  /** The mailbox provider that the host belongs to; null of nobody known, and of relays. */
  provider: string | null;
  /** The address that it left from, and its name in EHLO; null for the system's own. */
  source: string | null;
  sourceName: string | null;
  /** TLS version and cipher, or null for plain text. */
  tls: string | null;
  /** Whether the certificate proved the host, by trusted authorities or as the policy asks; null for plain text. */
  tlsVerified: boolean | null;
  /** The policy of the recipient's domain that was enforced; null without one. */
  tlsPolicy: TlsPolicy | null;
  /** What the host showed; null for plain text. */
  certificate: PeerCertificate | null;
  /** SMTP command that was answered last. */
  command: string | null;
  smtpCode: number | null;
  enhancedCode: string | null;
  /** The peer's reply, or our description of a network failure. */
  reply: string;
  bounceClass: string | null;
}

/** Why an attempt is repeated later. */
type RetryReason = DeferReason & ('remote_4xx' | 'network' | 'tls_policy');

/** How a claim ended. All but `postponed` are one row in the timeline. */
export type Outcome =
  | { kind: 'delivered'; claim: Claim; attempt: AttemptRecord }
  | { kind: 'deferred'; claim: Claim; attempt: AttemptRecord; reason: RetryReason; retryInMs: number }
  | { kind: 'bounced'; claim: Claim; attempt: AttemptRecord; hard: boolean; suppresses: string | null }
  /** `attempt` is null when the age limit passed while the message waited. */
  | { kind: 'expired'; claim: Claim; attempt: AttemptRecord | null }
  /** `suppressedIn`: the stream of the entry, where the recipient is suppressed. */
  | {
      kind: 'dropped';
      claim: Claim;
      reason: DropReason;
      detail: string | null;
      suppressedIn?: SuppressedFor['stream'];
    }
  /** Not attempted: released, to be claimed again then. A null reason means that it only waits for capacity. */
  | {
      kind: 'postponed';
      claim: Claim;
      reason: PostponeReason | null;
      retryInMs: number;
      because: PostponeDecision;
    };

/** Why a claim ends without an attempt. */
export type Postponement = Pick<Outcome & { kind: 'postponed' }, 'reason' | 'because'>;

/** What postponed a message, and the numbers of that moment. */
interface PostponeDecision {
  rule: PostponeRule;
  inputs: Record<string, unknown>;
}

/** Why a message is dropped without an attempt. */
type DropReason = 'suppressed' | 'domain_deleted' | 'content_missing' | 'render_failed';

/**
 * Why a message waits without an attempt. `network`, `tls_policy`: its destination did not answer others a moment ago, or did
 * not meet the policy of their domain. `provider_limit`: its mailbox provider takes no more for now. `source_cap`: so it is with
 * the new addresses of its pool, until the end of the UTC day.
 */
export type PostponeReason = DeferReason &
  (
    | 'domain_paused'
    | 'tenant_suspended'
    | 'network'
    | 'tls_policy'
    | 'brake'
    | 'provider_limit'
    | 'source_cap'
  );
