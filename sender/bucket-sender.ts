// What a sender does for one bucket: accepts its mail, delivers it and releases what waited.

import { messageMaxAgeMs, type Config } from '../core/base/config.ts';
import type { Fail } from '../core/base/failpoint.ts';
import type { Logger } from '../core/base/log.ts';
import { publishReady } from '../core/clients/live.ts';
import type { Nats } from '../core/clients/nats.ts';
import type { Database } from '../core/db/pool.ts';
import { systemDomain } from '../core/system-mail/system-domain.ts';
import { createAccept, type Accept, type AcceptLoad, type AcceptSink } from './accept/accept.ts';
import { espPolicy } from './accept/esp-shares.ts';
import { createWriteSubjects, type RenderSubject } from './accept/write-subjects.ts';
import type { Gate } from './accept/gate/gate.ts';
import type { OpenDelivery } from './deliver/open-delivery.ts';
import type { BucketMethods } from './grpc/methods.ts';
import { startReleaseLoop } from './release/release-loop.ts';
import type { ReleaseDeps } from './release/release.ts';

/**
 * A bucket as this process serves it. When the process stops, its delivery is stopped with that of all buckets
 * (deliver/open-delivery.ts).
 */
export interface BucketSender extends BucketMethods {
  workerId(): string;
  /** Answers what waits to be accepted, and refuses what comes. */
  drain: Accept['drain'];
  stopRelease(): Promise<void>;
  /** Whether nothing of it is under way here. */
  isIdle(): boolean;
  /**
   * Ends it, while the process goes on, at a moment at which it is idle: no mail is claimed from that moment on, what is
   * still accepted waits for others, and the lease is over at the end.
   */
  close(): Promise<void>;
}

/** What it needs beside the bucket's database. */
export interface BucketSenderDeps {
  config: Config;
  delivery: Pick<OpenDelivery, 'open'>;
  gate: Gate;
  nats: Nats;
  fail: Fail;
  log: Logger;
  load: AcceptLoad;
  committed: (bucket: string) => NonNullable<AcceptSink['committed']>;
  renderSubject: RenderSubject;
}

/** What releases the mail of a bucket, whether it is open here or not: senders that have it open are woken. */
export function releaseOf(
  { config, gate, nats, fail }: Pick<BucketSenderDeps, 'config' | 'gate' | 'nats' | 'fail'>,
  bucket: string,
  { pool }: Database,
): ReleaseDeps {
  const wake = () => publishReady(nats, bucket);
  const [maxAgeMs, esp] = [messageMaxAgeMs(config), espPolicy(config)];
  return { gate, fail, maxAgeMs, esp, systemDomain: systemDomain(config), wake, pool };
}

/**
 * Starts to serve a bucket: `answering` has the connections of those who wait for an answer, `db` those of the others. What is
 * due is claimed while `isNeeded`.
 */
export async function openBucketSender(
  deps: BucketSenderDeps,
  bucket: string,
  { answering, db, isNeeded }: { answering: Database; db: Database; isNeeded: () => boolean },
): Promise<BucketSender> {
  const { config, log, load } = deps;
  const opened = await deps.delivery.open(db, bucket, isNeeded);
  const { lease, delivery } = opened;
  const forAll = releaseOf(deps, bucket, db);
  const wake = (count: number) => {
    delivery.wake();
    forAll.wake(count);
  };
  const release = { ...forAll, wake };
  const accept = createAccept({
    ...release,
    pool: answering.pool,
    pack: config.PACK_CONTENT,
    log,
    load,
    writeSubjects: createWriteSubjects(answering.pool, deps.renderSubject),
    workerId: () => lease.workerId(),
    capacity: (stream, tenantId) => delivery.capacity(stream, tenantId),
    deliver: (claims, workerId) => delivery.deliver(claims, workerId),
    committed: deps.committed(bucket),
  });
  const releaseLoop = startReleaseLoop(release, log);
  return {
    db: answering,
    accept,
    release,
    workerId: () => lease.workerId(),
    drain: accept.drain,
    stopRelease: releaseLoop.stop,
    isIdle: () => accept.pending() === 0 && delivery.isIdle(),
    close: async () => {
      deps.fail('bucket.before-close');
      await delivery.halt();
      await Promise.all([accept.drain(), releaseLoop.stop()]);
      await opened.close();
    },
  };
}
