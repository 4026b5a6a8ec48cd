// The delivery half of a sender: takes what was just accepted, claims what is due, delivers, records.
//
//   accept ──take()──┐                           ┌─► SMTP
//   due in the record ──claimDue──► hand ──► dispatch ──► recorder ──► PostgreSQL ──► onRecorded (wake-ups, live views)
//
// It looks for due messages when it is woken, about every second, and at once when the last look brought a full batch.

import { sleep } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/log.ts';
import type { Stream } from '../../core/base/stream.ts';
import type { Claim } from '../../core/message/claim.ts';
import type { ClaimLimits } from '../../core/message/delivery-store.ts';
import type { Outcome } from '../../core/message/outcome.ts';
import type { Lease } from '../../core/worker/lease.ts';
import { createDispatch, postpone, type DispatchDeps } from './dispatch.ts';
import { createHand } from './in-flight.ts';
import { createRecorder, type RecorderDeps } from './record-outcomes.ts';
import type { Held } from '../smtp/destination.ts';

/** Delivery in one process. */
export interface Delivery {
  /** How many more messages of a lane may be claimed for it; 0 while it cannot deliver. */
  room(stream?: Stream): number;
  /** Takes messages that are claimed under `workerId` (the lease's, read before they were claimed). */
  take(claims: Claim[], workerId: string): void;
  start(): void;
  /** Looks for due messages now. */
  wake(): void;
  /** Finishes what is on its way, gives back the rest, and resolves when all is recorded. */
  drain(): Promise<void>;
  stats(): DeliveryStats;
  /** Ids of the messages in hand. */
  inHand(): ReadonlySet<string>;
}

/** Figures of one moment. */
export interface DeliveryStats {
  inHand: number;
  active: number;
  connections: number;
  pending: number;
}

/** What the loop needs; `claim` and `record` are the statements of core/message/delivery-store.ts. */
export interface DeliveryDeps extends Omit<DispatchDeps, 'onDone' | 'free' | 'databaseNow'> {
  lease: Lease;
  claim: (workerId: string, limits: ClaimLimits) => Promise<Claim[]>;
  record: RecorderDeps['record'];
  onRecorded: RecorderDeps['onRecorded'];
  fail: RecorderDeps['fail'];
  maxInHand: number;
  log: Logger;
}

const POLL_MS = 1_000;
const CLAIM_BATCH = 500; // about 10 ms of PostgreSQL; more at a time delays receipts behind campaigns
const WORTHWHILE_PART = 0.06; // of the hand: with less room than that, a look waits for more
const CLAIM_OCTETS = 64 * 1024 * 1024; // of content in one batch
const DRAIN_MS = 20_000; // a peer that takes longer is cut off; the sweep finds its message

/** Makes the loop; `start` begins to look for due messages, `take` works at once. */
export function createDelivery(deps: DeliveryDeps): Delivery {
  const { lease, log } = deps;
  const databaseNow = lease.databaseNow;
  const hand = createHand(deps.maxInHand);
  const worthwhile = Math.min(CLAIM_BATCH, Math.ceil(deps.maxInHand * WORTHWHILE_PART));
  // Whether a lane had more than the last look could take, and there is room for a batch of it again.
  const more = { transactional: false, bulk: false };
  const moreToTake = () =>
    (more.transactional && roomToFill('transactional') >= worthwhile) ||
    (more.bulk && roomToFill('bulk') >= worthwhile);
  const recorder = createRecorder({
    ...deps,
    onRecorded: (written, fenced) => {
      for (const { claim } of written) hand.remove(claim);
      for (const { claim } of fenced) hand.remove(claim);
      deps.onRecorded(written, fenced);
      if (moreToTake()) wake();
    },
  });
  const onDone = (held: Held, outcome: Outcome | null) => {
    if (outcome) recorder.push(outcome);
    else hand.remove(held.claim);
  };
  const dispatch = createDispatch({ ...deps, databaseNow, onDone, free: () => hand.room('transactional') });
  let stopping = false;
  let filling = false;
  let wanted = false;
  let timer: NodeJS.Timeout | undefined;

  const room = (stream: Stream = 'transactional') =>
    stopping || !lease.holds(lease.workerId()) ? 0 : hand.room(stream);
  const roomToFill = (stream: Stream) => Math.min(room(stream), hand.roomToFill(stream));
  const take = (claims: Claim[], workerId: string) => {
    for (const claim of claims) {
      const held = { claim, workerId };
      hand.add(held);
      if (stopping) onDone(held, postpone({ databaseNow }, held, null, 0));
      else dispatch.place(held);
    }
  };
  const fill = async () => {
    const workerId = lease.workerId();
    const limits = {
      messages: Math.min(roomToFill('transactional'), CLAIM_BATCH),
      bulk: Math.min(roomToFill('bulk'), CLAIM_BATCH),
      octets: Math.min(hand.octetsLeft(), CLAIM_OCTETS),
    };
    if (limits.messages === 0) return;
    const claims = await deps.claim(workerId, limits);
    more.transactional = claims.length >= limits.messages;
    const bulk = claims.filter(({ stream }) => stream === 'bulk').length;
    if (limits.bulk > 0) more.bulk = more.transactional || bulk >= limits.bulk;
    take(claims, workerId);
  };
  const wake = () => {
    wanted = true;
    if (filling || stopping) return;
    filling = true;
    void (async () => {
      while (wanted && !stopping) {
        wanted = false;
        await fill().catch((error: unknown) => log.warn({ err: error }, 'looking for due messages failed'));
        if (moreToTake()) wanted = true;
      }
      filling = false;
    })();
  };
  lease.onLost(() => {
    dispatch.takeBack();
    hand.clear();
  });
  return {
    room,
    take,
    wake,
    start: () => {
      timer = setInterval(() => {
        dispatch.tidy();
        wake();
      }, POLL_MS);
      wake();
    },
    drain: async () => {
      stopping = true;
      clearInterval(timer);
      for (const held of dispatch.takeBack()) onDone(held, postpone({ databaseNow }, held, null, 0));
      for (let waited = 0; (dispatch.active() > 0 || filling) && waited < DRAIN_MS; waited += 20)
        await sleep(20);
      dispatch.close();
      await recorder.drained();
    },
    stats: () => ({
      inHand: hand.size(),
      active: dispatch.active(),
      connections: dispatch.connections(),
      pending: recorder.pending(),
    }),
    inHand: hand.ids,
  };
}
