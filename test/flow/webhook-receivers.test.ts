// The receivers that the documentation gives to customers, run as they are, with deliveries of ours.

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { freePort } from '../../local/servers/free-port.ts';
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

const FOLDER = join(import.meta.dirname, '../../docs/receiver-examples');
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
