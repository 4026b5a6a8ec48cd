// Opens and clicks, of whichever bucket: each bucket's are written by themselves, so that one that is away keeps nobody else's
// waiting.

import type { Logger } from '../base/log.ts';
import { publishLive } from '../clients/live.ts';
import type { Nats } from '../clients/nats.ts';
import type { Buckets } from '../db/buckets.ts';
import { createEngagementRecorder, type EngagementRecorder } from './engagement-recorder.ts';
import { recordHits } from './engagement-store.ts';

/** Makes the recorder of a process. What it wrote is published to live views. */
export function createBucketEngagement({
  buckets,
  nats,
  log,
}: {
  buckets: Buckets;
  nats: Nats;
  log: Logger;
}): EngagementRecorder {
  const recorders = new Map<string, EngagementRecorder>();
  const recorderOf = (bucket: string) => {
    const known = recorders.get(bucket) ?? open(bucket);
    recorders.set(bucket, known);
    return known;
  };
  const open = (bucket: string) =>
    createEngagementRecorder({
      record: (hits) => recordHits(buckets.database(bucket).pool, hits),
      onRecorded: (written) => {
        for (const { id, tenantId } of written) publishLive(nats, tenantId, 'events', { id });
      },
      log,
    });
  // Where a tenant is has to be asked once, which the database may not answer just now: they wait here then.
  const sorter = createEngagementRecorder({
    async record(hits) {
      const places = await Promise.all(hits.map(({ tenantId }) => buckets.ofTenant(tenantId)));
      for (const [index, hit] of hits.entries()) recorderOf(places[index]!).push(hit);
      return [];
    },
    log,
  });
  const pending = () =>
    [sorter, ...recorders.values()].reduce((sum, recorder) => sum + recorder.pending(), 0);
  return {
    push: (hit) => sorter.push(hit),
    pending,
    async close() {
      await sorter.close();
      await Promise.all([...recorders.values()].map((recorder) => recorder.close()));
    },
  };
}
