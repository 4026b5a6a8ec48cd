// Certificates are replaced on disk while services run: new connections get the new one, and nothing is restarted.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openSender } from '../../core/clients/sender.ts';
import { ensureTls } from '../../local/tls.ts';
import { startGrpcServer } from '../../sender/grpc/server.ts';
import { createContext, type Context } from '../harness/context.ts';
import { startService, type Service } from '../harness/service.ts';
import { waitUntil } from '../harness/wait.ts';

const folder = mkdtempSync(join(tmpdir(), 'postrider-renewed-'));
const [first, second, third] = ['first', 'second', 'third'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
const used = join(folder, 'used');
const [certFile, keyFile, caFile] = ['localhost.pem', 'localhost.key', 'ca.pem'];
let context: Context;
let services: Service[] = [];

beforeAll(async () => {
  for (const one of [first, second, third]) await ensureTls(one);
  cpSync(first, used, { recursive: true });
  context = await createContext({ SENDER_ADDRESSES: '127.0.0.1:1', LOG_LEVEL: 'info' });
});

afterAll(async () => {
  await Promise.all(services.map((one) => one.kill()));
  await context.close();
  rmSync(folder, { recursive: true, force: true });
});

const fingerprint = (of: string) => new X509Certificate(readFileSync(join(of, certFile))).fingerprint256;

async function shown(port: number, startTls: boolean): Promise<string> {
  const socket = startTls ? await upgrade(connectPlain(port, '127.0.0.1')) : undefined;
  const secure: TLSSocket = connect({
    ...(socket ? { socket } : { port, host: '127.0.0.1' }),
    rejectUnauthorized: false,
  });
  await once(secure, 'secureConnect');
  const { fingerprint256 } = secure.getPeerCertificate();
  secure.destroy();
  return fingerprint256;
}

async function upgrade(socket: Socket): Promise<Socket> {
  for (const command of ['EHLO client.test', 'STARTTLS', null]) {
    let reply = '';
    while (!/^\d{3} .*\r\n$/m.test(reply)) reply += String((await once(socket, 'data'))[0]);
    if (command !== null) socket.write(`${command}\r\n`);
  }
  return socket;
}

test('HTTPS, submission and inbound show the new certificate, and keep it when a key does not fit', async () => {
  const env = {
    ...context.env,
    TLS_CERT_FILE: join(used, certFile),
    TLS_KEY_FILE: join(used, keyFile),
  };
  const [api, inbound] = await Promise.all([
    startService('api', env, { until: 'listening' }),
    startService('inbound', env),
  ]);
  services = [api, inbound];
  const doors = [
    [Number(api.env['API_HTTPS_PORT']), false],
    [Number(api.env['SUBMISSIONS_PORT']), false],
    [Number(api.env['SUBMISSION_PORT']), true],
    [Number(inbound.env['INBOUND_SMTP_PORT']), true],
  ] as const;
  const all = () => Promise.all(doors.map(([port, startTls]) => shown(port, startTls)));
  await waitUntil(() => /api is ready/.test(api.output()));
  expect(await all()).toEqual(doors.map(() => fingerprint(first)));

  cpSync(second, used, { recursive: true });
  await waitUntil(() => services.every((one) => /a new certificate is in use/.test(one.output())));
  expect(await all()).toEqual(doors.map(() => fingerprint(second)));

  writeFileSync(join(used, certFile), readFileSync(join(third, certFile)));
  await waitUntil(() => services.every((one) => /the one before stays/.test(one.output())));
  expect(await all()).toEqual(doors.map(() => fingerprint(second)));
});

test('gRPC with a CA: sender and client go over to a new authority by themselves', async () => {
  cpSync(first, used, { recursive: true });
  const [cert, key, ca] = [certFile, keyFile, caFile].map((name) => join(used, name)) as [
    string,
    string,
    string,
  ];
  const files = { GRPC_CERT_FILE: cert, GRPC_KEY_FILE: key, GRPC_CA_FILE: ca };
  const config = { ...context.config, ...files };
  const server = await startGrpcServer(config, () => ({}) as never);
  const open = (of: string) =>
    openSender(
      {
        ...config,
        GRPC_CERT_FILE: join(of, certFile),
        GRPC_KEY_FILE: join(of, keyFile),
        GRPC_CA_FILE: join(of, caFile),
        SENDER_ADDRESSES: [`localhost:${server.port}`],
      },
      context.log,
    );
  const [watching, before, after] = [open(used), open(first), open(second)];
  expect([await watching.ready(), await before.ready(), await after.ready()]).toEqual([true, true, false]);
  cpSync(second, used, { recursive: true });
  await waitUntil(() => after.ready());
  const late = open(first);
  expect(await late.ready()).toBe(false);
  expect(await watching.ready()).toBe(true);
  for (const one of [watching, before, after, late]) one.close();
  await server.stop();
});
