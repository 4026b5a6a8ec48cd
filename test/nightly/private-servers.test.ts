// The private servers, for real: what survives a crash, and that nothing else does.

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { isAlive, livePid } from '../../local/servers/pid-file.ts';
import { startServers, type Servers } from '../../local/servers/start-servers.ts';
import { waitUntil } from '../harness/wait.ts';

const ROOT = join(import.meta.dirname, '../..');
const NAMES = ['postgres', 'redis', 'nats'];

// One folder for all, because making a cluster takes a second: each test starts on what the one before left.
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-test-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function start(log: (line: string) => void = () => {}): Promise<Servers> {
  const servers = await startServers({ dataDir, log, env: {} });
  onTestFinished(() => servers.stop());
  return servers;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Starts `local/servers/run.ts` and waits until it has printed its three exports. */
async function startRunner(): Promise<ChildProcess> {
  const { DATABASE_URL: _, REDIS_URL: __, NATS_URL: ___, ...env } = process.env;
  const runner = spawn(process.execPath, [join(ROOT, 'local/servers/run.ts'), dataDir], { env });
  onTestFinished(() => void runner.kill('SIGKILL'));
  let output = '';
  runner.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  runner.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await waitUntil(() => output.includes('export NATS_URL='), { what: () => `the exports:\n${output}` });
  return runner;
}

/** Every process that works on the folder, its watchdog included. */
async function processesOf(parent: number): Promise<number[]> {
  const servers = await Promise.all(NAMES.map((name) => livePid(join(dataDir, `${name}.pid`))));
  const pids = servers.filter((pid) => pid !== undefined);
  const children = await Promise.all([parent, ...pids].map(childrenOf));
  return [...new Set([parent, ...pids, ...children.flat()])];
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

test('a kill -9 of the parent leaves no process behind, and the next start finds its data', async () => {
  const runner = await startRunner();
  const pids = await processesOf(runner.pid!);
  expect(pids.length).toBeGreaterThan(8); // parent, watchdog, three servers and PostgreSQL's own children
  runner.kill('SIGKILL');
  await waitUntil(() => !pids.some(isAlive), {
    what: () => `${pids.filter(isAlive).join(', ')} to end`,
  });
  const { databaseUrl } = await start();
  expect(await query(databaseUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('SIGTERM stops everything and exits 0', async () => {
  const runner = await startRunner();
  const pids = await processesOf(runner.pid!);
  const ended = new Promise((resolve) => runner.once('exit', resolve));
  runner.kill('SIGTERM');
  expect(await ended).toBe(0);
  await waitUntil(() => !pids.some(isAlive));
});

test('files that a crash left do not stop a start: a pid that another process has, a broken Redis log', async () => {
  const first = await start();
  await query(first.databaseUrl, 'create table kept (n int)');
  await first.stop();
  await writeFile(
    join(dataDir, 'postgres/postmaster.pid'),
    `${process.pid}\n${dataDir}/postgres\n1\n5432\n\n\n`,
  );
  const logFolder = join(dataDir, 'redis/appendonlydir');
  for (const file of await readdir(logFolder)) await writeFile(join(logFolder, file), 'broken');
  const lines: string[] = [];
  const second = await start((line) => lines.push(line));
  expect(await query(second.databaseUrl, 'select count(*)::int as n from kept')).toEqual([{ n: 0 }]);
  expect(lines.join('\n')).toContain('starting empty');
});

test('a server that is killed comes back at the same address with its data', async () => {
  const servers = await start();
  await query(servers.databaseUrl, 'create table kept_too (n int)');
  const before = servers.pids()['postgres']!;
  process.kill(before, 'SIGKILL');
  const isBack = () =>
    query(servers.databaseUrl, 'select from kept_too').then(() => servers.pids()['postgres'] !== before);
  await waitUntil(() => isBack().catch(() => false));
});

test('durable settings are on, and nobody gets in without the password', async () => {
  const { databaseUrl } = await start();
  const rows = await query(
    databaseUrl,
    "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes')",
  );
  expect(rows).toHaveLength(3);
  expect(rows.every((row) => (row as { setting: string }).setting === 'on')).toBe(true);
  const wrong = new URL(databaseUrl);
  wrong.password = 'wrong';
  await expect(query(wrong.toString(), 'select 1')).rejects.toThrow(/password/);
});

test('servers of the environment are used as they are', async () => {
  const env = { DATABASE_URL: 'postgres://db/x', REDIS_URL: 'redis://r', NATS_URL: 'nats://n' };
  const servers = await startServers({ dataDir: '/nonexistent', log: () => {}, env });
  expect(servers).toMatchObject({
    databaseUrl: 'postgres://db/x',
    redisUrl: 'redis://r',
    natsUrl: 'nats://n',
  });
  expect(servers.pids()).toEqual({});
  await servers.stop();
});
