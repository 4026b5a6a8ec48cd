import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const MODULE = JSON.stringify(new URL('../../../core/base/low-priority.ts', import.meta.url).href);
const NICE = 19; // position of the value in /proc/…/stat (proc_pid_stat(5)), which numbers from 1

// Threads that are there already, and one that is started later.
const SCRIPT = `
  import { readdirSync, readFileSync } from 'node:fs';
  import { Worker } from 'node:worker_threads';
  import { lowerPriority } from ${MODULE};
  lowerPriority();
  const worker = new Worker('require("node:worker_threads").parentPort.postMessage(0)', { eval: true, execArgv: [] });
  worker.on('message', () => {
    const nice = readdirSync('/proc/self/task').flatMap((id) => {
      try {
        return Number(readFileSync('/proc/self/task/' + id + '/stat', 'utf8').split(') ')[1].split(' ')[${NICE - 3}]);
      } catch {
        return []; // a thread that has just ended
      }
    });
    console.log(JSON.stringify(nice));
    process.exit();
  });`;

test.skipIf(process.platform !== 'linux')('all threads of the process have the lower priority', () => {
  const own = Number(readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ')[NICE - 3]);
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', SCRIPT], { encoding: 'utf8' });
  const nice = JSON.parse(out) as number[];
  expect(nice.length).toBeGreaterThan(2);
  expect([...new Set(nice)]).toEqual([Math.max(own, 10)]);
});
