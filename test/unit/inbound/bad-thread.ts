// A parser thread that does what its mail says: for tests of the pool.

import { parentPort } from 'node:worker_threads';

import type { ParseJob } from '../../../inbound/parse/parse-job.ts';

parentPort?.on('message', ({ id, job }: { id: number; job: ParseJob }) => {
  const said = Buffer.from(job.raw).toString();
  if (said === 'hang') for (;;);
  if (said === 'eat') {
    const kept: string[][] = [];
    for (;;) kept.push(Array.from({ length: 100_000 }, (_, i) => `${i} of ${kept.length}`));
  }
  if (said === 'exit') process.exit(3);
  if (said === 'throw') throw new Error('as asked');
  setTimeout(() => {
    parentPort?.postMessage({ id, result: { content: { subject: said }, bodies: [], report: null } });
  }, 50);
});
