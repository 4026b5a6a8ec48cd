// Mail for an owned domain reaches the customer's webhook: signed, as often as needed and no oftener, and one tenant's
// trouble stays with that tenant.

import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import { listDeadLetters } from '../../core/webhook/dead-letter-store.ts';
import { replayAllDeadLetters, replayDeadLetter } from '../../core/webhook/dead-letters.ts';
import { TESTER } from '../harness/actor.ts';
import {
  hook,
  makeAccount,
  openWorld,
  sendMail,
  startEndpoint,
  until,
  type Answer,
  type Endpoint,
  type Hit,
  type InboundWorld,
} from '../harness/inbound-world.ts';
import type { Account } from '../harness/factories.ts';

let world: InboundWorld;
const endpoints: Endpoint[] = [];

// The gaps of 30 s, 2 min, 10 min, 1 h, 6 h and 24 h become 30, 120, 600 ms, 3.6, 21.6 and 86.4 s.
const SCALE = 0.001;

beforeAll(async () => {
  world = await openWorld({ TEST_RETRY_SCALE: String(SCALE) });
});
afterAll(async () => {
  await Promise.all(endpoints.map((one) => one.close()));
  await world.close();
});

const DATA = 'From: ann@sender.test\r\nTo: undisclosed:;\r\nSubject: Hi\r\n\r\nBody\r\n.dot\r\n';

/** An account with a webhook that answers so. */
async function hooked(
  answer: (n: number, hit: Hit) => Answer,
): Promise<{ account: Account; endpoint: Endpoint; secret: string; to: string }> {
  const account = await makeAccount(world.context.db);
  const endpoint = await startEndpoint(answer);
  endpoints.push(endpoint);
  const secret = await hook(world, account, endpoint.url);
  return { account, endpoint, secret, to: `bob@${account.domain}` };
}

interface Row {
  id: string;
  state: string;
  attempts: number;
  last_status_code: number | null;
  last_error: string | null;
  next_attempt_at: Date | null;
}

async function delivery(account: Account): Promise<Row> {
  const { rows } = await world.context.db.pool.query<Row>(
    'select * from webhook_deliveries where tenant_id = $1',
    [account.tenantId],
  );
  expect(rows).toHaveLength(1);
  return rows[0]!;
}
const settled = (account: Account, state: string) =>
  until(async () => {
    const row = await delivery(account);
    return row.state === state ? row : null;
  });
const attempts = async (account: Account) =>
  (
    await world.context.db.pool.query(
      'select attempt, status_code, started_at, ended_at from webhook_attempts where tenant_id = $1 order by started_at',
      [account.tenantId],
    )
  ).rows;

const AUTH = /^spf=[a-z]+; dkim=none; dmarc=[a-z]+$/;
const messageId = async (account: Account): Promise<string> =>
  (
    await world.context.db.pool.query('select id from inbound_messages where tenant_id = $1', [
      account.tenantId,
    ])
  ).rows[0].id;

test('a message is posted once, byte for byte, with headers and signature', async () => {
  const { account, endpoint, secret, to } = await hooked(() => ({ status: 204 }));
  expect(await sendMail(world.port, { to, data: DATA })).toMatch(/^250/);
  await settled(account, 'accepted');
  expect(endpoint.hits).toHaveLength(1);
  const { headers, body } = endpoint.hits[0]!;
  expect(body.toString('latin1')).toBe(DATA);
  const { id } = await delivery(account);
  expect(headers).toMatchObject({
    'content-type': 'message/rfc822',
    'x-svc-inbound-sig': `hmac-sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    'x-svc-inbound-tenant': toId('tnt', account.tenantId),
    'x-svc-inbound-recipient': to,
    'x-svc-inbound-delivery': toId('dlv', id),
    'x-svc-inbound-attempt': '1',
    'x-svc-inbound-message': toId('inm', await messageId(account)),
    'x-svc-inbound-from': 'ann@sender.test',
    'x-svc-inbound-peer': '127.0.0.1',
    'x-svc-inbound-auth': expect.stringMatching(AUTH),
    'content-length': String(body.length),
  });
});

test('the null sender is <>, a quoted one keeps its marks, and one above ASCII goes as UTF-8 octets', async () => {
  const { endpoint, to } = await hooked(() => ({ status: 204 }));
  const senders = ['', '"ann lee"@sender.test', 'jürgen@sender.test'];
  for (const from of senders) {
    const wire = Buffer.from(from, 'utf8').toString('latin1');
    expect(await sendMail(world.port, { from: wire, utf8: true, to, data: DATA })).toMatch(/^250/);
  }
  await until(() => endpoint.hits.length === 3);
  const given = endpoint.hits.map(({ headers }) => String(headers['x-svc-inbound-from']));
  const read = given.map((header) => Buffer.from(header, 'latin1').toString('utf8'));
  expect(new Set(read)).toEqual(new Set(['<>', '"ann lee"@sender.test', 'jürgen@sender.test']));
});

test('mail that cannot be read in time is delivered all the same, and says that nobody checked it', async () => {
  const { account, endpoint, to } = await hooked(() => ({ status: 204 }));
  const client = await world.context.db.pool.connect();
  await client.query('begin');
  await client.query('lock table inbound_contents in exclusive mode');
  await sendMail(world.port, { to, data: DATA });
  await until(() => endpoint.hits.length === 1, { limitMs: 60_000 });
  await client.query('rollback');
  client.release();
  expect(endpoint.hits[0]!.headers['x-svc-inbound-auth']).toBe(
    'spf=temperror; dkim=temperror; dmarc=temperror',
  );
  await settled(account, 'accepted');
});

test('each recipient has its own delivery, also over two tenants', async () => {
  const one = await hooked(() => ({ status: 200 }));
  const two = await hooked(() => ({ status: 200 }));
  const big = `${DATA}${'x'.repeat(70)}\r\n`.repeat(8_000);
  const to = [one.to, `eve@${one.account.domain}`, two.to];
  expect(await sendMail(world.port, { to, data: big })).toMatch(/^250/);
  await until(() => one.endpoint.hits.length === 2 && two.endpoint.hits.length === 1);
  const recipients = [...one.endpoint.hits, ...two.endpoint.hits].map(
    (hit) => hit.headers['x-svc-inbound-recipient'],
  );
  expect(new Set(recipients)).toEqual(new Set(to));
  for (const hit of [...one.endpoint.hits, ...two.endpoint.hits]) {
    expect(hit.body.toString('latin1') === big).toBe(true);
  }
});

test('5xx, redirects and silence are tried again, later and later, never early', async () => {
  const { account, endpoint, to } = await hooked((n) =>
    n === 1
      ? { status: 503 }
      : n === 2
        ? { status: 302, headers: { location: 'http://127.0.0.1:1/' } }
        : n === 3
          ? { status: 500 }
          : { status: 200 },
  );
  await sendMail(world.port, { to, data: DATA });
  const row = await settled(account, 'accepted');
  expect(row.attempts).toBe(4);
  const made = await attempts(account);
  expect(made.map((one) => one.attempt)).toEqual([1, 2, 3, 4]);
  expect(made.map((one) => one.status_code)).toEqual([503, 302, 500, 200]);
  expect(endpoint.hits.map((hit) => hit.headers['x-svc-inbound-attempt'])).toEqual(['1', '2', '3', '4']);
  expect(new Set(endpoint.hits.map((hit) => hit.headers['x-svc-inbound-delivery'])).size).toBe(1);
  const gaps = made.slice(1).map((one, i) => one.started_at.getTime() - made[i].ended_at.getTime());
  [30, 120, 600].forEach((gap, i) => expect(gaps[i]).toBeGreaterThanOrEqual(gap));
});

test('4xx is dead at once; the dead letter can be replayed, one or all, and starts at attempt 1', async () => {
  let status = 410;
  const { account, endpoint, to } = await hooked(() => ({ status, body: 'gone <away>' }));
  await sendMail(world.port, { to, data: DATA });
  const dead = await settled(account, 'dead');
  expect(dead).toMatchObject({ attempts: 1, last_status_code: 410, next_attempt_at: null });
  const { pool } = world.context.db;
  const [letter] = await listDeadLetters(pool, account.tenantId, { limit: 10 });
  expect(letter).toMatchObject({ id: dead.id, recipient: to, attempts: 1, lastStatusCode: 410 });
  expect(letter?.lastError).toContain('gone <away>');

  const stranger = await makeAccount(world.context.db);
  await expect(replayDeadLetter(world.context, TESTER, stranger.tenantId, dead.id)).rejects.toMatchObject({
    code: 'not_found',
  });
  await replayDeadLetter(world.context, TESTER, account.tenantId, dead.id);
  expect(await listDeadLetters(pool, account.tenantId, { limit: 10 })).toHaveLength(0);
  await until(() => endpoint.hits.length === 2);
  await settled(account, 'dead');
  status = 200;
  expect(await replayAllDeadLetters(world.context, TESTER, account.tenantId)).toBe(1);
  await settled(account, 'accepted');
  expect(endpoint.hits.map((hit) => hit.headers['x-svc-inbound-attempt'])).toEqual(['1', '1', '1']);
  expect(new Set(endpoint.hits.map((hit) => hit.headers['x-svc-inbound-delivery'])).size).toBe(1);
});

test('429 with Retry-After waits that long and uses up no attempt; without it, it counts', async () => {
  const { account, endpoint, to } = await hooked((n) =>
    n === 1 ? { status: 429, headers: { 'retry-after': '2' } } : n === 2 ? { status: 429 } : { status: 200 },
  );
  await sendMail(world.port, { to, data: DATA });
  const row = await settled(account, 'accepted');
  expect(row.attempts).toBe(2);
  expect(endpoint.hits.map((hit) => hit.headers['x-svc-inbound-attempt'])).toEqual(['1', '1', '2']);
  expect(endpoint.hits[1]!.at - endpoint.hits[0]!.at).toBeGreaterThanOrEqual(2000);
});

test('seven attempts, then a dead letter', async () => {
  const quick = await openWorld({ TEST_RETRY_SCALE: '0.0001' });
  try {
    const account = await makeAccount(quick.context.db);
    const endpoint = await startEndpoint(() => ({ status: 500 }));
    endpoints.push(endpoint);
    await hook(quick, account, endpoint.url);
    await sendMail(quick.port, { to: `bob@${account.domain}`, data: DATA });
    const [letter] = await until(async () => {
      const letters = await listDeadLetters(quick.context.db.pool, account.tenantId, { limit: 10 });
      return letters.length > 0 ? letters : null;
    });
    expect(letter).toMatchObject({ attempts: 7, lastStatusCode: 500 });
    expect(endpoint.hits).toHaveLength(7);
  } finally {
    await quick.close();
  }
});

test('an endpoint that never answers is given 10 s in all', async () => {
  const { account, to } = await hooked(() => 'hang');
  await sendMail(world.port, { to, data: DATA });
  await until(async () => (await attempts(account))[0]?.ended_at, { limitMs: 100_000 });
  const [first] = await attempts(account);
  const duration = first.ended_at.getTime() - first.started_at.getTime();
  expect(duration).toBeGreaterThanOrEqual(9_900);
  expect(duration).toBeLessThan(100_000);
  expect((await delivery(account)).last_error).toContain('no answer within 10 s');
});

test('an endless answer is read to 64 KiB only, and its status counts', async () => {
  const { account, to } = await hooked(() => ({ status: 200, body: 'x'.repeat(5_000_000) }));
  await sendMail(world.port, { to, data: DATA });
  await settled(account, 'accepted');
});

test('turned off means no requests; turned on again, what waited is brought', async () => {
  let up = false;
  const { account, endpoint, to } = await hooked(() => ({ status: up ? 200 : 500 }));
  await sendMail(world.port, { to, data: DATA });
  await until(() => endpoint.hits.length >= 1);
  const { pool } = world.context.db;
  await pool.query('update webhook_endpoints set enabled = false where tenant_id = $1', [account.tenantId]);
  await until(
    async () => ((await delivery(account)).next_attempt_at?.getTime() ?? Infinity) < Date.now() - 500,
  );
  up = true; // an attempt now would succeed, and be seen
  await sendMail(world.port, { to, data: DATA });
  expect((await delivery(account)).state).not.toBe('accepted');
  const { rows } = await pool.query(
    'select count(*)::int as n from webhook_deliveries where tenant_id = $1',
    [account.tenantId],
  );
  expect(rows[0].n).toBe(1);
  await pool.query('update webhook_endpoints set enabled = true where tenant_id = $1', [account.tenantId]);
  await settled(account, 'accepted');
});

test('a dead endpoint with 1,000 messages waiting slows nobody else', async () => {
  const dead = await hooked(() => 'hang');
  const others = await Promise.all(Array.from({ length: 5 }, () => hooked(() => ({ status: 200 }))));
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (let i = 0; i < 50; i++) await sendMail(world.port, { to: dead.to, data: DATA });
    }),
  );
  for (let i = 0; i < 20; i++) {
    for (const one of others) {
      const before = one.endpoint.hits.length;
      expect(await sendMail(world.port, { to: one.to, data: DATA })).toMatch(/^250/);
      await until(() => one.endpoint.hits.length > before);
    }
  }
  // The others were not behind the dead one: nearly all of its messages still wait for a first answer.
  const { rows } = await world.context.db.pool.query(
    'select count(*)::int as n from webhook_deliveries where tenant_id = $1 and attempts = 0',
    [dead.account.tenantId],
  );
  expect(rows[0].n).toBeGreaterThan(500);
});
