// Puts inbound together from its stores and clients: what there is once in a process, and what there is for each bucket
// (open-bucket.ts). main.ts opens the stores; tests do the same.

import { Gauge, Counter } from 'prom-client';

import type { InboundConfig } from '../core/base/config.ts';
import type { Fail } from '../core/base/failpoint.ts';
import type { Logger } from '../core/base/log.ts';
import type { Registry } from '../core/base/metrics.ts';
import { createSharedCapacity } from '../core/base/shared-capacity.ts';
import { deriveKeys } from '../core/base/secrets.ts';
import type { GuardedHttp } from '../core/clients/guarded-http.ts';
import type { Nats } from '../core/clients/nats.ts';
import type { Buckets } from '../core/db/buckets.ts';
import { openPerBucket } from '../core/db/per-bucket.ts';
import { trackingKeys } from '../core/tracking/token.ts';
import { createPace } from './accept-batch.ts';
import { createFindRecipient } from './find-recipient.ts';
import { openBucketInbound, type BucketInbound, type BucketInboundDeps } from './open-bucket.ts';
import { createParserPool } from './parse/parser-pool.ts';
import { createRouteLoad } from './route-loop.ts';
import { createScanner } from './scan-mail.ts';
import { startSmtp } from './smtp/server.ts';
import { startWakeUps } from './webhook/wake-ups.ts';

/** What inbound is made of. */
export interface InboundDeps {
  config: InboundConfig;
  buckets: Buckets;
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
  const { config, buckets, nats, log, fail } = deps;
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
  const opened = new Set<BucketInbound>();
  const wake = () => {
    for (const one of opened) one.wake();
  };
  const wakeUps = startWakeUps(nats, wake, log);
  const shared: BucketInboundDeps = {
    config,
    nats,
    http: deps.http,
    fail,
    log,
    keys: { returnPath: keys, tracking: trackingKeys(config) },
    parser,
    pace: createPace(),
    routing: createRouteLoad(),
    requests: createSharedCapacity(config.WEBHOOK_CONCURRENCY),
    wakeUps,
    onResult: ({ state }) => counts.attempts.inc({ outcome: state }),
    onWaiting: counts.waiting,
  };
  const served = await openPerBucket(buckets, log, (db, bucket) => {
    const one = openBucketInbound(shared, db, bucket);
    opened.add(one);
    return one;
  });
  const scanner = createScanner(config, log, deps.metrics);
  const smtp = await startSmtp({
    config,
    tls: deps.tls,
    home: buckets.home.pool,
    storeOf: served.of,
    log,
    fail,
    scanner,
    findRecipient: createFindRecipient(buckets, keys, config.INBOUND_HOSTNAME),
  });
  counts.watch(
    () => smtp.sessions(),
    () => [...opened].reduce((sum, one) => sum + one.requests(), 0),
  );
  return {
    port: smtp.port,
    setCertificate: smtp.setCertificate,
    stop: async () => {
      await smtp.stop();
      await scanner?.close();
      const hurry = setTimeout(() => void parser.close(), PARSE_STOP_MS);
      await served.close();
      await Promise.all([wakeUps, ...opened].map((one) => one.stop()));
      clearTimeout(hurry);
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
    help: 'Age of the oldest event that neither followers nor webhooks were given yet, by bucket',
    labelNames: ['bucket'],
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
    waiting: (bucket: string, seconds: number) => waiting.set({ bucket }, seconds),
    watch: (sessions: () => number, requests: () => number) => {
      gauge('postrider_inbound_sessions', 'SMTP sessions under way', sessions);
      gauge('postrider_webhook_requests', 'Webhook requests under way', requests);
    },
  };
}
