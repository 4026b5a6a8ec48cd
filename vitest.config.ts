import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

// Real PostgreSQL, Redis and NATS are started once (test/harness/servers.ts); every test file makes its own
// database and key prefix on them, so that files run side by side and in any order.
export default defineConfig({
  // Node's own choice of graphql's two builds, as in production: one schema cannot be used with both.
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }] },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/harness/servers.ts'],
    pool: 'forks',
    maxWorkers: 3, // on two cores: many tests wait for a lease or a timeout (516 s with two workers, 440 s with three)
    testTimeout: 120_000, // the longest story takes 15 s on two idle cores; a busy machine is no failure
    hookTimeout: 120_000,
  },
});
