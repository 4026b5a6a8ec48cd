// Explains a message: every decision about it in order, in words, with its numbers. The order is that of the attempts that
// were made before each decision; no clock is compared with another.

import type { Queryable } from '../db/pool.ts';
import type { StoredDecision } from '../db/schema/message.ts';
import type { Rule, Standing } from './explain-rule.ts';
import { RULES, type BareDecision, type DecisionRule } from './explain-rules.ts';
import { readExplained, type ExplainedAttempt, type ExplainedMessage } from './explain-store.ts';
import { utc, type DecisionInputs } from './explain-words.ts';
import { HELD_UNTIL } from './message-columns.ts';
import { MOVES, type MessageState } from './states.ts';

/** One decision about a message. */
export interface Decision {
  at: Date;
  rule: DecisionRule;
  /** The numbers of that moment; `times` and `since` when it was made several times in a row. */
  inputs: DecisionInputs;
  outcome: {
    state: MessageState;
    /** When something is done about it next; null when nothing is, or when it waits for somebody. */
    until: Date | null;
    /** The decision as a sentence. */
    text: string;
  };
  /** What happens next, as a sentence. */
  nextStep: string;
  /** The page of the documentation, with its section. */
  docs: string;
}

/** All decisions about a message of a tenant, in order; null without the message. */
export async function explainMessage(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<Decision[] | null> {
  const message = await readExplained(db, tenantId, id);
  return message && decisionsOf(message).map(inWords);
}

/** The decisions that a message's row and attempts say, in order. */
export function decisionsOf(message: ExplainedMessage): BareDecision[] {
  const { attempts, state, readAt, heldBy, domainStatus, suspendedAt } = message;
  const noted = message.decisions ?? [];
  const isOld = message.dayCap === null && !isNotedFirst(noted[0], message);
  const made: BareDecision[] = [];
  if (isOld) made.push(acceptedEarlier(message));
  else if (message.dayCap !== null) made.push(accepted(message));
  for (let n = 0; n <= attempts.length; n++) {
    if (n > 0) made.push(tried(attempts[n - 1]!));
    made.push(...noted.filter((one) => one.attempts === n).map(fromNote));
  }
  if (state === 'sending') made.push({ rule: 'sending', at: readAt, inputs: {} });
  else if (isOld && !says(made.at(-1)!, message)) made.push(asItStands(message));
  // Mail that no sender has looked at since: what it waited for before is not what it waits for now.
  const isHeld = heldBy !== null && (state === 'queued' || state === 'deferred');
  if (isHeld && made.at(-1)!.rule !== heldBy) {
    const status = heldBy === 'domain_paused' ? { status: domainStatus } : {};
    made.push({ rule: heldBy, at: suspendedAt ?? readAt, inputs: { state, ...status } });
  }
  return made;
}

/**
 * Derives where a message stands from its decisions alone, and nothing else: the last one decides, and each must follow the one
 * before it as long as none is left out. Throws an Error that names the first that does not.
 */
export function deriveStanding(decisions: readonly BareDecision[]): Standing {
  let standing: Standing | null = null;
  let isWhole = true;
  for (const [n, decision] of decisions.entries()) {
    if (isWhole && !follows(standing, decision.rule))
      throw new Error(`decision ${n} (${decision.rule}) cannot follow ${standing?.state ?? 'nothing'}`);
    standing = ruleOf(decision).standing(decision);
    isWhole &&= !('left_out' in decision.inputs || 'not_noted' in decision.inputs);
  }
  if (standing === null) throw new Error('a message has one decision at least');
  return standing;
}

// What a sender has is not noted: an outcome may follow every state from which a sender takes messages.
function follows(standing: Standing | null, name: DecisionRule): boolean {
  const { moves }: Rule = RULES[name];
  return moves.some((move) => {
    const from = MOVES.find((one) => one.name === (move === 'attempt' ? 'recordOutcomes' : move))!.from;
    const states: readonly MessageState[] = from;
    if (standing === null) return states.length === 0;
    return (
      states.includes(standing.state) || (states.includes('sending') && CLAIMED_FROM.includes(standing.state))
    );
  });
}

const CLAIMED_FROM: readonly MessageState[] = MOVES.find(({ name }) => name === 'claimDue')!.from;

function accepted({
  createdAt,
  stream,
  esp,
  dayTier,
  dayCap,
  dayUsed,
  dayReserved,
}: ExplainedMessage): BareDecision {
  const day = { tier: dayTier, cap: dayCap, used: dayUsed, reserved: dayReserved };
  return { rule: 'accepted', at: createdAt, inputs: known({ stream, route: esp, ...day }) };
}

const DEFERRED_AT_ONCE = ['warmup_cap', 'esp_cap', 'scheduled', 'brake', 'sender_rules'] as const;

// What is not admitted at once is deferred or dropped by a decision of the same transaction.
function isNotedFirst(note: StoredDecision | undefined, { createdAt }: ExplainedMessage): boolean {
  return note !== undefined && new Date(note.since ?? note.at).getTime() === createdAt.getTime();
}

// Before decisions were noted: why it was deferred then is in its row, its numbers are not known.
function acceptedEarlier(message: ExplainedMessage): BareDecision {
  const { reason, deferReason, dueAt, createdAt, stream, esp } = message;
  const rule = DEFERRED_AT_ONCE.find((one) => one === reason);
  const scheduledAt = rule === 'scheduled' && deferReason === rule ? dueAt : null;
  const inputs = known({
    not_noted: true,
    stream,
    route: esp,
    scheduled_at: scheduledAt?.toISOString() ?? null,
  });
  const isKnown = rule !== undefined && (rule !== 'scheduled' || scheduledAt !== null);
  return { rule: isKnown ? rule : 'accepted', at: createdAt, inputs };
}

// What became of it before decisions were noted, as its row says it now.
function asItStands({ state, reason, deferReason, dueAt, readAt }: ExplainedMessage): BareDecision {
  const until = dueAt?.toISOString() ?? null;
  return { rule: 'not_noted', at: readAt, inputs: known({ state, reason: deferReason ?? reason, until }) };
}

function says(decision: BareDecision, { state, dueAt }: ExplainedMessage): boolean {
  const standing = ruleOf(decision).standing(decision);
  return standing.state === state && standing.until?.getTime() === dueAt?.getTime();
}

const ATTEMPT_RULES = {
  delivered: 'delivered',
  deferred: 'retry',
  bounced: 'bounced',
  expired: 'expired',
} as const;

function tried(attempt: ExplainedAttempt): BareDecision {
  const { at, outcome, attempt: number, esp, mx, provider, tlsPolicy, command, retryAt } = attempt;
  return {
    rule: ATTEMPT_RULES[outcome],
    at,
    inputs: known({
      attempt: number,
      route: esp,
      mx,
      provider,
      tls_policy: tlsPolicy,
      command,
      smtp_code: attempt.smtpCode,
      enhanced_code: attempt.enhancedCode,
      reply: attempt.reply,
      class: attempt.bounceClass,
      retry_at: retryAt?.toISOString() ?? null,
    }),
  };
}

function fromNote({ rule, at, inputs, times, since, left_out: leftOut }: StoredDecision): BareDecision {
  const repeated = { times: times ?? null, since: since ?? null, left_out: leftOut ?? null };
  return { rule: rule as DecisionRule, at: new Date(at), inputs: { ...inputs, ...known(repeated) } };
}

function known(inputs: DecisionInputs): DecisionInputs {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== null));
}

function ruleOf({ rule }: BareDecision): Rule {
  return RULES[rule];
}

/** A decision with what follows from it, and its words. */
export function inWords(decision: BareDecision): Decision {
  const { standing, words, next, docs, waitsUntil } = ruleOf(decision);
  const { state, until: dueAt } = standing(decision);
  const until = waitsUntil ? waitsUntil(decision) : dueAt;
  const isHeld = until?.toISOString() === HELD;
  const text = words(decision.inputs, until === null || isHeld ? '' : utc(until));
  const outcome = { state, until: isHeld ? null : until, text };
  return { ...decision, outcome, nextStep: typeof next === 'string' ? next : next(decision.inputs), docs };
}

const HELD = new Date(HELD_UNTIL).toISOString();
