// An outcome as the columns that record it.

import { normalReply } from '../mail/normal-reply.ts';
import type { DecisionRule } from './explain-rules.ts';
import type { AttemptRecord, Outcome, TlsPolicy } from './outcome.ts';
import type { DeferReason, MessageState } from './states.ts';

/** One row of the statement that records outcomes. */
export interface OutcomeRow {
  id: string;
  tenantId: string;
  claimVersion: number;
  state: MessageState & ('delivered' | 'deferred' | 'bounced' | 'expired' | 'dropped' | 'queued');
  reason: 'suppressed' | null;
  deferReason: DeferReason | null;
  /** Null when nothing more will be tried. */
  retryInMs: number | null;
  /** Null, like all that follows up to the class, when nothing was tried. */
  at: Date | null;
  durationMs: number | null;
  esp: string | null;
  mx: string | null;
  provider: string | null;
  source: string | null;
  sourceName: string | null;
  tls: string | null;
  tlsVerified: boolean | null;
  tlsPolicy: TlsPolicy | null;
  /** JSON. */
  certificate: string | null;
  command: string | null;
  smtpCode: number | null;
  enhancedCode: string | null;
  reply: string | null;
  bounceClass: string | null;
  /** A mailbox provider's refusal without what varies, to be counted; null otherwise. */
  countedReply: string | null;
  /** Null when the timeline has no line for it. */
  eventId: string | null;
  eventData: string | null;
  /** Normalized address to suppress. */
  suppress: string | null;
  /** The decision, when there was no attempt that says it. */
  rule: DecisionRule | null;
  /** JSON. */
  inputs: string | null;
}

const UNTRIED = {
  at: null,
  durationMs: null,
  esp: null,
  mx: null,
  provider: null,
  source: null,
  sourceName: null,
  tls: null,
  tlsVerified: null,
  tlsPolicy: null,
  certificate: null,
  command: null,
  smtpCode: null,
  enhancedCode: null,
  reply: null,
  bounceClass: null,
  countedReply: null,
};

/** The columns of one outcome; `eventId` is used where it makes a line in the timeline. */
export function toRow(outcome: Outcome, eventId: string): OutcomeRow {
  const { id, tenantId, claimVersion } = outcome.claim;
  const row: OutcomeRow = {
    id,
    tenantId,
    claimVersion,
    state: 'queued',
    reason: null,
    deferReason: null,
    retryInMs: null,
    ...UNTRIED,
    eventId,
    eventData: null,
    suppress: null,
    rule: null,
    inputs: null,
  };
  switch (outcome.kind) {
    case 'delivered':
      return tried({ ...row, state: 'delivered' }, outcome.attempt, {});
    case 'deferred': {
      const { reason, retryInMs } = outcome;
      return tried({ ...row, state: 'deferred', deferReason: reason, retryInMs }, outcome.attempt, {
        reason,
        retry_in_seconds: Math.round(retryInMs / 1000),
      });
    }
    case 'bounced':
      return tried({ ...row, state: 'bounced', suppress: outcome.suppresses }, outcome.attempt, {
        kind: outcome.hard ? 'hard' : 'soft',
        source: 'smtp',
      });
    case 'expired':
      return outcome.attempt === null
        ? noted({ ...row, state: 'expired', eventData: JSON.stringify({ diagnostic: null }) }, 'expired', {
            expires_at: outcome.claim.expiresAt.toISOString(),
          })
        : tried({ ...row, state: 'expired' }, outcome.attempt, {});
    case 'dropped':
      return noted(
        {
          ...row,
          state: 'dropped',
          reason: outcome.reason === 'suppressed' ? 'suppressed' : null,
          eventData: JSON.stringify({ reason: outcome.reason, diagnostic: outcome.detail }),
        },
        outcome.reason,
        {
          ...(outcome.detail !== null && { diagnostic: outcome.detail }),
          ...(outcome.suppressedIn && { stream: outcome.suppressedIn }),
        },
      );
    case 'postponed': {
      const { reason, retryInMs, because } = outcome;
      const state = reason === null ? 'queued' : 'deferred';
      return noted({ ...row, state, deferReason: reason, retryInMs, eventId: null }, because.rule, {
        ...because.inputs,
        retry_in_ms: retryInMs,
      });
    }
    default:
      return outcome satisfies never;
  }
}

function noted(row: OutcomeRow, rule: DecisionRule, inputs: Record<string, unknown>): OutcomeRow {
  return { ...row, rule, inputs: JSON.stringify(inputs) };
}

function tried(row: OutcomeRow, attempt: AttemptRecord, more: Record<string, unknown>): OutcomeRow {
  const { mx, smtpCode, enhancedCode, reply, bounceClass } = attempt;
  const certificate = attempt.certificate && JSON.stringify(attempt.certificate);
  const data = {
    ...more,
    class: bounceClass,
    mx,
    smtp_code: smtpCode,
    enhanced_code: enhancedCode,
    diagnostic: reply,
  };
  const refused = row.state !== 'delivered' && attempt.provider !== null;
  const countedReply = refused ? normalReply(reply) : null;
  return { ...row, ...attempt, certificate, countedReply, eventData: JSON.stringify(data) };
}
