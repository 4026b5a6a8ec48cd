// Brings stored mail and events to webhooks: claims what is due, tries it, records how it went. Any number of processes run it.
//
// It polls when it is woken (mail was read or events were fanned out here, JetStream brought a wake-up from elsewhere, a request ended) and
// every second all the same, so that losing NATS costs promptness and nothing else.

import { monotonicMs, sleep } from '../../core/base/clock.ts';
import type { Config } from '../../core/base/config.ts';
import type { Logger } from '../../core/base/log.ts';
import { startLoop, type Loop } from '../../core/base/loop.ts';
import type { SharedCapacity } from '../../core/base/shared-capacity.ts';
import { isDatabaseAway } from '../../core/db/transaction.ts';
import { restartPiece } from '../../core/webhook/delivery-log-store.ts';
import {
  buryOldDeliveries,
  claimDeliveries,
  finishDeliveries,
  takeLostClaims,
  type DeliveryClaim,
  type DeliveryResult,
} from '../../core/webhook/delivery-store.ts';
import { judgeAttempt } from '../../core/webhook/schedule.ts';
import { WEBHOOK_TIMEOUT_MS } from '../../core/webhook/test-send.ts';
import { attemptDelivery, type AttemptDeps } from './attempt-delivery.ts';
import { createEndpointCapacity } from './endpoint-capacity.ts';
import { createResultRecorder } from './record-results.ts';

/** What the loop needs beside what an attempt needs. */
export interface DeliveryLoopDeps extends AttemptDeps {
  log: Logger;
  config: AttemptDeps['config'] & Pick<Config, 'WEBHOOK_ENDPOINT_CONCURRENCY' | 'WORKER_LEASE_MS'>;
  /** For requests, shared with the other buckets. */
  requests: SharedCapacity;
  /** Called with each result that is recorded. */
  onResult: (claim: DeliveryClaim, result: DeliveryResult) => void;
}

/** A running loop; `stop` waits for the requests in flight. */
export interface DeliveryLoop extends Loop {
  /** Requests in flight. */
  inFlight(): number;
}

const POLL_MS = 1_000; // without being woken
// Between two claims that bring something: requests end one by one, and a statement for each would cost more than they do.
const CLAIM_GAP_MS = 5;
const SWEEP_MS = 5_000;
const SWEEP_BATCH = 200;
const REPLAY_POLL_MS = 1_000;
const REPLAY_PIECE = 500; // rows of one statement: milliseconds

/** Starts the loop. */
export function startDeliveryLoop(deps: DeliveryLoopDeps): DeliveryLoop {
  const { pool, log, config, requests } = deps;
  // An attempt takes 10 s at most; the rest of a claim is for recording it.
  const leaseMs = WEBHOOK_TIMEOUT_MS + config.WORKER_LEASE_MS;
  const capacity = createEndpointCapacity(config.WEBHOOK_ENDPOINT_CONCURRENCY);
  const inFlight = new Set<Promise<void>>();
  let troubleAt = monotonicMs(); // of the database; at the start nothing is known yet

  // One delivery that cannot be made, such as one whose secret nobody can open, must not put the sweep off for all.
  const trouble = (error: unknown, what: string) => {
    if (isDatabaseAway(error)) troubleAt = monotonicMs();
    log.warn({ err: error }, what);
  };
  const recorder = createResultRecorder(pool, trouble);
  const attempt = async (claim: DeliveryClaim) => {
    capacity.start(claim.endpointId);
    let well = false;
    try {
      const result = await attemptDelivery(deps, claim);
      well = result.state === 'accepted' || (result.state === 'dead' && result.statusCode !== null);
      return result;
    } catch (error) {
      trouble(error, 'a webhook attempt could not be made; its claim runs out');
      return null;
    } finally {
      capacity.end(claim.endpointId, well); // before it is recorded: that takes nothing of the endpoint
      loop.wake();
    }
  };
  const run = async (claim: DeliveryClaim) => {
    const result = await attempt(claim);
    if (!result) return;
    if (await recorder.record(result)) deps.onResult(claim, result);
    deps.fail('webhook.after-record');
  };
  const claimDue = async () => {
    const total = requests.take(Infinity, loop.wake);
    if (total === 0) return;
    let claims: DeliveryClaim[] = [];
    try {
      claims = await claimDeliveries(pool, {
        total,
        perEndpoint: capacity.initial,
        leaseMs,
        capacities: capacity.free(),
      });
    } finally {
      requests.give(total - claims.length);
    }
    for (const claim of claims) {
      const running = run(claim).finally(() => {
        inFlight.delete(running);
        requests.give(1);
      });
      inFlight.add(running);
    }
    if (claims.length > 0) await sleep(CLAIM_GAP_MS);
  };
  // After an outage of the database every claim looks lost, though its process only could not record it yet.
  const sweepIfSteady = async () => {
    if (monotonicMs() - troubleAt > leaseMs) await sweep(deps);
  };
  const noted = (work: () => Promise<void>, pauseMs: number) => async () => {
    try {
      await work();
    } catch (error) {
      troubleAt = monotonicMs();
      throw error;
    }
    return pauseMs;
  };
  const of = { log, isExpected: isDatabaseAway };
  const loop = startLoop({
    ...of,
    what: 'claiming due webhook deliveries',
    longestPauseMs: POLL_MS,
    step: noted(claimDue, POLL_MS),
  });
  const sweeping = startLoop({
    ...of,
    what: 'the sweep of webhook deliveries',
    step: noted(sweepIfSteady, SWEEP_MS),
  });
  const replaying = startLoop({
    ...of,
    what: 'replaying webhook deliveries',
    step: async () => {
      const piece = await restartPiece(pool, REPLAY_PIECE);
      if (piece && piece.restarted > 0) loop.wake();
      return piece ? 0 : REPLAY_POLL_MS;
    },
  });
  return {
    wake: loop.wake,
    inFlight: () => inFlight.size,
    stop: async () => {
      await Promise.all([loop.stop(), sweeping.stop(), replaying.stop()]);
      await Promise.allSettled(inFlight);
    },
  };
}

async function sweep(deps: DeliveryLoopDeps): Promise<void> {
  for (const claim of await takeLostClaims(deps.pool, SWEEP_BATCH)) {
    const detail = 'the attempt was cut off; its answer is not known';
    const verdict = judgeAttempt({ kind: 'cut_off', detail }, claim.attempt, {
      now: new Date(0),
      random: deps.random(),
      scale: deps.config.TEST_RETRY_SCALE,
    });
    const state = verdict.kind === 'again' ? 'pending' : 'dead';
    const againInMs = verdict.kind === 'again' ? verdict.inMs : null;
    const unknown = { statusCode: null, durationMs: null, responseBody: null };
    await finishDeliveries(deps.pool, [{ claim, state, againInMs, counts: true, error: detail, ...unknown }]);
    deps.log.warn({ delivery: claim.id, attempt: claim.attempt }, 'a webhook attempt lost its process');
  }
  await buryOldDeliveries(deps.pool, SWEEP_BATCH);
}
