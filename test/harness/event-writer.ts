// A process that records events until it is killed: with a clock that is off, in transactions of every length, some of
// which roll back. Arguments: database, bucket, tenant, domain, milliseconds by which the clock is off, its name.

import { randomInt } from 'node:crypto';
import pg from 'pg';

import { sleep } from '../../core/base/clock.ts';
import { BucketClient } from '../../core/db/bucket-client.ts';
import { inBucket } from '../../core/db/bucket-pool.ts';
import { addEvents } from './event-rows.ts';

const [url, bucket, tenantId, domainId, clockMs, writer] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const TYPES = 'open click bounced complaint delivered deferred dropped unsubscribe expired cancelled'.split(
  ' ',
);
const LONG_MS = 3_000;

const client = await inBucket(
  new pg.Pool({ connectionString: url, max: 1, Client: BucketClient }),
  bucket,
).connect();
for (let n = 0; ;) {
  const events = Array.from({ length: randomInt(1, 20) }, () => ({
    type: TYPES[randomInt(TYPES.length)]!,
    clockMs: Number(clockMs) + randomInt(-500, 500),
    data: { writer, n: n++ },
  }));
  await client.query('begin');
  await addEvents(client, { tenantId, domainId }, events);
  await sleep(randomInt(20) === 0 ? randomInt(LONG_MS) : randomInt(40));
  await client.query(randomInt(10) === 0 ? 'rollback' : 'commit');
  if (n === events.length) process.stdout.write('writing\n');
}
