// What a worker takes for the database's time between two heartbeats.

import type pg from 'pg';
import pino from 'pino';
import { afterEach, expect, test, vi } from 'vitest';

import { startLease } from '../../../core/worker/lease.ts';

afterEach(() => void vi.useRealTimers());

test('a wall clock that is set does not move it', async () => {
  const now = new Date();
  const query = () => Promise.resolve({ rows: [{ now, alive: true, peers: 1, bulkPeers: 0, named: [] }] });
  const pool = { query } as unknown as pg.Pool;
  const lease = await startLease({
    pool,
    log: pino({ level: 'silent' }),
    worker: { service: 'sender', bulkOnly: false },
    leaseMs: 60_000,
  });
  vi.useFakeTimers({ toFake: ['Date'], now: now.getTime() + 600_000 });
  expect(lease.databaseNow().getTime() - now.getTime()).toBeLessThan(60_000);
  await lease.stop();
});
