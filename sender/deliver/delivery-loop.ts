// The delivery half of a sender for one bucket: delivers what was just accepted, claims what is due, records the outcomes.
// What is in flight, and the destinations, it shares with those of the other buckets (shared-delivery.ts).
//
//   accept ─── deliver() ──┐                            ┌─► SMTP
//   due messages ─ claim ──┴─► in flight ──► dispatch ──┴─► recorder ──► PostgreSQL ──► onRecorded (wake-ups, live views)
//
// It polls for due messages when it is woken, about every second, and at once after a poll that brought a full batch.

import { monotonicMs, sleep } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/log.ts';
import { startLoop, type Loop } from '../../core/base/loop.ts';
import type { Stream } from '../../core/base/stream.ts';
import { isDatabaseAway } from '../../core/db/transaction.ts';
import type { Claim } from '../../core/message/claim.ts';
import type { ClaimLimits } from '../../core/message/delivery-store.ts';
import type { Outcome } from '../../core/message/outcome.ts';
import type { Lease } from '../../core/worker/lease.ts';
import { postpone, STOPS } from './dispatch.ts';
import type { ChosenRoute, MaySend } from './deliver-message.ts';
import type { Member, SharedDelivery } from './shared-delivery.ts';
import { startDeliveryTrace } from './trace-delivery.ts';
import type { Turns } from './turns.ts';
import { createRecorder, type RecorderDeps } from './record-outcomes.ts';
import type { ClaimedMessage } from '../smtp/destination.ts';
import type { Shares } from '../source/shares.ts';

/** Delivery of one bucket's mail in one process. */
export interface Delivery {
  /** How many more messages of a stream, or of a tenant in it, it can deliver now; 0 while it cannot deliver at all. */
  capacity(stream?: Stream, tenantId?: string): number;
  /** Delivers messages that are claimed under `workerId` (the lease's, read before they were claimed). */
  deliver(claims: Claim[], workerId: string): void;
  start(): void;
  /** Polls for due messages now: some may be due that this process could not take. */
  wake(): void;
  /** Whether nothing is in flight and all is recorded. */
  isIdle(): boolean;
  /** Claims nothing more, from this moment on. Resolves when no claim is under way; what those brought goes back. */
  halt(): Promise<void>;
  /** Ends it after it was halted while idle: resolves when all is recorded. */
  end(): Promise<void>;
}

/** What the loop needs; `claim` and `record` are the statements of core/message/delivery-store.ts. */
export interface DeliveryDeps {
  shared: SharedDelivery;
  deliver: (message: ClaimedMessage, route: ChosenRoute, maySend: MaySend) => Promise<Outcome | null>;
  lease: Lease;
  claim: (workerId: string, limits: ClaimLimits) => Promise<Claim[]>;
  turns: Turns;
  /** An admission of a new address that its message did not use. */
  giveBack: Shares['giveBack'];
  record: RecorderDeps['record'];
  onRecorded: RecorderDeps['onRecorded'];
  fail: RecorderDeps['fail'];
  /** What is delivered here now; the rest is left to other senders. */
  streams: () => readonly Stream[];
  /** False while due messages are left to other senders: what was accepted here is delivered all the same. */
  isNeeded: () => boolean;
  log: Logger;
}

const POLL_MS = 1_000;
const MAY_SEND_POLL_MS = 50; // only while outcomes cannot be recorded
const CLAIM_BATCH = 500; // about 10 ms of PostgreSQL; more at a time delays receipts behind campaigns
const WORTHWHILE_PART = 0.06; // of maxInFlight: with less capacity than that, a poll waits for more
/** Most octets of content that are claimed at a time. */
export const CLAIM_OCTETS = 64 * 1024 * 1024;

/** Makes the loop; `start` begins to poll for due messages, `deliver` works at once. */
export function createDelivery(deps: DeliveryDeps): Delivery {
  const { lease, log, shared } = deps;
  const { inFlight, dispatch } = shared;
  const databaseNow = lease.databaseNow;
  const worthwhile = Math.min(CLAIM_BATCH, Math.ceil(shared.maxInFlight * WORTHWHILE_PART));
  // Streams of which the last poll claimed all that it could: more may be due, and tenants take turns.
  const more = { transactional: false, bulk: false };
  const moreToClaim = () =>
    deps.isNeeded() &&
    ((more.transactional && capacityToClaim('transactional') >= worthwhile) ||
      (more.bulk && capacityToClaim('bulk') >= worthwhile));
  const recorder = createRecorder({
    ...deps,
    onRecorded: (written, fenced) => {
      for (const { claim } of written) inFlight.remove(claim);
      for (const { claim } of fenced) inFlight.remove(claim);
      deps.onRecorded(written, fenced);
      shared.freed();
    },
  });
  // What is sent has to be recorded, under a lease: until both can be, nothing goes out, and what is claimed stays ours.
  const maySend: MaySend = async (workerId, limitMs) => {
    const until = monotonicMs() + limitMs;
    while (!recorder.keepsUp() || !lease.holds(workerId)) {
      if (stopping || lease.workerId() !== workerId || monotonicMs() > until) return false;
      await sleep(MAY_SEND_POLL_MS);
    }
    return true;
  };
  const done = (message: ClaimedMessage, outcome: Outcome | null) => {
    message.trace?.end(outcome);
    if (message.admission && !wasSent(outcome)) deps.giveBack(message.admission);
    if (outcome) recorder.push(outcome);
    else inFlight.remove(message.claim);
  };
  let stopping = false;

  const capacity = (stream: Stream = deps.streams()[0]!, tenantId?: string) => {
    if (stopping || !deps.streams().includes(stream) || !lease.holds(lease.workerId())) return 0;
    const all = inFlight.capacity(stream);
    return tenantId === undefined
      ? all
      : Math.min(all, inFlight.capacityOf(tenantId, more.transactional || more.bulk));
  };
  const capacityToClaim = (stream: Stream) => Math.min(capacity(stream), inFlight.capacityToClaim(stream));
  const deliver = (claims: Claim[], workerId: string) => {
    for (const claim of claims) {
      const message: ClaimedMessage = { claim, workerId, claimer: member, trace: startDeliveryTrace(claim) };
      inFlight.add(message);
      if (stopping) done(message, postpone({ databaseNow }, message, STOPS, 0));
      else dispatch.place(message);
    }
  };
  const claimDue = async () => {
    if (!deps.isNeeded()) return;
    const workerId = lease.workerId();
    const [transactional, bulk] = [capacityToClaim('transactional'), capacityToClaim('bulk')];
    const limits = {
      messages: Math.min(Math.max(transactional, bulk), CLAIM_BATCH),
      transactional: Math.min(transactional, CLAIM_BATCH),
      bulk: Math.min(bulk, CLAIM_BATCH),
      octets: Math.min(inFlight.octetsToClaim(), CLAIM_OCTETS),
    };
    if (limits.messages === 0 || limits.octets === 0) return;
    await shared.whileReserved(member, limits, () => claimUpTo(limits, workerId));
  };
  const claimUpTo = async (limits: ClaimLimits, workerId: string) => {
    if (more.transactional || more.bulk) {
      const { claims, left } = await deps.turns.claim(workerId, limits);
      Object.assign(more, left);
      return deliver(claims, workerId);
    }
    const claims = await deps.claim(workerId, limits);
    const isFull = claims.length >= limits.messages;
    if (limits.transactional > 0) more.transactional = isFull;
    const bulkOnes = claims.filter(({ stream }) => stream === 'bulk').length;
    if (limits.bulk > 0) more.bulk = isFull || bulkOnes >= limits.bulk;
    deliver(claims, workerId);
  };
  let loop: Loop | undefined;
  const wake = () => {
    for (const stream of deps.streams()) more[stream] = true;
    loop?.wake();
  };
  lease.onLost(() => {
    dispatch.removeWaiting(member);
    inFlight.clear(member);
  });
  const member: Member = {
    deliver: (message, route) => deps.deliver(message, route, maySend),
    done,
    claimMore: () => {
      if (moreToClaim()) loop?.wake();
    },
    halt: async () => {
      stopping = true;
      const stopped = loop?.stop();
      for (const message of dispatch.removeWaiting(member))
        done(message, postpone({ databaseNow }, message, STOPS, 0));
      await stopped;
    },
    pending: recorder.pending,
    recorded: recorder.drained,
  };
  shared.join(member);
  return {
    capacity,
    deliver,
    wake,
    isIdle: () => !inFlight.hasAny(member) && recorder.pending() === 0,
    halt: member.halt,
    end: async () => {
      await recorder.drained();
      shared.leave(member);
    },
    start: () => {
      loop = startLoop({
        what: 'claiming due messages',
        log,
        isExpected: isDatabaseAway,
        longestPauseMs: POLL_MS,
        async step() {
          await claimDue();
          return moreToClaim() ? 0 : POLL_MS;
        },
      });
    },
  };
}

// What a receiver saw of a message counts for the address that it came from, whatever the answer.
const SEEN = new Set<string | null>(['MAIL', 'RCPT', 'DATA', 'DOT']);

function wasSent(outcome: Outcome | null): boolean {
  if (outcome === null || !('attempt' in outcome) || outcome.attempt === null) return false;
  return SEEN.has(outcome.attempt.command);
}
