// The receivers that the documentation gives to customers, run as they are (but for the port), with deliveries of ours.

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import { newEndpoint } from '../../core/webhook/endpoint-input.ts';
import { createEndpoint, rotateEndpoint } from '../../core/webhook/endpoints.ts';
import { freePort } from '../../local/servers/free-port.ts';
import { pythonTools } from '../../sdk/python-tools.ts';
import { TESTER } from '../harness/actor.ts';
import { addEvents } from '../harness/event-rows.ts';
import { skips } from '../harness/needs.ts';
import { waitUntil } from '../harness/wait.ts';
import {
  hook,
  makeAccount,
  openWorld,
  sendMail,
  until,
  type InboundWorld,
} from '../harness/inbound-world.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'docs/receiver-examples');
const BUILD = mkdtempSync(join(tmpdir(), 'postrider-receiver-'));

interface Receiver {
  language: string;
  /** What must be there to run it: how to ask for its version, and what to install. */
  needs: [program: string, argument: string, debianPackage: string];
  command: () => [string, ...string[]];
}

const RECEIVERS: Receiver[] = [
  {
    language: 'TypeScript',
    needs: [process.execPath, '--version', 'nodejs'],
    command: () => [process.execPath, join(FOLDER, 'receiver.ts')],
  },
  {
    language: 'Python',
    needs: ['python3', '--version', 'python3'],
    command: () => ['python3', join(FOLDER, 'receiver.py')],
  },
  {
    language: 'Go',
    needs: ['go', 'version', 'golang-go'],
    command: () => {
      const binary = join(BUILD, 'receiver');
      execFileSync('go', ['build', '-o', binary, join(FOLDER, 'receiver.go')], { stdio: 'pipe' });
      return [binary];
    },
  },
];

function missing([program, argument, debianPackage]: Receiver['needs']): string | null {
  try {
    execFileSync(program, [argument], { stdio: 'pipe' });
    return null;
  } catch {
    return `${program} is not installed (apt-get install ${debianPackage})`;
  }
}

let world: InboundWorld;
const children: ChildProcess[] = [];

beforeAll(async () => {
  symlinkSync(join(ROOT, 'node_modules'), join(BUILD, 'node_modules'));
  world = await openWorld();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(BUILD, { recursive: true, force: true });
  await world.close();
});

describe.each(RECEIVERS)('$language', ({ needs, command }) => {
  test.skipIf(skips(missing(needs)))(
    'accepts what is signed, and nothing else',
    async () => {
      const account = await makeAccount(world.context.db);
      const port = await freePort();
      const url = `http://127.0.0.1:${port}/`;
      const secret = await hook(world, account, url);
      const [program, ...args] = command();
      const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
      const child = spawn(program, args, { env });
      children.push(child);
      let output = '';
      child.stdout.on('data', (part: Buffer) => (output += part.toString()));
      child.stderr.on('data', (part: Buffer) => (output += part.toString()));
      await waitUntil(() => output.includes('listening'), {
        what: () => `the receiver to listen: ${output}`,
      });

      const to = `bob@${account.domain}`;
      await sendMail(world.port, { to, data: 'From: a@b.test\r\nSubject: x\r\n\r\nbytes \xff\0\r\n' });
      await until(async () => {
        const { rows } = await world.context.db.pool.query(
          'select state from webhook_deliveries where tenant_id = $1',
          [account.tenantId],
        );
        return rows[0]?.state === 'accepted';
      });
      expect(output).toMatch(new RegExp(`dlv_\\w+ ${to}`));

      for (const signature of ['', 'hmac-sha256=', `hmac-sha256=${'0'.repeat(64)}`, 'x'.repeat(76)]) {
        const headers = signature === '' ? {} : { 'x-svc-inbound-sig': signature };
        const answer = await fetch(url, { method: 'POST', body: 'forged', headers });
        expect([signature, answer.status]).toEqual([signature, 401]);
      }
    },
    300_000, // a Go that has built nothing yet compiles its standard library first
  );
});

const tools = pythonTools();
const EVENT_RECEIVERS = [
  { language: 'js', file: 'receiver.mjs', program: process.execPath, lacks: null },
  {
    language: 'python',
    file: 'receiver.py',
    program: join('bin' in tools ? tools.bin : '', 'python'),
    lacks: 'missing' in tools ? tools.missing : null,
  },
];

describe.each(EVENT_RECEIVERS)('for events, in $language', ({ language, file, program, lacks }) => {
  test.skipIf(skips(lacks))('the official library believes either secret while both sign', async () => {
    const account = await makeAccount(world.context.db);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const page = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8');
    const printed = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)![1]!;
    writeFileSync(join(BUILD, file), printed.replace('9000', String(port)));
    const deps = { ...world.context, http: world.http };
    const input = newEndpoint.parse({ url, event_types: ['message.delivered'] });
    const { endpoint, secret } = await createEndpoint(deps, TESTER, account.tenantId, input);
    const rotated = await rotateEndpoint(deps, TESTER, account.tenantId, endpoint.id);

    for (const one of [secret, rotated.secret]) {
      const child = spawn(program, [join(BUILD, file)], { env: { ...process.env, WEBHOOK_SECRET: one } });
      children.push(child);
      let output = '';
      child.stdout.on('data', (part: Buffer) => (output += part.toString()));
      child.stderr.on('data', (part: Buffer) => (output += part.toString()));
      await waitUntil(
        () =>
          fetch(url).then(
            () => true,
            () => false,
          ),
        { what: () => `the receiver to listen: ${output}` },
      );
      const [eventId] = await addEvents(world.context.db.pool, account, [{ type: 'delivered' }]);
      const settled = await until(async () => {
        const { rows } = await world.context.db.pool.query<{ state: string }>(
          "select state from webhook_deliveries where event_id = $1 and state <> 'pending'",
          [eventId],
        );
        return rows[0];
      });
      expect(settled.state, output).toBe('accepted');
      expect(output).toContain(`message.delivered ${toId('evt', eventId!)}`);
      expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });
});
