// The code that the dashboard gives for the first API call is run as it is copied, in each language that is installed here.

import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { firstCallCode } from '../../dashboard/src/pages/overview/first-call-code.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { makeHostAuthority } from '../harness/host-authority.ts';

// An address may hold what is special in each of these languages.
const TO = "o'brien+`id`$HOME#{x}!%s/?&|~@simulator.test";

let world: ApiWorld;
let folder: string;
let front: Server; // with a certificate that programs can check, as a public api has one
beforeAll(async () => {
  world = await createApiWorld();
  folder = mkdtempSync(join(tmpdir(), 'first-call-'));
  const authority = await makeHostAuthority();
  writeFileSync(join(folder, 'ca.pem'), authority.ca);
  front = createServer(await authority.sign(['localhost']), (incoming, answer) => {
    const { method, url: path, headers } = incoming;
    const behind = { host: '127.0.0.1', port: world.port, method, path, headers, rejectUnauthorized: false };
    incoming.pipe(
      request(behind, (response) => {
        answer.writeHead(response.statusCode!, response.headers);
        response.pipe(answer);
      }),
    );
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  front.closeAllConnections();
  front.close();
  await world.close();
});

const RUN: Record<string, { program: string; file: string; args: (file: string, ca: string) => string[] }> = {
  curl: { program: 'curl', file: 'send.sh', args: (file) => [file] },
  node: { program: process.execPath, file: 'send.mjs', args: (file) => [file] },
  python: { program: 'python3', file: 'send.py', args: (file) => [file] },
  go: { program: 'go', file: 'send.go', args: (file) => ['run', file] },
  php: { program: 'php', file: 'send.php', args: (file, ca) => ['-d', `openssl.cafile=${ca}`, file] },
  ruby: { program: 'ruby', file: 'send.rb', args: (file) => [file] },
};

test.each(Object.keys(RUN))('%s', { timeout: 120_000 }, async (id) => {
  const { program, file, args } = RUN[id]!;
  if (!isInstalled(program)) {
    console.warn(`skipped: ${program} is not installed`);
    return;
  }
  const { key } = await world.makeKey();
  const { port } = front.address() as AddressInfo;
  const call = { base: `https://localhost:${port}/api/v1`, key, from: 'hello@example.com', to: TO };
  const code = firstCallCode(call).find((one) => one.id === id)!.code;
  const path = join(folder, file);
  const ca = join(folder, 'ca.pem');
  writeFileSync(path, code);
  const { stdout } = await promisify(execFile)(id === 'curl' ? 'sh' : program, args(path, ca), {
    cwd: folder,
    env: { ...process.env, CURL_CA_BUNDLE: ca, NODE_EXTRA_CA_CERTS: ca, SSL_CERT_FILE: ca },
  });
  expect(stdout).toMatch(/msg_/);
  const sent = world.stub.requests.at(-1)!;
  expect(JSON.stringify(sent)).toContain(JSON.stringify(TO).slice(1, -1));
});

function isInstalled(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
}
