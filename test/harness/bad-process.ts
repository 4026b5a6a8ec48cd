// A parser process that does what its mail says: for tests of the pool. The text of what it reads is its pid, and the most
// messages that it had in flight at a time.

import { serveJobs } from '../../core/base/serve-jobs.ts';
import { endWithParent } from '../../core/base/sandbox.ts';
import { unreadableContent, type ParseJob, type ParseResult } from '../../inbound/parse/parse-job.ts';

const DEEDS: Record<string, () => void> = {
  hang: () => {
    for (;;);
  },
  eat: () => {
    const kept: string[][] = [];
    for (;;) kept.push(Array.from({ length: 100_000 }, (_, i) => `${i} of ${kept.length}`));
  },
  gulp: () => JSON.parse(`[${'[1,2,3,4],'.repeat(20_000_000)}0]`),
  exit: () => process.exit(3),
  throw: () => {
    throw new Error('as asked');
  },
  reject: () => void Promise.reject(new Error('as asked')),
};

endWithParent();
serveJobs(read, (_job: ParseJob, error) => resultOf(unreadableContent(`it threw: ${String(error)}`)));

let inFlight = 0;
let most = 0;

function read(job: ParseJob): Promise<ParseResult> {
  const said = Buffer.from(job.raw).toString();
  most = Math.max(most, ++inFlight);
  return new Promise((resolve) => {
    // After all have begun, as what hurts is in the middle of a message.
    setTimeout(() => {
      DEEDS[said]?.();
      if (said === 'wait') return;
      setTimeout(() => {
        inFlight--;
        const text = `${process.pid} ${most}`;
        resolve(resultOf({ ...unreadableContent(''), subject: said, text, parseError: null }));
      }, 50);
    }, 20);
  });
}

function resultOf(content: ParseResult['content']): ParseResult {
  return { content, bodies: [], report: null, aggregate: null };
}
