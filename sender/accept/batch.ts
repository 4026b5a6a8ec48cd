// Accepts a batch of submissions in one transaction: the only way a message gets into Postrider.
// Guarantee: when this returns, every message that was answered as accepted is committed, together with its admission,
// its count in the quota and its idempotency key; when it throws, none is (or, if the connection broke during
// COMMIT, all are, and submitting the same ids again finds them).
// Dies anywhere in here: docs/crashes.md, rows accept.*.

import type pg from 'pg';

import type { Fail } from '../../core/base/failpoint.ts';
import type { Span } from '../../core/base/trace.ts';
import { isUniqueViolation } from '../../core/db/sql-state.ts';
import { inTransaction, stoodStill } from '../../core/db/transaction.ts';
import type { Claim } from '../../core/message/claim.ts';
import { keepPlain, packContents } from '../../core/message/stored-content.ts';
import type { Submission, SubmissionAnswer } from '../../core/message/submission.ts';
import { askGate, type Asked } from './ask-gate.ts';
import { decide, type DecideDeps } from './decide.ts';
import { readFacts } from './facts.ts';
import { lockRows } from './lock-rows.ts';
import { settleGate } from './settle-gate.ts';
import { settleSenders } from './settle-senders.ts';
import { startPhase } from './trace-accept.ts';
import type { Stored } from './new-rows.ts';
import { QuotaMoved, writeDecided } from './write.ts';
import { openEspCount, type EspPolicy } from './esp-shares.ts';
import type { Gate } from './gate/gate.ts';

/** What accepting needs. */
export interface AcceptDeps extends DecideDeps {
  pool: pg.Pool;
  gate: Gate;
  fail: Fail;
  /** The worker id of this process: it delivers messages that are inserted with it without claiming them again. */
  workerId: () => string;
  /** Domain of SYSTEM_MAIL_FROM; none when it is left out. */
  systemDomain?: string | null;
  /** How routes are capped. */
  esp?: EspPolicy;
  /** False stores contents as they are; else they are packed. */
  pack?: boolean;
}

/** Answers in the order of the submissions, and the messages that this worker has claimed for delivery. */
export interface BatchResult {
  answers: SubmissionAnswer[];
  claims: Claim[];
  /** The worker id under which they are claimed. */
  workerId: string;
  /** Admitted messages that were left for any sender to claim. */
  unclaimed: number;
}

// Each means that somebody else's batch of the tenant was stored, and less of its month is left: seldom more than two.
const MOST_QUOTA_MOVES = 10;

/** Accepts a batch. Throws only when a store fails; expected refusals are answers. `spans`: of those that are traced. */
export async function acceptBatch(
  deps: AcceptDeps,
  submissions: Submission[],
  spans: Span[] = [],
): Promise<BatchResult> {
  await settleSenders(deps.pool, submissions);
  const stored = await packSubmitted(deps, submissions); // before anything is locked
  let quotaMoves = 0;
  for (let again = true; ;) {
    try {
      return await acceptOnce(deps, submissions, stored, spans);
    } catch (error) {
      if (error instanceof QuotaMoved && ++quotaMoves < MOST_QUOTA_MOVES) continue;
      // Another sender stored one of these ids meanwhile, which is found now; or this process stood still for a moment.
      if (!again || (!isUniqueViolation(error) && !stoodStill(error))) throw error;
      again = false;
    }
  }
}

async function acceptOnce(
  deps: AcceptDeps,
  submissions: Submission[],
  stored: Stored,
  spans: Span[],
): Promise<BatchResult> {
  deps.fail('accept.before-gate');
  let asked: Asked[] = [];
  let endPhase = startPhase(spans, 'read');
  try {
    const workerId = deps.workerId();
    const decided = await inTransaction(deps.pool, async (client) => {
      const facts = await readFacts(client, submissions, deps.systemDomain);
      endPhase = endPhase('gate');
      asked = await askGate(deps.gate, facts);
      endPhase = endPhase('commit');
      deps.fail('accept.after-gate');
      const locks = await lockRows(client, facts, asked);
      const senders = [
        ...new Set(asked.filter((one) => one.locksDay).map((one) => one.request.tenantId)),
      ].sort();
      locks.esp = await openEspCount(client, deps.esp ?? null, senders, facts.clock.day);
      const result = decide(facts, locks, asked, { ...deps, workerId, stored });
      await writeDecided(client, facts, result);
      deps.fail('accept.before-commit');
      return result;
    });
    endPhase = endPhase();
    deps.fail('accept.after-commit');
    await settleGate(deps.gate, asked, decided);
    return { answers: decided.answers, claims: decided.claims, workerId, unclaimed: decided.unclaimed };
  } catch (error) {
    endPhase();
    await refundAll(deps.gate, asked);
    throw error;
  }
}

async function packSubmitted({ pack = true }: AcceptDeps, submissions: Submission[]): Promise<Stored> {
  const contents = submissions.flatMap(({ messages }) => messages.map(({ content }) => content));
  const stored = pack ? await packContents(contents) : contents.map(keepPlain);
  return new Map(contents.map((content, at) => [content, stored[at]!]));
}

async function refundAll(gate: Gate, asked: Asked[]): Promise<void> {
  await Promise.all(asked.map((one) => gate.refund(one.request, one.request.items)));
}
