// 00:00 UTC: asks a sender to take deferred mail through the gate again. The senders do so by themselves as well, by
// the database's clock; this is the second hand on the same work. Only a run by hand gives a clock of its own: the
// slot's would take the cap of a day that is over when the run is late.

import type { Job } from '../job.ts';

/** The job. */
export const releaseDeferred: Job = async ({ sender }, run) => {
  const progress = await sender.releaseDeferred({ now: run.manual ? run.now : undefined, tenantId: '' });
  if (!progress.done) throw new Error('the sender stopped before the release was done');
  return { released: Number(progress.released), deferred_again: Number(progress.deferredAgain) };
};
