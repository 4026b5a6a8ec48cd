// A process of a pool that does what its jobs say; in a batch, one by one and marked.

import { endWithParent, writeMark } from '../../core/base/sandbox.ts';

const [deed] = process.argv.slice(2);

endWithParent();
process.on('message', (jobs: { id: number; job: string }[]) => {
  for (const { id, job } of jobs) {
    writeMark(id);
    if (job === 'hang') for (;;);
    if (job === 'stand') process.kill(process.pid, 'SIGSTOP');
    if (job === 'exit') process.exit(3);
    if (job === 'eat')
      for (const kept: string[][] = []; ;) kept.push(Array.from({ length: 100_000 }, String));
    const answer = () => process.send?.([{ id, result: `${job} of ${process.pid}` }]);
    if (job === 'late') setTimeout(answer, 500);
    else if (job !== 'rest') answer();
  }
  writeMark(0);
});
if (deed === 'break') process.exit(1);
writeMark(0);
