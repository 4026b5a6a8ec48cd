// Pebble: the ACME server that Let's Encrypt gives to those who test clients, on loopback, with an authority of its own.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../../local/servers/free-port.ts';
import { findGoProgram, GoProgramMissing, type GoProgram } from '../../local/servers/go-program.ts';
import { call } from './api-world.ts';
import { makeHostAuthority } from './host-authority.ts';
import { waitUntil } from './wait.ts';

const PEBBLE: GoProgram = {
  name: 'pebble',
  module: 'github.com/letsencrypt/pebble/v2/cmd/pebble@v2.10.1',
  hint: "the package pebble (Debian's 2.4.0 will do)",
};

/** A directory that can be stopped, and started again at the same place with nothing of what it knew. */
export interface Pebble {
  directoryUrl: string;
  /** The file (PEM) of the authority that signed the directory's own certificate, as NODE_EXTRA_CA_CERTS wants it. */
  caFile: string;
  /** The authority (PEM) under which it signs for others now. */
  root(): Promise<string>;
  /** How many certificates it has signed since the first start. */
  issued(): number;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** While it is stopped: every request there gets this problem (RFC 7807). The function that comes back ends that. */
  refuse(status: number, type: string): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** The path of Pebble, or why there is none. */
export async function findPebble(): Promise<{ path: string } | { missing: string }> {
  try {
    return { path: await findGoProgram(PEBBLE, (line) => console.warn(line)) };
  } catch (error) {
    if (error instanceof GoProgramMissing) return { missing: error.message };
    throw error;
  }
}

/** Sets a directory up, not started yet. It asks for challenges at `httpPort`, and DNS at `dnsServer`. */
export async function createPebble(
  path: string,
  { httpPort, dnsServer }: { httpPort: number; dnsServer: string },
): Promise<Pebble> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-pebble-'));
  const [port, management] = [await freePort(), await freePort()];
  const authority = await makeHostAuthority();
  const own = await authority.sign(['localhost', '127.0.0.1']);
  const file = (name: string) => join(folder, name);
  await writeFile(file('ca.pem'), authority.ca);
  await writeFile(file('cert.pem'), own.cert);
  await writeFile(file('key.pem'), own.key);
  const settings = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: file('cert.pem'),
    privateKey: file('key.pem'),
    httpPort,
    tlsPort: 1, // nobody: only HTTP-01 is answered
    ocspResponderURL: '',
  };
  await writeFile(file('config.json'), JSON.stringify({ pebble: settings }));
  const root = async () => (await call(management, 'GET', '/roots/0', {})).text;
  let output = '';
  let running: ChildProcess | null = null;
  const end = async () => {
    if (running === null || running.exitCode !== null) return;
    running.kill('SIGKILL');
    await once(running, 'exit');
  };
  process.on('exit', () => running?.kill('SIGKILL'));
  return {
    directoryUrl: `https://localhost:${port}/dir`,
    caFile: file('ca.pem'),
    root,
    issued: () => output.match(/Issued certificate serial/g)?.length ?? 0,
    async start() {
      const args = ['-config', file('config.json'), '-dnsserver', dnsServer, '-strict'];
      const child = spawn(path, args, { cwd: folder, env: { PEBBLE_VA_NOSLEEP: '1' } });
      running = child;
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
      await waitUntil(async () => (await root().catch(() => '')).includes('BEGIN CERTIFICATE'), {
        what: () => `Pebble:\n${output}`,
      });
    },
    stop: end,
    async refuse(status, type) {
      const server = createServer(own, (_, response) => {
        response.writeHead(status, { 'content-type': 'application/problem+json' });
        response.end(JSON.stringify({ type: `urn:ietf:params:acme:error:${type}`, detail: 'Not now' }));
      });
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return async () => {
        server.close();
        server.closeAllConnections();
        await once(server, 'close');
      };
    },
    async close() {
      await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
