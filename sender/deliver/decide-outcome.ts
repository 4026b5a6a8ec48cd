// What an SMTP transaction means for the message: delivered, tried again later, bounced or expired. Pure.

import type { Claim } from '../../core/message/claim.ts';
import type { AttemptRecord, Outcome } from '../../core/message/outcome.ts';
import { normalizeEmail } from '../../core/mail/address.ts';
import type { Bounce } from '../../core/mail/bounce/classify-bounce.ts';
import { nextRetryMs } from './retry-schedule.ts';
import type { Failed, Refused } from '../smtp/failure.ts';
import { classifyFailure, isFinal } from '../smtp/is-final.ts';
import type { Transaction } from '../smtp/transact.ts';

/** One attempt, before its reply is classified. */
export type Attempt = Omit<AttemptRecord, 'command' | 'smtpCode' | 'enhancedCode' | 'reply' | 'bounceClass'>;

/** What deciding about the next attempt needs. */
export interface RetryRules {
  now: Date;
  random: () => number;
  scale: number;
}

/** The outcome of an attempt, and the class of the failure; `bounce` is null when it was delivered. */
export interface ClassifiedOutcome {
  outcome: Outcome;
  bounce: Bounce | null;
}

const MAX_REPLY_CHARS = 1000; // kept of a reply; the rest is help text

/** Decides what one transaction means for its message. */
export function decideOutcome(
  claim: Claim,
  transaction: Exclude<Transaction, { kind: 'abandoned' }>,
  started: Attempt,
  rules: RetryRules,
): ClassifiedOutcome {
  if (transaction.kind === 'delivered') {
    const { code, enhanced, lines } = transaction.reply;
    const attempt = {
      ...started,
      command: 'DOT',
      smtpCode: code,
      enhancedCode: enhanced,
      reply: clean(lines),
      bounceClass: null,
    };
    return { outcome: { kind: 'delivered', claim, attempt }, bounce: null };
  }
  const bounce = classifyFailure(transaction, started.mx);
  const attempt = { ...started, ...replyOf(transaction), bounceClass: bounce.class };
  return {
    outcome: isFinal(transaction, bounce)
      ? bounced(claim, attempt, bounce)
      : deferred(claim, attempt, transaction, rules),
    bounce,
  };
}

function replyOf(
  transaction: Refused | Failed,
): Pick<AttemptRecord, 'command' | 'smtpCode' | 'enhancedCode' | 'reply'> {
  if (transaction.kind === 'refused') {
    const { command, code, enhanced, lines } = transaction.reply;
    return { command, smtpCode: code, enhancedCode: enhanced, reply: clean(lines) };
  }
  const { command, enhanced, detail } = transaction;
  return { command, smtpCode: null, enhancedCode: enhanced, reply: clean([detail]) };
}

function bounced(claim: Claim, attempt: AttemptRecord, bounce: Bounce): Outcome {
  const suppresses = bounce.suppresses && !bounce.infrastructure ? normalizeEmail(claim.rcptTo) : null;
  return { kind: 'bounced', claim, attempt, hard: bounce.kind === 'hard', suppresses };
}

function deferred(
  claim: Claim,
  attempt: AttemptRecord,
  transaction: Refused | Failed,
  rules: RetryRules,
): Outcome {
  const retryInMs = nextRetryMs({ ...rules, attempts: claim.attempts + 1, expiresAt: claim.expiresAt });
  if (retryInMs === null) return { kind: 'expired', claim, attempt };
  return { kind: 'deferred', claim, attempt, reason: reasonOf(transaction), retryInMs };
}

function reasonOf(transaction: Refused | Failed): 'remote_4xx' | 'network' | 'tls_policy' {
  if (transaction.kind === 'refused') return 'remote_4xx';
  return transaction.policy === null ? 'network' : 'tls_policy';
}

// PostgreSQL's text and jsonb cannot hold NUL, and nobody wants to read the other controls.
function clean(lines: string[]): string {
  const text = lines.join('\n').toWellFormed();
  // oxlint-disable-next-line no-control-regex -- controls are what is taken out
  return text
    .replace(/[\x00-\x09\x0b-\x1f\x7f]/g, ' ')
    .slice(0, MAX_REPLY_CHARS)
    .toWellFormed();
}
