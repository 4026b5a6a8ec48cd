// What a test file gets for itself: its own migrated database, key prefix and settings on the shared real servers.
// `createContext()` in beforeAll, `context.close()` in afterAll.

import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';

import { loadConfig, type Config } from '../../core/base/config.ts';
import { createLogger, type Logger } from '../../core/base/log.ts';
import { createBuckets, type Buckets } from '../../core/db/buckets.ts';
import { openDatabase, type Database } from '../../core/db/pool.ts';
import { createDatabase, dropDatabase, testBucket } from './test-database.ts';

/** One test file's world. */
export interface Context {
  config: Config;
  /** The settings as environment variables, for processes that the test starts. */
  env: Record<string, string>;
  /** Of the bucket where the test's tenants are. */
  db: Database;
  buckets: Buckets;
  log: Logger;
  close(): Promise<void>;
}

/** Makes the world. `overrides` are further settings, as environment variables. */
export async function createContext(overrides: Record<string, string> = {}): Promise<Context> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  const databaseUrl = await createDatabase(name);
  const env = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: inject('redisUrl'),
    NATS_URL: inject('natsUrl'),
    KEY_PREFIX: name,
    MASTER_KEY: randomBytes(32).toString('base64'),
    INTERNAL_TOKEN: randomBytes(24).toString('hex'),
    API_HTTPS_PORT: '0',
    API_HTTP_PORT: '0',
    SUBMISSION_PORT: '0',
    SUBMISSIONS_PORT: '0',
    SENDER_GRPC_PORT: '0',
    INBOUND_SMTP_PORT: '0',
    METRICS_PORT: '0',
    STOP_DELAY_SECONDS: '0',
    LOG_LEVEL: 'silent',
    TEST_KNOBS: 'true',
    OUTBOUND_ALLOW_PRIVATE: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...overrides,
  };
  const config = loadConfig(env);
  const log = createLogger(config, 'test');
  const whole = openDatabase(config, log);
  const buckets = createBuckets(whole);
  return {
    config,
    env,
    db: buckets.database(testBucket()),
    buckets,
    log,
    close: async () => {
      await whole.close();
      await dropDatabase(name);
    },
  };
}
