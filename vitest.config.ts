import { defineConfig } from 'vitest/config';

// Real PostgreSQL, Redis and NATS are started once (test/harness/servers.ts); every test file makes its own
// database and key prefix on them, so that files run side by side and in any order.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/harness/servers.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
