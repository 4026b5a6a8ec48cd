// PostgreSQL restored to a moment of today, from a base backup and its WAL. What went out after that moment is unknown to
// the record, and still no cap is passed on the wire.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  appendFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { openSender } from '../../core/clients/sender.ts';
import { migrate } from '../../core/db/migrate.ts';
import { openDatabase, type Database } from '../../core/db/pool.ts';
import { watchPrimary } from '../../core/db/primary.ts';
import { OutgoingMessage, SendRequest } from '../../core/gen/sender/v1/sender.ts';
import { runCli } from '../../cli/run-cli.ts';
import { findBinary } from '../../local/servers/find-binary.ts';
import { POSTGRES_BINARY } from '../../local/servers/postgres.ts';
import { startServers, type Servers } from '../../local/servers/start-servers.ts';
import type { Account } from '../harness/factories.ts';
import { makeSignedAccount } from '../harness/factories.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { untilDayIsLongEnough, waitUntil } from '../harness/wait.ts';

const LONGEST_MS = 120_000; // on a busy machine
const CAP = 50; // of tier 0
const folder = mkdtempSync(join(tmpdir(), 'postrider-restore-'));
const archive = join(folder, 'archive');
const startPostgres = () =>
  startServers({ dataDir: folder, log: () => {}, env: { REDIS_URL: 'given', NATS_URL: 'given' } });
let servers: Servers;
let stack: Stack;

beforeAll(async () => {
  await untilDayIsLongEnough(LONGEST_MS);
  // PostgreSQL may run as another user (local/servers/not-root.ts).
  chmodSync(folder, 0o755);
  mkdirSync(archive);
  chmodSync(archive, 0o777);
  servers = await startPostgres();
  await query(`alter system set archive_mode = on`);
  await query(`alter system set archive_command = 'cp %p ${archive}/%f'`);
  await query(`alter system set wal_level = replica`);
  await servers.stop();
  servers = await startPostgres();
  await migrate(servers.databaseUrl);
}, 2 * LONGEST_MS);

afterAll(async () => {
  await stack?.close();
  await servers?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function query(text: string): Promise<Record<string, string>[]> {
  const db = openDatabase({ DATABASE_URL: servers.databaseUrl, DATABASE_POOL_SIZE: 2 }, quiet);
  try {
    return (await db.pool.query<Record<string, string>>(text)).rows;
  } finally {
    await db.close();
  }
}
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} } as never;

async function databaseRestored(): Promise<object> {
  let said = '';
  const out = (text: string) => (said += text);
  const code = await runCli(['database', 'restored', '--json'], {
    env: stack.context.env,
    out,
    err: out,
  });
  return { code, ...(JSON.parse(said) as object) };
}

async function send(account: Account, to: string): Promise<string> {
  const client = openSender(
    { ...stack.context.config, SENDER_ADDRESSES: stack.senderAddresses() },
    stack.context.log,
  );
  const message = OutgoingMessage.fromPartial({
    from: `a@${account.domain}`,
    to: [to],
    subject: 'Restore',
    text: 'x',
  });
  const tenantId = toId('tnt', account.tenantId);
  try {
    const request = SendRequest.fromPartial({ tenantId, messageId: toId('msg', newUuid()), message });
    const { outcome } = await client.send(request);
    return outcome?.$case === 'sent' ? outcome.value.status : outcome!.value.code;
  } finally {
    client.close();
  }
}

test('sent, backed up, sent more, restored to the moment between: the cap of the day holds', async () => {
  const env = { DATABASE_URL: servers.databaseUrl, TEST_RETRY_SCALE: '0.02' };
  let isBusy = true;
  stack = await createStack({
    senders: 1,
    env,
    sink: { rcpt: (to) => (isBusy && to.startsWith('late') ? '451 4.3.0 later' : '250 2.1.5 ok') },
  });
  const account = await stack.makeAccount();
  const arrived = () =>
    stack.sink.messages.filter(({ mailFrom }) => mailFrom.includes(account.domain)).length;
  const sendAll = (name: string, n: number) =>
    Promise.all(Array.from({ length: n }, (_, i) => send(account, `${name}${i}@sink.test`)));

  const bin = (await findBinary(POSTGRES_BINARY))!.folder;
  const backup = join(folder, 'backup');
  execFileSync(
    join(bin, 'pg_basebackup'),
    ['-d', servers.databaseUrl, '-D', backup, '-X', 'none', '-c', 'fast'],
    {
      stdio: 'pipe',
    },
  );
  await sendAll('early', 10);
  await sendAll('late', 10);
  const delivered = async () =>
    Number((await query("select count(*) as n from messages where state = 'delivered'"))[0]!['n']);
  await waitUntil(async () => (await delivered()) === 10);
  const [{ now }] = (await query('select clock_timestamp()::text as now')) as [{ now: string }];
  isBusy = false;
  await sendAll('more', CAP - 20);
  await waitUntil(() => arrived() === CAP, { what: () => `${arrived()} of ${CAP} to arrive` });

  expect(await databaseRestored(), 'while a sender runs').toMatchObject({ code: 1, error: 'conflict' });
  await Promise.all(stack.senders.map((sender) => sender.kill()));
  const [{ file, data }] = (await query(
    "select pg_walfile_name(pg_switch_wal()) as file, current_setting('data_directory') as data",
  )) as [{ file: string; data: string }];
  await waitUntil(() => readdirSync(archive).includes(file), { what: 'the WAL to be archived' });
  await servers.stop();
  rmSync(data, { recursive: true });
  renameSync(backup, data);
  appendFileSync(
    join(data, 'postgresql.auto.conf'),
    `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_time = '${now}'\nrecovery_target_action = 'promote'\n`,
  );
  writeFileSync(join(data, 'recovery.signal'), '');
  execFileSync('chown', ['-R', '--reference', dirname(data), data]);
  servers = await startPostgres();
  await waitUntil(
    async () => (await query('select pg_is_in_recovery()::text as standby'))[0]!['standby'] === 'false',
  );

  stack.context.env['DATABASE_URL'] = servers.databaseUrl;
  let told: object = {};
  await waitUntil(async () => 'domains' in (told = await databaseRestored()), {
    what: 'the killed sender to be forgotten',
  });
  expect(told).toMatchObject({ code: 0, domains: 1, messages: 10 });

  const db: Database = openDatabase({ DATABASE_URL: servers.databaseUrl, DATABASE_POOL_SIZE: 2 }, quiet);
  const other = await makeSignedAccount({ ...stack.context, db }, {}); // not there before: its day is not over
  await db.close();
  stack.senders.splice(0);
  await stack.addSender();
  expect(new Set(await sendAll('after', 20))).toEqual(new Set(['deferred']));
  await send(other, 'works@sink.test');
  await waitUntil(() => stack.sink.messages.some(({ rcptTo }) => rcptTo === 'works@sink.test'));
  const waiting = await query(
    `select defer_reason, count(*)::text as n from messages
     where state = 'deferred' and deferred_until = (date_trunc('day', now() at time zone 'UTC') + interval '1 day') at time zone 'UTC'
     group by 1`,
  );
  expect(waiting).toEqual([{ defer_reason: 'warmup_cap', n: '30' }]);
  expect(arrived()).toBe(CAP);
});

test('of two servers that accept writes the restored one is the primary, and the other is told of', async () => {
  const told: object[] = [];
  const chosen: number[] = [];
  const log = {
    info: () => {},
    warn: () => {},
    error: (fields: unknown) => void told.push(fields as object),
  };
  const left = new URL(inject('databaseUrl')); // on timeline 1, as the server before the restore
  const restored = new URL(servers.databaseUrl);
  const watch = watchPrimary([left.href, restored.href], log, ({ port }) => chosen.push(port));
  try {
    await waitUntil(() => told.length > 0, { what: 'the abandoned server to be told of' });
    expect(JSON.stringify(told)).toContain('it writes on timeline 00000001, timeline 00000002 was seen');
    expect(chosen.at(-1)).toBe(Number(restored.port));
    expect(await watch.address()).toMatchObject({ port: Number(restored.port) });
  } finally {
    await watch.close();
  }
});
