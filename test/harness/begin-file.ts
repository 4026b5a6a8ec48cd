// Run before each file of tests with servers. Test files share a process: what one started ends with it. A test that fails
// prints what its services wrote last and the command that runs it again. What the file cost goes to the reporter.

import { relative } from 'node:path';
import { afterAll, afterEach } from 'vitest';

import { cpuSeconds } from './cpu-seconds.ts';
import { beginFile } from './service.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** What a file took of the CPU, in seconds: the tests, and what they started and waited for. */
    cpuSeconds?: number;
  }
}

/** Settings that change what a test does. */
const CHOICES = ['TEST_SERVERS', 'TEST_RECORD', 'TEST_FORM', 'TEST_SEED'];

const { started, lasting } = beginFile();

afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return;
  const lines = [lasting, started]
    .map((some) => some.lastLines())
    .join('\n')
    .trim();
  if (lines !== '') console.error(`${task.name}: what its services wrote last\n${lines}`);
  const choices = CHOICES.filter((name) => process.env[name] !== undefined);
  const env = choices.map((name) => `${name}=${process.env[name]} `).join('');
  const file = relative('.', task.file.filepath);
  console.error(`run it again: ${env}npx vitest run ${file} -t ${JSON.stringify(task.name)}`);
});

// oxlint-disable-next-line no-empty-pattern -- the first argument must be taken apart
afterAll(({}, file) => {
  started.kill();
  file.meta.cpuSeconds = cpuSeconds();
});
