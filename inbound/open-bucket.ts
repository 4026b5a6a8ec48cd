// What inbound does for one bucket: stores its mail, routes it, dispatches its events and brings both to webhooks.

import type { InboundConfig } from '../core/base/config.ts';
import type { Fail } from '../core/base/failpoint.ts';
import type { Logger } from '../core/base/log.ts';
import type { SharedCapacity } from '../core/base/shared-capacity.ts';
import type { GuardedHttp } from '../core/clients/guarded-http.ts';
import { publishBraked, publishLive } from '../core/clients/live.ts';
import type { Nats } from '../core/clients/nats.ts';
import type { Database } from '../core/db/pool.ts';
import { HOME } from '../core/db/service-tables.ts';
import type { DeliveryResult } from '../core/webhook/delivery-store.ts';
import { startBrakeWatch } from '../core/warmup/brake-watch.ts';
import { createAcceptBatch, type Pace } from './accept-batch.ts';
import type { ReportKeys } from './accept-complaint.ts';
import { startDispatchLoop } from './events/dispatch-loop.ts';
import type { ParserPool } from './parse/parser-pool.ts';
import { startRouteLoop, type RouteLoad } from './route-loop.ts';
import type { InboundStore } from './smtp/on-data.ts';
import { startUpkeep } from './upkeep.ts';
import { startDeliveryLoop } from './webhook/delivery-loop.ts';
import type { WakeUps } from './webhook/wake-ups.ts';

/** A bucket as this process serves it. */
export interface BucketInbound extends InboundStore {
  /** Looks for deliveries to webhooks that are due. */
  wake(): void;
  /** Requests to webhooks under way. */
  requests(): number;
  /** Finishes what is in flight. */
  stop(): Promise<void>;
}

/** What it needs beside the bucket's database; all of it is shared with the other buckets. */
export interface BucketInboundDeps {
  config: InboundConfig;
  nats: Nats;
  http: GuardedHttp;
  fail: Fail;
  log: Logger;
  keys: ReportKeys;
  parser: ParserPool;
  pace: Pace;
  routing: RouteLoad;
  /** For requests to webhooks. */
  requests: SharedCapacity;
  wakeUps: Pick<WakeUps, 'announce'>;
  onResult: (result: DeliveryResult) => void;
  /** How many seconds the oldest event of the bucket waits to be dispatched. */
  onWaiting: (bucket: string, seconds: number) => void;
}

/** Starts to serve a bucket. */
export function openBucketInbound(
  deps: BucketInboundDeps,
  { pool }: Database,
  bucket: string,
): BucketInbound {
  const { config, nats, log, fail, wakeUps } = deps;
  const onDeliveriesDue = () => {
    deliveries.wake();
    wakeUps.announce(0);
  };
  const brakes = startBrakeWatch({ pool, nats, log, onMove: (domain) => publishBraked(nats, domain) });
  const routing = startRouteLoop({
    pool,
    log,
    fail,
    parser: deps.parser,
    keys: deps.keys,
    load: deps.routing,
    isBusy: deps.pace.isBusy,
    onEvent: (tenantId, eventId, domainId) => {
      publishLive(nats, tenantId, 'events', { id: eventId });
      brakes.note([{ tenantId, domainId }]);
    },
    onDeliveriesDue,
  });
  const deliveries = startDeliveryLoop({
    pool,
    log,
    fail,
    config,
    http: deps.http,
    requests: deps.requests,
    random: Math.random,
    onResult: (_claim, result) => {
      deps.onResult(result);
      if (result.state === 'pending') wakeUps.announce(result.againInMs ?? 0);
    },
  });
  const dispatching = startDispatchLoop({
    pool,
    log,
    fail,
    onLogged: (heads) => {
      for (const { tenantId, position } of heads) publishLive(nats, tenantId, 'log', { position });
    },
    onDeliveriesDue,
    onWaiting: (seconds) => deps.onWaiting(bucket, seconds),
  });
  const upkeep = startUpkeep({ pool, log, config, ofService: bucket === HOME });
  return {
    pool,
    batch: createAcceptBatch({ pool, fail, pace: deps.pace, onAccepted: () => routing.wake() }),
    wake: deliveries.wake,
    requests: deliveries.inFlight,
    stop: async () => {
      await Promise.all([deliveries, dispatching, routing, upkeep].map((one) => one.stop()));
      await brakes.stop();
    },
  };
}
