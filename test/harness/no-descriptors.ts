// A process with a pool that runs a job while it has no file descriptor left, and gets some back when that was logged.

import { closeSync, openSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

import { pino } from 'pino';

import { createProcessPool } from '../../core/base/process-pool.ts';

const taken: number[] = [];
const takeAll = () => {
  for (;;) taken.push(openSync('/dev/null', 'r'));
};
const log = pino({}, { write: () => taken.splice(0).forEach((fd) => closeSync(fd)) });
const pool = createProcessPool<string, string>(
  {
    what: 'test',
    file: new URL('./pool-child.ts', import.meta.url),
    memory: { oldSpaceMb: 64 },
    processes: 1,
    limitMs: 1_000,
    perProcess: 1,
    mode: 'batch',
    maxWaiting: 1,
  },
  log,
);
await setTimeout(100); // what Node opens for itself is open
try {
  takeAll();
} catch {
  const end = await pool.run('a');
  process.stdout.write(`${end.kind}\n`);
}
await pool.close();
