// Which errors say that PostgreSQL itself is unavailable, and nothing about a statement.

import pg from 'pg';
import { expect, test } from 'vitest';

import { inTransaction, isDatabaseAway } from '../../../core/db/transaction.ts';

const thrown = (code: string) => Object.assign(new Error('refused'), { code });

test('a transaction that gets no connection says so', async () => {
  const pool = new pg.Pool({ host: '127.0.0.1', port: 1 }); // tcpmux: nobody listens there
  const error = await inTransaction(pool, async () => {}).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'unavailable' });
  expect(isDatabaseAway(error)).toBe(true);
  await pool.end();
});

test.each(['08006', '57P03', '53300', '53100', '58030', '25006', '55P03', '57014', 'ECONNREFUSED'])(
  '%s does',
  (code) => {
    expect(isDatabaseAway(thrown(code))).toBe(true);
    expect(isDatabaseAway(new Error('Failed query', { cause: thrown(code) }))).toBe(true);
  },
);

test.each([
  'could not commit transaction for shard 102268 on at least one active node',
  'failed to send 812 bytes of COPY data', // 'failed to send %d bytes %s'
  'terminating connection due to administrator command', // of the node, met in a COPY
  'the database system is shutting down',
  'canceling statement due to lock timeout',
  'canceling statement due to statement timeout',
  'cannot execute INSERT in a read-only transaction',
  'could not extend file "base/5/16384": No space left on device',
  'failure on connection marked as essential: 10.0.0.2:5432',
  'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally',
  'could not receive data from server: Connection reset by peer',
  'SSL connection has been closed unexpectedly',
])('a node of a cluster that goes away does: %s', (message) => {
  expect(isDatabaseAway(Object.assign(new Error(message), { code: 'XX000' }))).toBe(true);
});

test('an internal error with another text does not', () => {
  expect(isDatabaseAway(thrown('XX000'))).toBe(false);
});

test.each(['23505', '22021', '40P01', '25P02'])('%s does not', (code) => {
  expect(isDatabaseAway(thrown(code))).toBe(false);
});
