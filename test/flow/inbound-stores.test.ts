// NATS killed with its data erased, and PostgreSQL killed, while mail comes in: every 250 has its row, every row its one
// delivery, byte for byte, and none is attempted before its time.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import { createGuardedHttp } from '../../core/clients/guarded-http.ts';
import { migrate } from '../../core/db/migrate.ts';
import { openDatabase, type Database } from '../../core/db/pool.ts';
import { startServers, type Servers } from '../../local/servers/start-servers.ts';
import { createContext, type Context } from '../harness/context.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { startService, type Service } from '../harness/service.ts';
import { hook, sendMail, startEndpoint, until, type Endpoint } from '../harness/inbound-world.ts';

let folder: string;
let servers: Servers;
let context: Context;
let db: Database;
let account: Account;
let endpoint: Endpoint;
let inbound: Service;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-stores-'));
  servers = await startServers({ dataDir: folder, log: () => {}, env: { REDIS_URL: 'redis://127.0.0.1:1' } });
  await migrate(servers.databaseUrl);
  context = await createContext({ WORKER_LEASE_MS: '500', TEST_RETRY_SCALE: '0.01', LOG_LEVEL: 'warn' });
  const env = { ...context.env, DATABASE_URL: servers.databaseUrl, NATS_URL: servers.natsUrl };
  db = openDatabase({ ...context.config, DATABASE_URL: servers.databaseUrl }, context.log);
  account = await makeAccount(db);
  let n = 0;
  endpoint = await startEndpoint(() => ({ status: ++n % 7 === 0 ? 503 : 200 }));
  const http = createGuardedHttp(context.config);
  await hook({ context: { ...context, db }, http } as never, account, endpoint.url);
  await http.close();
  inbound = await startService('inbound', env);
});

afterAll(async () => {
  await inbound?.kill();
  await endpoint?.close();
  await db?.close();
  await servers?.stop();
  await context?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Sends until 250, as a mail server does; notes the id then. */
async function sendSurely(id: string, accepted: Set<string>): Promise<void> {
  const port = Number(inbound.env['INBOUND_SMTP_PORT']);
  const data = `From: a@b.test\r\nSubject: ${id}\r\n\r\n${id}\r\n`;
  await until(async () => {
    const reply = await sendMail(port, { to: `bob@${account.domain}`, data });
    if (!reply.startsWith('250')) expect(reply).toMatch(/^451|^421|closed/);
    return reply.startsWith('250');
  });
  accepted.add(id);
}

async function up(): Promise<void> {
  await until(async () => {
    const client = new pg.Client({ connectionString: servers.databaseUrl });
    client.on('error', () => {});
    return client
      .connect()
      .then(() => client.query('select 1'))
      .then(() => true)
      .catch(() => false)
      .finally(() => void client.end().catch(() => {}));
  });
}

test('what was answered with 250 is stored and delivered, whatever store dies', async () => {
  const accepted = new Set<string>();
  let sending = true;
  const senders = Array.from({ length: 4 }, async () => {
    while (sending) await sendSurely(newUuid(), accepted);
  });
  const more = async (count: number) => {
    const goal = accepted.size + count;
    await until(() => accepted.size >= goal);
  };
  await more(30);
  process.kill(servers.pids()['nats']!, 'SIGKILL');
  rmSync(join(folder, 'nats'), { recursive: true, force: true });
  await more(30);
  for (let round = 0; round < 2; round++) {
    process.kill(servers.pids()['postgres']!, 'SIGKILL');
    await up();
    await more(20);
  }
  sending = false;
  await Promise.all(senders);

  const { rows: stored } = await db.pool.query<{ id: string; subject: string }>(
    `select m.id, (select convert_from(bytes, 'latin1') from inbound_chunks c where c.raw_id = m.raw_id) as subject
     from inbound_messages m where m.tenant_id = $1`,
    [account.tenantId],
  );
  const subjects = new Set(stored.map((row) => /Subject: (\S+)/.exec(row.subject)![1]));
  for (const id of accepted) expect(subjects).toContain(id);

  await until(async () => {
    const { rows } = await db.pool.query<{ n: number }>(
      "select count(*)::int as n from webhook_deliveries where tenant_id = $1 and state <> 'accepted'",
      [account.tenantId],
    );
    return rows[0]!.n === 0;
  });
  const { rows: deliveries } = await db.pool.query<{ message_id: string; attempts: number; made: number }>(
    `select d.message_id, d.attempts,
       (select count(*)::int from webhook_attempts a where a.delivery_id = d.id) as made
     from webhook_deliveries d where d.tenant_id = $1`,
    [account.tenantId],
  );
  expect(new Set(deliveries.map((row) => row.message_id))).toEqual(new Set(stored.map((row) => row.id)));
  for (const row of deliveries) expect(row.attempts).toBe(row.made);
  const bodies = new Set(endpoint.hits.map((hit) => /Subject: (\S+)/.exec(hit.body.toString())![1]));
  for (const id of accepted) expect(bodies).toContain(id);
  const { rows: early } = await db.pool.query(
    `select a.delivery_id from webhook_attempts a join webhook_attempts b
       on b.delivery_id = a.delivery_id and b.attempt = a.attempt + 1
     where b.started_at < a.ended_at + least(30.0 * power(4, a.attempt - 1), 600) * 0.01 * interval '1 second'`,
  );
  expect(early).toEqual([]);
  console.log(
    `${accepted.size} messages answered with 250, ${stored.length} stored, ${endpoint.hits.length} requests`,
  );
}, 240_000);
