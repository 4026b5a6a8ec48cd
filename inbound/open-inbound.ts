// Puts inbound together from its stores and clients. main.ts opens those; tests do the same.

import { Gauge, Counter } from 'prom-client';

import type { InboundConfig } from '../core/base/config.ts';
import type { Fail } from '../core/base/failpoint.ts';
import type { Logger } from '../core/base/log.ts';
import type { Registry } from '../core/base/metrics.ts';
import { deriveKeys } from '../core/base/secrets.ts';
import type { GuardedHttp } from '../core/clients/guarded-http.ts';
import { publishBraked, publishLive } from '../core/clients/live.ts';
import type { Nats } from '../core/clients/nats.ts';
import type { Database } from '../core/db/pool.ts';
import { startBrakeWatch } from '../core/warmup/brake-watch.ts';
import { trackingKeys } from '../core/tracking/token.ts';
import { createAcceptBatch } from './accept-batch.ts';
import { startDispatchLoop } from './events/dispatch-loop.ts';
import { createFindRecipient } from './find-recipient.ts';
import { createParserPool } from './parse/parser-pool.ts';
import { startRouteLoop } from './route-loop.ts';
import { createScanner } from './scan-mail.ts';
import { startSmtp } from './smtp/server.ts';
import { startUpkeep } from './upkeep.ts';
import { startDeliveryLoop } from './webhook/delivery-loop.ts';
import { startWakeUps } from './webhook/wake-ups.ts';

/** What inbound is made of. */
export interface InboundDeps {
  config: InboundConfig;
  db: Database;
  nats: Nats;
  http: GuardedHttp;
  tls: { key: string | Buffer; cert: string | Buffer };
  fail: Fail;
  log: Logger;
  metrics: Registry;
}

/** Inbound at work. */
export interface Inbound {
  /** Where SMTP listens. */
  port: number;
  /** For the handshakes from now on. */
  setCertificate(tls: { key: Buffer; cert: Buffer }): void;
  /** Accepts nothing new and finishes what is in flight. */
  stop(): Promise<void>;
}

const PARSE_LIMIT_MS = 15_000; // 8 s of it may be spent waiting for DNS
const PARSE_STOP_MS = 5_000; // what is not read this long after a stop, another process reads when its claim runs out

/** Starts the SMTP server and the loops behind it. */
export async function openInbound(deps: InboundDeps): Promise<Inbound> {
  const { config, db, nats, log, fail } = deps;
  const { pool } = db;
  const keys = deriveKeys(config, 'return-path');
  const counts = countThings(deps.metrics);
  const parser = createParserPool(
    {
      processes: config.INBOUND_PARSERS,
      limitMs: PARSE_LIMIT_MS,
      dnsServers: config.DNS_SERVERS,
      hostname: config.INBOUND_HOSTNAME,
    },
    log,
  );
  const onDeliveriesDue = () => {
    deliveries.wake();
    wakeUps.announce(0);
  };
  const brakes = startBrakeWatch({ pool, nats, log, onMove: (domain) => publishBraked(nats, domain) });
  const routing = startRouteLoop({
    pool,
    log,
    fail,
    parser,
    keys: { returnPath: keys, tracking: trackingKeys(config) },
    isBusy: () => batch.isBusy(),
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
    random: Math.random,
    onResult: (_claim, result) => {
      counts.attempts.inc({ outcome: result.state });
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
    onWaiting: (seconds) => counts.waiting.set(seconds),
  });
  const wakeUps = startWakeUps(nats, deliveries.wake, log);
  const batch = createAcceptBatch({
    pool,
    fail,
    onAccepted: () => routing.wake(),
  });
  const upkeep = startUpkeep({ pool, log, config });
  const scanner = createScanner(config, log, deps.metrics);
  const smtp = await startSmtp({
    config,
    tls: deps.tls,
    pool,
    log,
    fail,
    batch,
    scanner,
    findRecipient: createFindRecipient(pool, keys, config.INBOUND_HOSTNAME),
  });
  counts.watch(
    () => smtp.sessions(),
    () => deliveries.inFlight(),
  );
  return {
    port: smtp.port,
    setCertificate: smtp.setCertificate,
    stop: async () => {
      await smtp.stop();
      await scanner?.close();
      const hurry = setTimeout(() => void parser.close(), PARSE_STOP_MS);
      await Promise.all([wakeUps, deliveries, dispatching, routing, upkeep].map((one) => one.stop()));
      clearTimeout(hurry);
      await brakes.stop();
      await parser.close();
    },
  };
}

function countThings(registry: Registry) {
  const registers = [registry];
  const attempts = new Counter({
    name: 'postrider_webhook_attempts_total',
    help: 'Webhook attempts by what became of the delivery',
    labelNames: ['outcome'],
    registers,
  });
  const waiting = new Gauge({
    name: 'postrider_events_waiting_seconds',
    help: 'Age of the oldest event that neither followers nor webhooks were given yet',
    registers,
  });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  return {
    attempts,
    waiting,
    watch: (sessions: () => number, requests: () => number) => {
      gauge('postrider_inbound_sessions', 'SMTP sessions under way', sessions);
      gauge('postrider_webhook_requests', 'Webhook requests under way', requests);
    },
  };
}
