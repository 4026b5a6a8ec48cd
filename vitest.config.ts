import { join } from 'node:path';

import { defineConfig } from 'vitest/config';

import { NIGHTLY_TESTS, SERVER_TESTS } from './test/harness/on-clusters.ts';
import { quarantinedFiles } from './test/harness/quarantine.ts';
import { Tally } from './test/harness/tally.ts';

// Three projects: `unit` needs nothing but Node; `servers` has real PostgreSQL, Redis, NATS and the built dashboard, made
// ready once (test/harness/servers.ts). Every test file there makes its own database and key prefix on them, so that
// files run side by side and in any order. `nightly` has the same for files that take too long for `npm test`.
const exclude = quarantinedFiles();
const counted = 'test/harness/count-cpu.ts'; // the first: what it does after a file comes last
const onServers = {
  globalSetup: ['test/harness/servers.ts'],
  setupFiles: [counted, 'test/harness/begin-file.ts'],
};

export default defineConfig({
  test: {
    reporters: ['default', new Tally()],
    pool: 'forks',
    // One process for many files: to load modules anew for each file took as long as the tests.
    isolate: false,
    // Node loads the modules, as in production: saml-refused.test.ts needs 8 s of CPU instead of 19 with Vite's loader.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // What Node compiled is kept, for all workers and for the services that tests start (test/harness/service.ts).
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '.local', 'compile-cache') },
    maxWorkers: 4, // on two cores: half of the time a file waits for something
    testTimeout: 120_000, // the longest story takes 15 s on two idle cores; a busy machine is no failure
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } }, // as long as Playwright waits
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/unit/**/*.test.ts'], exclude, setupFiles: [counted] },
      },
      {
        extends: true,
        test: {
          name: 'servers',
          ...SERVER_TESTS,
          exclude: [...SERVER_TESTS.exclude, ...exclude],
          ...onServers,
        },
      },
      {
        extends: true,
        test: { name: 'nightly', include: NIGHTLY_TESTS, exclude, ...onServers },
      },
    ],
  },
});
