// What a sender does for one bucket: accepts its mail, delivers it, releases what waited, and shows what a message says.

import { messageMaxAgeMs, type Config } from '../core/base/config.ts';
import type { Fail } from '../core/base/failpoint.ts';
import type { Logger } from '../core/base/log.ts';
import { publishReady } from '../core/clients/live.ts';
import type { Nats } from '../core/clients/nats.ts';
import type { Database } from '../core/db/pool.ts';
import { createAccept, type Accept, type AcceptLoad, type AcceptSink } from './accept/accept.ts';
import { espPolicy } from './accept/esp-shares.ts';
import type { Gate } from './accept/gate/gate.ts';
import type { OpenDelivery } from './deliver/open-delivery.ts';
import { createReadContent } from './deliver/read-content.ts';
import type { BucketMethods } from './grpc/methods.ts';
import { startReleaseLoop } from './release/release-loop.ts';
import type { ReleaseDeps } from './release/release.ts';

/** A bucket as this process serves it. Its delivery is stopped with that of all buckets (deliver/open-delivery.ts). */
export interface BucketSender extends BucketMethods {
  workerId(): string;
  /** Answers what waits to be accepted, and refuses what comes. */
  drain: Accept['drain'];
  stopRelease(): Promise<void>;
}

/** What it needs beside the bucket's database. */
export interface BucketSenderDeps {
  config: Config;
  delivery: Pick<OpenDelivery, 'open' | 'compose'>;
  gate: Gate;
  nats: Nats;
  fail: Fail;
  log: Logger;
  load: AcceptLoad;
  committed: (bucket: string) => NonNullable<AcceptSink['committed']>;
}

/** Starts to serve a bucket: `answering` has the connections of those who wait for an answer, `db` those of the others. */
export async function openBucketSender(
  deps: BucketSenderDeps,
  bucket: string,
  answering: Database,
  db: Database,
): Promise<BucketSender> {
  const { config, gate, nats, fail, log, load } = deps;
  const { lease, delivery, domains } = await deps.delivery.open(db, bucket);
  const wake = () => {
    delivery.wake();
    publishReady(nats, bucket);
  };
  const common = { gate, fail, maxAgeMs: messageMaxAgeMs(config), esp: espPolicy(config), wake };
  const accept = createAccept({
    ...common,
    pool: answering.pool,
    pack: config.PACK_CONTENT,
    log,
    load,
    workerId: () => lease.workerId(),
    capacity: (stream, tenantId) => delivery.capacity(stream, tenantId),
    deliver: (claims, workerId) => delivery.deliver(claims, workerId),
    committed: deps.committed(bucket),
  });
  const release: ReleaseDeps = { ...common, pool: db.pool };
  const releaseLoop = startReleaseLoop(release, log);
  return {
    db: answering,
    accept,
    release,
    readContent: createReadContent({ pool: answering.pool, domains, compose: deps.delivery.compose }),
    workerId: () => lease.workerId(),
    drain: accept.drain,
    stopRelease: releaseLoop.stop,
  };
}
