// 00:00 UTC: asks a sender to release deferred mail. The senders do so by themselves as well, by
// the database's clock; this does the same work. Only a manual run gives its own clock: the
// run time would use the cap of a day that is over when the run is late.

import type { Job } from '../job.ts';

/** The job `release-deferred`. */
export const releaseDeferred: Job = async ({ sender }, run) => {
  const progress = await sender.releaseDeferred({ now: run.manual ? run.now : undefined, tenantId: '' });
  if (!progress.done) throw new Error('the sender stopped before the release was done');
  return { released: Number(progress.released), deferred_again: Number(progress.deferredAgain) };
};
