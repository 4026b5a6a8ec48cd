// The code that the dashboard gives for the first API call is run as it is copied, in each language that is installed here.

import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { firstCallCode } from '../../dashboard/src/pages/overview/first-call-code.ts';
import { createUser } from '../../core/people/users.ts';
import { TESTER } from '../harness/actor.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { makeHostAuthority } from '../harness/host-authority.ts';
import { skips } from '../harness/needs.ts';

// An address may hold what is special in each of these languages.
const TO = "o'brien+`id`$HOME#{x}!%s/?&|~@simulator.test";

let world: ApiWorld;
let folder: string;
let front: Server; // with a certificate that programs can check, as a public api has one
beforeAll(async () => {
  world = await createApiWorld();
  folder = mkdtempSync(join(tmpdir(), "it's a first call-"));
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

const FILES: Record<string, { program: string; file: string }> = {
  curl: { program: 'curl', file: 'send.sh' },
  node: { program: 'node', file: 'send.mjs' },
  python: { program: 'python3', file: 'send.py' },
  go: { program: 'go', file: 'send.go' },
  php: { program: 'php', file: 'send.php' },
  ruby: { program: 'ruby', file: 'send.rb' },
};

describe.each(Object.keys(FILES))('%s', (id) => {
  const { program, file } = FILES[id]!;
  const missing = isInstalled(program) ? null : `${program} is not installed`;
  test.skipIf(skips(missing))('runs as printed', { timeout: 120_000 }, async () => {
    const { key } = await world.makeKey();
    const { port } = front.address() as AddressInfo;
    const base = `https://localhost:${port}/api/v1`;
    const call = { base, key, from: 'hello@example.com', to: TO, caFile: join(folder, 'ca.pem') };
    const code = firstCallCode(call).find((one) => one.id === id)!.code;
    writeFileSync(join(folder, file), code);
    const command = /and run: (.*)$/m.exec(code)?.[1] ?? `sh ${file}`;
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: folder });
    expect(stdout).toMatch(/msg_/);
    const sent = world.stub.requests.at(-1)!;
    expect(JSON.stringify(sent)).toContain(JSON.stringify(TO).slice(1, -1));
  });
});

test('a message to a person of the tenant is a test; to anybody else, or to two addresses, it is not', async () => {
  const { key, tenantId } = await world.makeKey();
  const own = `owner@${tenantId}.test`;
  await createUser(world.context, TESTER, { tenantId, email: own, role: 'owner' });
  const other = await world.makeKey();
  const stranger = `stranger@${other.tenantId}.test`;
  await createUser(world.context, TESTER, { tenantId: other.tenantId, email: stranger, role: 'owner' });
  for (const [to, origin] of [
    [own, 'test'],
    [`Me <${own.toUpperCase()}>`, 'test'],
    [stranger, 'api'],
    [[own, 'ann@example.net'], 'api'],
  ] as const) {
    const body = { from: 'hello@example.com', to, subject: 'Hello', html: '<p>It works.</p>' };
    expect((await world.call('POST', '/transactional/send', { key, body })).status).toBe(202);
    expect(world.stub.requests.at(-1)!.message!.origin, String(to)).toBe(origin);
  }
});

test('a public authority is not named', () => {
  const call = {
    base: 'https://mail.example',
    key: 'k',
    from: 'a@b.example',
    to: 'c@d.example',
    caFile: null,
  };
  for (const { id, code } of firstCallCode(call)) expect(code, id).not.toMatch(/ca(cert|file)|CERT/i);
});

function isInstalled(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
}
