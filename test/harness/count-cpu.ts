// Run before each test file: what it cost goes to the reporter (tally.ts).

import { afterAll } from 'vitest';

import { cpuSeconds } from './cpu-seconds.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** What a file took of the CPU, in seconds: the tests, and what they started and waited for. */
    cpuSeconds?: number;
  }
}

// oxlint-disable-next-line no-empty-pattern -- the first argument must be taken apart
afterAll(({}, file) => {
  file.meta.cpuSeconds = cpuSeconds();
});
