import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { loadConfig } from '../../core/base/config.ts';
import { banner, curlLine } from '../../local/start/banner.ts';
import { writeConnection, type Connection } from '../../local/start/connection.ts';
import { serviceEnvironment } from '../../local/start/environment.ts';
import type { FirstMessage } from '../../local/start/first-message.ts';
import { loadSecrets } from '../../local/start/secrets.ts';
import { tempFolder } from '../harness/temp-folder.ts';

const CONNECTION: Connection = {
  base_url: 'https://localhost:8443/api/v1',
  compat_urls: { postmark: 'https://postmark.localhost:8443' },
  graphql_url: 'https://localhost:8443/graphql',
  dashboard_url: 'https://localhost:8443/',
  ca_file: "/home/o'brien/my checkout/.local/tls/ca.pem",
  grpc_address: '127.0.0.1:50051',
  grpc_token: 'token',
  inbound_smtp: { host: '127.0.0.1', port: 2525 },
  submission: { host: '127.0.0.1', port: 2587, tls_port: 2465 },
  simulator: { smtp_port: 2526, dns_port: 5354, http_port: 8025 },
  tenant_id: 'tnt_1',
  domain: 'customer.test',
  api_key: 'sk_live_x',
  super_admin_token: 'admin',
  dashboard: { email: 'owner@customer.test', password: 'secret' },
  database_url: 'postgres://x',
  redis_url: 'redis://x',
  nats_url: 'nats://x',
  pids: { api: [1], sender: [2], inbound: [3], scheduler: [4] },
};

test('the printed curl line is one command for the shell, whatever the path', () => {
  const script = `curl() { for word in "$@"; do echo "$word"; done; }; ${curlLine(CONNECTION)}`;
  const words = execFileSync('/bin/sh', ['-c', script]).toString().trimEnd().split('\n');
  expect(words).toContain(CONNECTION.ca_file);
  expect(words).toContain('Authorization: Bearer sk_live_x');
  expect(words.at(-1)).toBe('https://localhost:8443/api/v1/transactional/send');
  expect(JSON.parse(words.at(-2)!)).toMatchObject({
    from: 'hello@customer.test',
    to: 'delivered@simulator.test',
  });
});

test('the banner shows the first message, why it waits or is refused, and how a paused domain is resumed', () => {
  const admin = { email: 'admin@customer.test', password: 'secret' };
  const shown = (first: FirstMessage) =>
    banner({ connection: CONNECTION, connectionFile: '/x/connection.json', first, admin }, 3);
  expect(shown({ id: 'msg_1', ms: 41.6 })).toContain('msg_1: delivered in 42 ms.');
  expect(shown({ id: 'msg_1', ms: 41.6 })).toContain('  postmark    https://postmark.localhost:8443 ');
  const until = '2026-12-02T00:00:00.000Z';
  expect(shown({ id: 'msg_1', deferred: { reason: 'brake', until } })).toContain(
    `waits until ${until} (brake).`,
  );
  const message = 'Sending from customer.test is paused: on 2026-12-01 bounces were 50 %.';
  const paused = shown({ refused: { error: 'domain_paused', message } });
  expect(paused).toContain(`refused: ${message}\n`);
  expect(paused).toContain('npm run cli -- domain resume customer.test --tenant tnt_1\n');
  expect(shown({ refused: { error: 'quota_exceeded', message: 'Used up.' } })).not.toContain('domain resume');
});

test('secrets are made once, for their owner only; damaged ones are never replaced', async () => {
  const file = join(await tempFolder(), 'secrets.json');
  const made = await loadSecrets(file);
  expect(await loadSecrets(file)).toEqual(made);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await writeFile(file, '{');
  await expect(loadSecrets(file)).rejects.toThrow(/damaged/);
});

test('connection.json is readable by its owner only', async () => {
  const file = join(await tempFolder(), 'connection.json');
  await writeConnection(file, CONNECTION);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(CONNECTION);
});

test('the settings of the services pass their check, and the reader’s own win', async () => {
  const ports = {
    apiHttps: 9443,
    apiHttp: 9080,
    grpc: 9051,
    inboundSmtp: 9025,
    submission: 9587,
    submissions: 9465,
    metrics: 9464,
    simulatorSmtp: 9026,
    simulatorDns: 9053,
    simulatorHttp: 9081,
  };
  const env = serviceEnvironment({
    own: { OUTBOUND_HOSTNAME: 'mail.customer.test', OUTBOUND_TLS: '' },
    ports,
    secrets: await loadSecrets(join(await tempFolder(), 'secrets.json')),
    tls: { caFile: '/ca', certFile: '/cert', keyFile: '/key' },
    databaseUrl: 'postgres://db/x',
    redisUrl: 'redis://r',
    natsUrl: 'nats://n',
  });
  expect(loadConfig(env)).toMatchObject({
    PUBLIC_URL: 'https://localhost:9443',
    DNS_SERVERS: ['127.0.0.1:9053'],
    OUTBOUND_SMTP_PORT: 9026,
    OUTBOUND_HOSTNAME: 'mail.customer.test',
    SUBMISSION_PORT: 9587,
    SUBMISSIONS_PORT: 9465,
    METRICS_PORT: 9464,
  });
});

test('an entry started under an old Node runs under the bundled one, or says what is missing', async () => {
  const folder = await tempFolder();
  await mkdir(join(folder, 'local'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const source = await readFile(join(import.meta.dirname, '../../local/node24.mjs'), 'utf8');
  await writeFile(join(folder, 'local/node24.mjs'), source.replace('OLDEST_MAJOR = 24', 'OLDEST_MAJOR = 99'));
  await writeFile(join(folder, 'entry.ts'), 'const word: string = process.argv[2]!; console.log(word);');
  const run = () => spawnSync(process.execPath, ['local/node24.mjs', 'entry.ts', 'hello'], { cwd: folder });
  expect(run()).toMatchObject({ status: 1 });
  expect(run().stderr.toString()).toMatch(/^This needs Node 99 or newer/);
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
  await symlink(process.execPath, join(folder, 'node_modules/.bin/node'));
  expect(run().stdout.toString()).toBe('hello\n');
});
