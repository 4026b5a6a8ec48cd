// A parser process that does what its mail says: for tests of the pool.

import { endWithParent, writeMark } from '../../core/base/sandbox.ts';
import type { ParseJob } from '../../inbound/parse/parse-job.ts';

endWithParent();
process.on('message', (jobs: { id: number; job: ParseJob }[]) => jobs.forEach(read));
writeMark(0);

function read({ id, job }: { id: number; job: ParseJob }): void {
  const said = Buffer.from(job.raw).toString();
  if (said === 'hang') for (;;);
  if (said === 'eat') {
    const kept: string[][] = [];
    for (;;) kept.push(Array.from({ length: 100_000 }, (_, i) => `${i} of ${kept.length}`));
  }
  if (said === 'gulp') JSON.parse(`[${'[1,2,3,4],'.repeat(20_000_000)}0]`);
  if (said === 'exit') process.exit(3);
  if (said === 'throw') throw new Error('as asked');
  setTimeout(() => {
    process.send?.([{ id, result: { content: { subject: said }, bodies: [], report: null } }]);
  }, 50);
}
