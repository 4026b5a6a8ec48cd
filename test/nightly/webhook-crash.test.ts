// Messages sent over REST while api, sender and inbound are killed in turn and the receiver of their events is down half of
// the time: every event id arrives at least once, verified by the official libraries for Node and Python, and no attempt is
// early.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { sleep } from '../../core/base/clock.ts';
import { toId } from '../../core/base/ids.ts';
import { createGuardedHttp } from '../../core/clients/guarded-http.ts';
import { createKey } from '../../core/key/keys.ts';
import { newEndpoint } from '../../core/webhook/endpoint-input.ts';
import { createEndpoint } from '../../core/webhook/endpoints.ts';
import { pythonTools } from '../../sdk/python-tools.ts';
import { TESTER } from '../harness/actor.ts';
import { writeTestCertificate } from '../harness/certificate-files.ts';
import type { Account } from '../harness/factories.ts';
import { longForm } from '../harness/form.ts';
import { startEndpoint, until, type Endpoint } from '../harness/inbound-world.ts';
import { skips } from '../harness/needs.ts';
import { startService, type Service } from '../harness/service.ts';
import { createStack, type Stack } from '../harness/stack.ts';

const EVENTS = longForm(600, 20_000);
const TYPES = ['message.accepted', 'message.delivered']; // each message has one of each
const BATCH = 25; // messages of one request
const CLIENTS = 4;
const SCALE = 0.1; // gaps of 3, 12, 60 s, …: more than the 2 s that a failing endpoint rests, so that early ones are seen
// Of many events longer: one that fails rests for up to 2 s, and that is not all that a large run is to measure.
const FLAP_MS = Math.min(10_000, 2.5 * EVENTS);
const LIMIT = { limitMs: 1_800_000 };
// Inbound first: it counts the attempts of one that died as lost only after a whole lease, some 15 s.
const KILLED = ['inbound', 'api', 'sender'] as const;

const tools = pythonTools();
const tls = new Agent({ connect: { rejectUnauthorized: false } });
let stack: Stack;
let running: Record<(typeof KILLED)[number], Service>;
let receiver: Endpoint;

describe.skipIf(skips('missing' in tools ? tools.missing : null))('webhooks when everything dies', () => {
  beforeAll(async () => {
    const env = { WORKER_LEASE_MS: '500', TEST_RETRY_SCALE: String(SCALE), LOG_LEVEL: 'error' };
    stack = await createStack({ api: true, env });
    const inbound = await startService('inbound', { ...stack.context.env, ...writeTestCertificate() });
    running = { inbound, api: stack.api!, sender: stack.senders[0]! };
  });
  afterAll(async () => {
    await Promise.all(Object.values(running ?? {}).map((one) => one.kill()));
    await receiver?.close();
    await stack?.close();
    await tls.close();
  });

  test(`${EVENTS} events arrive`, async () => {
    const account = await stack.makeAccount({ tier: 10 });
    const python = startPython();
    const arrived = new Map<string, string>(); // event id → what happened to which message
    const flap = { isDown: false };
    let secret = '';
    let posts = 0;
    let unverified = 0;
    receiver = await startEndpoint((_n, { headers, body }) => {
      receiver.hits.length = 0; // 100,000 of them need no memory
      posts += 1;
      python.verify([secret, body.toString(), headers]);
      try {
        const event = new Webhook(secret).verify(body.toString(), headers as Record<string, string>);
        if (flap.isDown) return { status: 503 };
        const { type, data } = event as { type: string; data: { message_id: string } };
        arrived.set(String(headers['webhook-id']), `${type} ${data.message_id}`);
        return { status: 204 };
      } catch {
        unverified += 1;
        return { status: 503 };
      }
    });
    const input = newEndpoint.parse({ url: receiver.url, event_types: TYPES });
    const http = createGuardedHttp(stack.context.config);
    ({ secret } = await createEndpoint({ ...stack.context, http }, TESTER, account.tenantId, input));

    const flapping = setInterval(() => (flap.isDown = !flap.isDown), FLAP_MS);
    const most = EVENTS * 0.6;
    const killer = killInTurn(() => Math.min(arrived.size, most), most);
    const messages: string[] = [];
    let next = 0;
    const client = async () => {
      for (let n = next++; n * BATCH * TYPES.length < EVENTS; n = next++) {
        // Not all at once, so that whoever is killed has work.
        await until(() => messages.length * TYPES.length < arrived.size + EVENTS / 4, LIMIT);
        messages.push(...(await sendBatch(account, n)));
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    const kills = await killer;
    clearInterval(flapping);
    flap.isDown = false;
    const expected = messages.flatMap((id) => TYPES.map((type) => `${type} ${id}`));
    await until(() => arrived.size >= expected.length, LIMIT);
    await Promise.all(Object.values(running).map((one) => one.stop()));

    expect(unverified).toBe(0);
    expect(await python.end()).toBe(posts);
    expect([...arrived.values()].toSorted()).toEqual(expected.toSorted());
    const delivered = await select<{ id: string }>("select id from events where type = 'delivered'");
    const missing = delivered.filter(({ id }) => !arrived.has(toId('evt', id)));
    expect([delivered.length, missing]).toEqual([messages.length, []]);
    expect(await select(EARLY, [SCALE])).toEqual([]);
    console.log(`${arrived.size} events arrived in ${posts} posts; killed: ${JSON.stringify(kills)}`);
  }, 3_600_000);
});

const EARLY = `
  select a.delivery_id, a.attempt from webhook_attempts a join webhook_attempts b
    on b.delivery_id = a.delivery_id and b.attempt = a.attempt + 1
  where b.started_at < a.ended_at
    + (array[30, 120, 600, 3600, 21600, 86400])[a.attempt] * $1::float8 * interval '1 second'`;

async function select<T extends object>(query: string, values: unknown[] = []): Promise<T[]> {
  return (await stack.context.db.pool.query<T>(query, values)).rows;
}

/** Kills one after the other, each with new arrivals since the one before, and starts it as it was; once each at least. */
async function killInTurn(arrived: () => number, most: number): Promise<Record<string, number>> {
  const kills: Record<string, number> = {};
  const step = Math.min(500, EVENTS / 5);
  for (let n = 0; n < KILLED.length || arrived() < most; n++) {
    const name = KILLED[n % KILLED.length]!;
    const enough = Math.min(most, arrived() + step);
    await until(() => arrived() >= enough, LIMIT);
    await running[name].kill();
    running[name] = await startService(name, running[name].env);
    kills[name] = (kills[name] ?? 0) + 1;
  }
  return kills;
}

/** Sends the nth batch until it is answered, always under one Idempotency-Key; returns the ids of its messages. */
async function sendBatch({ tenantId, domain }: Account, n: number): Promise<string[]> {
  const scopes = ['transactional:send'];
  // One for each batch, because of the rate limit of a key.
  const { value } = await createKey(stack.context, TESTER, { tenantId, name: `batch ${n}`, scopes });
  const body = JSON.stringify({
    messages: Array.from({ length: BATCH }, (_, i) => ({
      from: `shop@${domain}`,
      to: `r${n}-${i}@sink.test`,
      subject: 'Crash',
      text: 'x',
    })),
  });
  const headers = {
    authorization: `Bearer ${value}`,
    'content-type': 'application/json',
    'idempotency-key': `batch-${n}`,
  };
  for (let tries = 1; ; tries++) {
    const url = `${stack.baseUrl}/transactional/batch`;
    const request = fetch(url, { method: 'POST', dispatcher: tls, headers, body });
    const answer = await request.then((one) => one.json()).catch(() => null); // the api is away
    const { data } = (answer ?? {}) as { data?: { items: { id: string }[] } };
    if (data) return data.items.map(({ id }) => id);
    await sleep(200 * tries); // tries count towards the rate limit
  }
}

/** PyPI's library in a process of its own; it ends at the first post that it does not believe. */
function startPython() {
  const script = join(import.meta.dirname, '../fixtures/verify-webhooks.py');
  const child = spawn(join('bin' in tools ? tools.bin : '', 'python'), [script]);
  const output = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  child.stdin.on('error', () => {}); // what it did not believe is in its output
  return {
    verify: (post: unknown) => child.stdin.write(`${JSON.stringify(post)}\n`),
    end: async () => {
      child.stdin.end();
      const [verified, trouble] = await output;
      return trouble === '' ? Number(verified) : trouble;
    },
  };
}
