// Senders that DNS knows: one that comes up gets calls, one that goes is let go, without a restart of who calls them; mail of
// one domain goes to one of them while it is well.

import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { createLogger } from '../../core/base/log.ts';
import { openSender, type SenderClient } from '../../core/clients/sender.ts';
import { SendRequest } from '../../core/gen/sender/v1/sender.ts';
import { freePort } from '../../local/servers/free-port.ts';
import { accepted } from '../harness/accepted.ts';
import { startDnsPeer, type DnsPeer } from '../harness/dns-peer.ts';
import type { Account } from '../harness/factories.ts';
import { makeHostAuthority } from '../harness/host-authority.ts';
import type { Service } from '../harness/service.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { waitUntil } from '../harness/wait.ts';

const DOMAINS = 24;
const NAME = 'sender.postrider.test';
const SRV = `_grpc._tcp.${NAME}`;

let stack: Stack;
let names: DnsPeer;
let port: string;
const accounts: Account[] = [];
const open: SenderClient[] = [];
const folder = mkdtempSync(join(tmpdir(), 'postrider-names-'));

beforeAll(async () => {
  stack = await createStack({ senders: 0 });
  names = await startDnsPeer({});
  port = String(await freePort());
  for (let i = 0; i < DOMAINS; i++) accounts.push(await stack.makeAccount({ tier: 5 }));
}, 240_000);

afterAll(async () => {
  for (const one of open) one.close();
  await names?.close();
  await stack?.close();
  rmSync(folder, { recursive: true, force: true });
});

// All on one port, as behind a headless service.
const startAt = (host: string, env: Record<string, string> = {}) =>
  stack.addSender({ BIND_ADDRESS: host, SENDER_GRPC_PORT: port, ...env });

function openClient(address: string, env: Partial<typeof stack.context.config> = {}) {
  const file = join(folder, `${open.length}.log`);
  const log = createLogger({ LOG_LEVEL: 'info' }, 'test', openSync(file, 'w'));
  const client = openSender({ ...stack.context.config, ...env, SENDER_ADDRESSES: [address] }, log);
  open.push(client);
  const lines = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { level: string; what?: string; added?: string[]; gone?: string[] });
  return { client, lines };
}

async function send(client: SenderClient, { tenantId, domain }: Account): Promise<void> {
  const { outcome } = await client.send(
    SendRequest.fromPartial({
      tenantId: toId('tnt', tenantId),
      messageId: toId('msg', newUuid()),
      message: { from: `Shop <a@${domain}>`, to: ['r@sink.test'], subject: 'Named', text: 'x' },
    }),
  );
  expect(outcome).toMatchObject({ $case: 'sent' });
}

/**
 * How many each of them answers of so many messages that `work` sends. On a busy machine one is silent for 0.4 s now and then,
 * and another gets the same message too: then once more.
 */
async function sharesOf(senders: Service[], work: () => Promise<unknown>, sent = DOMAINS): Promise<number[]> {
  let shares: number[] = [];
  await waitUntil(
    async () => {
      const before = await Promise.all(senders.map(accepted));
      await work();
      const after = await Promise.all(senders.map(accepted));
      shares = after.map((sum, n) => sum - before[n]!);
      return shares.reduce((sum, one) => sum + one, 0) === sent;
    },
    { what: () => `${sent} messages to be answered once each, not ${shares.join(' and ')}` },
  );
  return shares;
}

const once = (client: SenderClient) => () => Promise.all(accounts.map((one) => send(client, one)));

test('a sender that comes up gets calls, mail of one domain goes to one, and one that goes is let go', async () => {
  const [one, two] = [await startAt('127.0.0.11'), await startAt('127.0.0.12')];
  names.zone[NAME] = { a: ['127.0.0.11'] };
  const { client, lines } = openClient(`dns://${names.address}/${NAME}:${port}`);
  expect(await sharesOf([one, two], once(client))).toEqual([DOMAINS, 0]);

  names.zone[NAME] = { a: ['127.0.0.11', '127.0.0.12'] };
  const found = (address: string, what: 'added' | 'gone') => () =>
    lines().some((line) => line[what]?.includes(`${address}:${port}`) === true);
  await waitUntil(found('127.0.0.12', 'added'));
  const shares = await sharesOf([one, two], once(client));
  expect(Math.min(...shares)).toBeGreaterThan(2); // one of 200,000 hashings has less
  expect(await sharesOf([one, two], once(client))).toEqual(shares);
  expect(
    await sharesOf([one, two], once(openClient(`dns://${names.address}/${NAME}:${port}`).client)),
  ).toEqual(
    shares, // another api finds the same
  );
  const own = accounts[0]!;
  const twenty = () => Promise.all(Array.from({ length: 20 }, () => send(client, own)));
  expect((await sharesOf([one, two], twenty, 20)).toSorted((a, b) => a - b)).toEqual([0, 20]);

  process.kill(two.pid, 'SIGSTOP');
  expect(await sharesOf([one], once(client))).toEqual([DOMAINS]); // frozen: passed over
  process.kill(two.pid, 'SIGCONT');

  names.zone[NAME] = { a: ['127.0.0.12'] };
  await waitUntil(found('127.0.0.11', 'gone'));
  expect(await sharesOf([one, two], once(client))).toEqual([0, DOMAINS]);

  names.zone[NAME] = { fail: true }; // away, and empty: who is known stays
  await waitUntil(() =>
    lines().some(({ what }) => what === `finding the senders of dns://${names.address}/${NAME}:${port}`),
  );
  names.zone[NAME] = {};
  const asked = names.questions.length;
  await waitUntil(() => names.questions.length > asked + 3);
  expect(await sharesOf([two], once(client))).toEqual([DOMAINS]);

  // It comes back somewhere else, as a pod does: found as soon as its connection breaks.
  await two.kill();
  const three = await startAt('127.0.0.13');
  names.zone[NAME] = { a: ['127.0.0.13'] };
  await waitUntil(found('127.0.0.13', 'added'));
  expect(await sharesOf([three], once(client))).toEqual([DOMAINS]);
  await Promise.all([one.kill(), three.kill()]);
});

test('SRV records name hosts and ports; certificates must have the name of the service', async () => {
  const authority = await makeHostAuthority();
  const filesOf = async (name: string) => {
    const { cert, key } = await authority.sign([name]);
    const file = (kind: string, text: string) => {
      const path = join(folder, `${name}.${kind}`);
      writeFileSync(path, text);
      return path;
    };
    return {
      GRPC_CERT_FILE: file('crt', cert),
      GRPC_KEY_FILE: file('key', key),
      GRPC_CA_FILE: file('ca', authority.ca),
    };
  };
  const [right, wrong] = [await filesOf(NAME), await filesOf('other.test')];
  const [good, bad] = [await stack.addSender(right), await stack.addSender(wrong)];
  const [one, two] = [good, bad].map(({ env }) => Number(env['SENDER_GRPC_PORT']));
  for (const host of ['one.example', 'two.invalid']) names.zone[host] = { a: ['127.0.0.1'] };
  names.zone[SRV] = {
    srv: [
      [one!, 'one.example'],
      [two!, 'two.invalid'],
    ],
  };
  const { client } = openClient(`srv://${names.address}/${SRV}`, right);
  expect(await sharesOf([good, bad], once(client))).toEqual([DOMAINS, 0]);
  await Promise.all([good.kill(), bad.kill()]);
});

test('a name without addresses at the start: nobody waits long, and who comes later is found', async () => {
  delete names.zone[NAME];
  const { client, lines } = openClient(`dns://${names.address}/${NAME}:${port}`);
  await expect(send(client, accounts[0]!)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await client.ready()).toBe(false);
  expect(lines().filter(({ level }) => level === 'warn')).toHaveLength(1);
  const late = await startAt('127.0.0.14');
  names.zone[NAME] = { a: ['127.0.0.14'] };
  await waitUntil(() => client.ready());
  expect(await sharesOf([late], once(client))).toEqual([DOMAINS]);
});
