// A service on the schema of an older version, or on no schema, says so in one line and ends; also when it started while the
// database was away.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { migrate } from '../../core/db/migrate.ts';
import { readMigrations } from '../../core/db/migrator/migration-files.ts';
import { writeTestCertificate } from '../harness/certificate-files.ts';
import { createContext, type Context } from '../harness/context.ts';
import { startService } from '../harness/service.ts';
import { startTcpProxy } from '../harness/tcp-proxy.ts';
import { waitUntil } from '../harness/wait.ts';

const [before, newest] = readMigrations().slice(-2);
let context: Context;
let name: string;
let url: URL;

beforeAll(async () => {
  context = await createContext({ ...writeTestCertificate(), SENDER_ADDRESSES: '127.0.0.1:1' });
  name = `older_${randomBytes(6).toString('hex')}`;
  await context.db.pool.query(`create database ${name}`);
  url = new URL(context.env['DATABASE_URL']!);
  url.pathname = `/${name}`;
});

afterAll(async () => {
  await context.db.pool.query(`drop database ${name} with (force)`);
  await context.close();
});

async function refusal(service: Parameters<typeof startService>[0], databaseUrl = url.href) {
  const { ended, output } = await startService(
    service,
    { ...context.env, DATABASE_URL: databaseUrl },
    { until: 'started' },
  );
  return [await ended, output()];
}

const line = (is: string) =>
  `could not start: the database ${is}, this version needs ${newest!.tag}: run \`node cli/main.ts database migrate\` first\n`;

test('an empty database is refused by every service', async () => {
  for (const service of ['api', 'sender', 'inbound', 'scheduler'] as const)
    expect([service, ...(await refusal(service))]).toEqual([service, '1', line('is empty')]);
});

test('one that starts while the database is away ends as soon as it is back', async () => {
  const wire = await startTcpProxy(url.hostname, Number(url.port));
  wire.cut();
  const through = new URL(url);
  through.host = `127.0.0.1:${wire.port}`;
  const env = { ...context.env, DATABASE_URL: through.href };
  const { ended, output, metricsUrl } = await startService('api', env, { until: 'listening' });
  const base = metricsUrl.replace(/\/metrics$/, '');
  await waitUntil(() =>
    fetch(`${base}/healthz`).then(
      (answer) => answer.ok,
      () => false,
    ),
  );
  wire.mend();
  expect(await ended).toBe('1');
  expect(output()).toBe(line('is empty'));
  await wire.close();
});

test('so is the schema of the version before, and after the migration the service starts', async () => {
  await migrate(url.href, { upTo: before!.tag });
  expect(await refusal('sender')).toEqual(['1', line(`is at ${before!.tag}`)]);
  await migrate(url.href);
  const sender = await startService('sender', { ...context.env, DATABASE_URL: url.href });
  await sender.stop();
});
