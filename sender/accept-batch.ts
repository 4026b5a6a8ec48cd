// Accepts a batch of submissions in one transaction: the only way a message gets into Postrider.
// Guarantee: when this returns, every message it says was accepted is committed, together with its slot of the day's
// cap, its place in the quota and its idempotency key; when it throws, none is (or, if the connection broke during
// COMMIT, all are, and submitting the same ids again finds them).
// Dies anywhere in here: docs/crashes.md, rows accept.*.

import type pg from 'pg';

import type { Fail } from '../core/base/failpoint.ts';
import { inTransaction } from '../core/db/transaction.ts';
import type { Claim, Stream } from '../core/message/claim.ts';
import type { Submission, SubmissionAnswer } from '../core/message/submission.ts';
import { openDays, lockDays, type LockedDay } from '../core/warmup/warmup-store.ts';
import { lockUsage } from '../core/message/accept-store.ts';
import { decide } from './accept-decide.ts';
import { askGate, settleGate, type Asked } from './accept-gate.ts';
import { readFacts, type Candidate, type Facts } from './accept-facts.ts';
import { writeDecided } from './accept-write.ts';
import { openEspCount, type EspCount, type EspPolicy } from './accept-esp.ts';
import type { Gate } from './gate/gate.ts';

/** What accepting needs. */
export interface AcceptDeps {
  pool: pg.Pool;
  gate: Gate;
  fail: Fail;
  /** This process as a worker: messages inserted with its id are delivered by it without another look-up. */
  workerId: () => string;
  /** How many messages of a lane the delivery of this process can take now. */
  room: (stream: Stream) => number;
  /** Age in ms at which a failing message expires. */
  maxAgeMs: number;
  /** How routes are capped. */
  esp?: EspPolicy;
}

/** Answers in the order of the submissions, and the messages that this worker holds for delivery. */
export interface BatchResult {
  answers: SubmissionAnswer[];
  claims: Claim[];
  /** The worker id under which they are claimed. */
  workerId: string;
  /** Admitted messages that were left for any sender to claim. */
  unclaimed: number;
}

/** Accepts a batch. Throws only when a store fails; expected refusals are answers. */
export async function acceptBatch(deps: AcceptDeps, submissions: Submission[]): Promise<BatchResult> {
  deps.fail('accept.before-gate');
  let asked: Asked[] = [];
  try {
    const workerId = deps.workerId();
    const decided = await inTransaction(deps.pool, async (client) => {
      const facts = await readFacts(client, submissions);
      asked = await askGate(deps.gate, facts);
      deps.fail('accept.after-gate');
      const locks = await lockRows(client, facts, asked);
      const senders = [
        ...new Set(asked.filter((one) => one.wantsSlots).map((one) => one.request.tenantId)),
      ].sort();
      locks.esp = await openEspCount(client, deps.esp ?? null, senders, facts.clock.day);
      const result = decide(facts, locks, asked, { ...deps, workerId });
      await writeDecided(client, facts, result);
      deps.fail('accept.before-commit');
      return result;
    });
    deps.fail('accept.after-commit');
    await settleGate(deps.gate, asked, decided);
    return { answers: decided.answers, claims: decided.claims, workerId, unclaimed: decided.unclaimed };
  } catch (error) {
    await refundAll(deps.gate, asked);
    throw error;
  }
}

/** The locked rows that the decisions are made on. */
export interface Locks {
  /** Accepted sends of the month, by tenant. */
  usage: Map<string, number>;
  /** Today's row, by domain. */
  days: Map<string, LockedDay>;
  /** Counts by route, where there is something to count. */
  esp?: EspCount | null;
}

// Usage first, days second, each in id order: every transaction of ours locks in this order, so none deadlock.
async function lockRows(client: pg.ClientBase, facts: Facts, asked: Asked[]): Promise<Locks> {
  const tenantIds = [...new Set(facts.candidates.filter(isCounted).map((one) => one.tenantId))].sort();
  const pairs = asked.filter((one) => one.wantsSlots).map((one) => one.request);
  const { day, month } = facts.clock;
  if (tenantIds.length === 0) return { usage: new Map(), days: new Map() };
  const [usage, locked] = await Promise.all([
    lockUsage(client, tenantIds, month),
    pairs.length === 0 ? new Map<string, LockedDay>() : lockDays(client, pairs, day),
  ]);
  const unopened = pairs.filter((pair) => !locked.has(pair.domainId));
  if (unopened.length === 0) return { usage, days: locked };
  await openDays(client, unopened, day);
  return { usage, days: await lockDays(client, pairs, day) };
}

function isCounted(candidate: Candidate): boolean {
  return candidate.verdict === 'count';
}

async function refundAll(gate: Gate, asked: Asked[]): Promise<void> {
  await Promise.all(asked.map((one) => gate.refund(one.request, one.request.items)));
}
