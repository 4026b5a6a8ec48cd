// Rolling restarts: two of each service, one of each at a time stopped and started again, under steady traffic of every
// kind. A client that repeats refused connections, and does what its protocol says after 421, GOAWAY or the end of a
// stream, sees no error at all, and what was accepted is delivered once.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { percentile } from '../../bench/campaign-load.ts';
import { createKey } from '../../core/key/keys.ts';
import { createUser } from '../../core/people/users.ts';
import { TESTER } from '../harness/actor.ts';
import { writeTestCertificate } from '../harness/certificate-files.ts';
import type { Account } from '../harness/factories.ts';
import { longForm } from '../harness/form.ts';
import {
  balance,
  type Balancer,
  intoInbound,
  keepFollowing,
  keepMailing,
  keepSending,
  keepStreaming,
  keepWatching,
  signIn,
  takesTraffic,
  throughSubmission,
  type ClientWorld,
} from '../harness/rolling-clients.ts';
import { startService, type Service } from '../harness/service.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { isOnCitus } from '../harness/test-database.ts';
import { waitUntil } from '../harness/wait.ts';

const RESTARTS = longForm(12, 200);
// Two cores that have the three servers of Citus too hold some 30 a second while processes start, 20 of them by the stream.
const REST_PER_SECOND = isOnCitus() ? 10 : longForm(40, 100);
// As shipped where it is measured; shorter in `npm test`, whose balancer learns of it within tenths of a second.
const STOP_DELAY = longForm('1', '5');
const TENANTS = 4;
const KEYS_EACH = 7; // 600 requests a minute each: more than is sent
const KINDS = ['sender', 'api', 'inbound', 'scheduler'] as const;
const START_LIMIT_MS = 180_000; // four processes at once on a busy machine; three seconds otherwise
const API_MB = 200; // ten seconds after the traffic, when V8 has looked at an idle process
const MOST_P99_MS = longForm(5_000, 1_000); // of a send; two cores start four processes meanwhile
const DRAINED_MS = 12_000; // with nothing slow in flight; some of it is STOP_DELAY_SECONDS, the rest a busy machine

type Kind = (typeof KINDS)[number];

let stack: Stack;
const services: Record<Kind, Service[]> = { sender: [], api: [], inbound: [], scheduler: [] };
const failures: string[] = [];

beforeAll(async () => {
  stack = await createStack({ senders: 0, env: { STOP_DELAY_SECONDS: STOP_DELAY, LOG_LEVEL: 'warn' } });
  const { context } = stack;
  services.sender = await Promise.all([stack.addSender(), stack.addSender()]);
  const env = {
    ...context.env,
    ...writeTestCertificate(),
    TRUSTED_PROXIES: '127.0.0.1', // the clients come through a balancer, each from an address of its own
    SENDER_ADDRESSES: stack.senderAddresses().join(','),
  };
  for (const kind of KINDS.slice(1))
    services[kind] = await Promise.all([startService(kind, env), startService(kind, env)]);
});
afterAll(async () => {
  await Promise.all(KINDS.flatMap((kind) => services[kind].map((one) => one.kill())));
  await stack.close();
});

test(
  `${RESTARTS} restarts: no request fails, and nothing is lost or sent twice`,
  { timeout: (RESTARTS * 60 + 180) * 1_000 },
  async () => {
    const { context, sink } = stack;
    const accounts = await Promise.all(
      Array.from({ length: TENANTS }, () => stack.makeAccount({ tier: 10 })),
    );
    const [first] = accounts as [Account, ...Account[]];
    const keys = (await Promise.all(accounts.map((one) => makeKeys(one, KEYS_EACH)))).flat();
    const [mailKey] = await makeKeys(first, 1);
    const followed: string[] = [];
    const [over, readersOver] = [new AbortController(), new AbortController()];
    const waits: number[] = [];
    const sending: ClientWorld = { context, over: over.signal, failures, waits };
    const reading: ClientWorld = { context, over: readersOver.signal, failures, waits };
    const [apis, senders, inbounds] = (['api', 'sender', 'inbound'] as const).map((kind) =>
      balance(services[kind], readersOver.signal),
    ) as [Balancer, Balancer, Balancer];
    const token = await signIn(apis, await makePerson(first));
    const clients = [
      keepSending(sending, apis, keys, REST_PER_SECOND),
      keepStreaming(sending, senders, first),
      keepMailing(sending, throughSubmission(apis, mailKey!)),
    ];
    const mailing = keepMailing(sending, intoInbound(inbounds, `bob@${first.domain}`));
    const readers = [
      keepFollowing(reading, apis, keys[0]!.key, followed),
      keepWatching(reading, apis, token),
    ];
    const stops: number[] = [];
    for (let n = 0; n < RESTARTS; n += KINDS.length)
      stops.push(...(await Promise.all(KINDS.map((kind) => restart(kind, (n / KINDS.length) % 2)))));
    over.abort();
    const accepted = (await Promise.all(clients)).flatMap((some) => [...some]);
    const mailed = (await mailing).length;
    const own = accepted.filter((to) => to.startsWith(first.domain));
    await waitUntil(() => sink.messages.length >= accepted.length && followed.length >= own.length, {
      what: () =>
        `${accepted.length} messages (${sink.messages.length} came), ${own.length} events (${followed.length})`,
    });
    readersOver.abort();
    await Promise.all(readers);

    const took = Math.max(...stops).toFixed(0);
    const p99 = percentile(waits, 99);
    console.log(
      `${accepted.length} sends (p99 ${p99} ms), ${mailed} mails, ${RESTARTS} restarts, slowest stop ${took} ms`,
    );
    expect(failures).toEqual([]);
    expect(sink.messages.map(({ rcptTo }) => rcptTo).toSorted()).toEqual(accepted.toSorted());
    expect(followed.toSorted()).toEqual(own.toSorted());
    const { rows } = await context.db.pool.query('select count(*)::int as n from inbound_messages');
    expect(rows).toEqual([{ n: mailed }]);
    expect(Math.max(...stops)).toBeLessThan(DRAINED_MS);
    expect(p99, 'ms of a send').toBeLessThan(MOST_P99_MS);
    await waitUntil(() => services.api.every((one) => residentMb(one) < API_MB), {
      what: () => `an api to have less than ${API_MB} MB: ${services.api.map(residentMb).join(', ')}`,
    });
  },
);

/** What a process has in memory, with what it shares with others. */
function residentMb({ pid }: Service): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024);
}

/** Stops and starts one, and says how long the stop took. */
async function restart(kind: Kind, which: number): Promise<number> {
  const old = services[kind][which]!;
  const startedAt = performance.now();
  await old.stop().catch((error: Error) => failures.push(error.message));
  const tookMs = performance.now() - startedAt;
  const fresh = await startService(kind, old.env, { until: 'listening' });
  services[kind][which] = fresh; // at once, so that it is killed when the test fails
  let said = '';
  await waitUntil(() => takesTraffic(fresh, (text) => (said = text)), {
    limitMs: START_LIMIT_MS,
    what: () => `${kind} to take traffic (${said}):\n${fresh.output()}`,
  });
  return tookMs;
}

async function makeKeys(
  { tenantId, domain }: Account,
  count: number,
): Promise<{ key: string; domain: string }[]> {
  const input = { tenantId, name: 'restart', scopes: ['transactional:send', 'events:read'] };
  const keys = Array.from({ length: count }, () => createKey(stack.context, TESTER, input));
  return (await Promise.all(keys)).map(({ value }) => ({ key: value, domain }));
}

async function makePerson({ tenantId, domain }: Account): Promise<{ email: string; password: string }> {
  const email = `p@${domain}`;
  const { password } = await createUser(stack.context, TESTER, { tenantId, email, role: 'owner' });
  return { email, password };
}
