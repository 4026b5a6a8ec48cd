// The envelope as swaks speaks it: a client that is not ours, with its own ideas of pipelining and TLS.

import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Account } from '../harness/factories.ts';
import { makeAccount, makeSent, openWorld, type InboundWorld } from '../harness/inbound-world.ts';
import { skips } from '../harness/needs.ts';

const SWAKS = '/usr/bin/swaks';
const hasTls = () => spawnSync('perl', ['-MNet::SSLeay', '-e', '1']).status === 0;
const missing =
  existsSync(SWAKS) && hasTls()
    ? null
    : 'swaks or its TLS is not installed (apt-get install swaks libnet-ssleay-perl)';
const run = promisify(execFile);

describe.skipIf(skips(missing))('swaks as the client', () => {
  let world: InboundWorld;
  let account: Account;

  beforeAll(async () => {
    world = await openWorld();
    account = await makeAccount(world.context.db);
  });
  afterAll(() => world.close());

  /** Exit code and transcript: 0 for accepted, 24 for RCPT refused, 26 for DATA refused. */
  async function swaks(...args: string[]): Promise<{ code: number; text: string }> {
    const all = ['--server', `127.0.0.1:${world.port}`, '--helo', 'swaks.test', ...args];
    try {
      const { stdout } = await run(SWAKS, all);
      return { code: 0, text: stdout };
    } catch (error) {
      const { code, stdout } = error as { code: number; stdout: string };
      return { code, text: stdout };
    }
  }
  const recipients = async () =>
    (await world.context.db.pool.query('select recipient, kind from inbound_messages order by id')).rows;

  test('one recipient, with and without TLS and pipelining', async () => {
    const to = `bob@${account.domain}`;
    for (const more of [[], ['--tls'], ['--pipeline'], ['--tls', '--pipeline']]) {
      const { code, text } = await swaks('--from', 'ann@sender.test', '--to', to, ...more);
      expect([more, code]).toEqual([more, 0]);
      expect(text).toContain('250 2.0.0 Stored as');
      if (more.includes('--tls')) expect(text).toContain('TLS started');
    }
  });

  test('some recipients refused: the others get it', async () => {
    const to = [`eve@${account.domain}`, 'x@elsewhere.test', `max@${account.domain}`].join(',');
    const { text } = await swaks('--from', 'ann@sender.test', '--to', to);
    expect(text).toMatch(/550 5\.7\.1/);
    expect(text).toContain('250 2.0.0 Stored as');
    const taken = (await recipients()).map((row) => row.recipient);
    expect(taken).toContain(`eve@${account.domain}`);
    expect(taken).toContain(`max@${account.domain}`);
    expect(taken).not.toContain('x@elsewhere.test');
  });

  test('all recipients refused, the null sender, and a return path', async () => {
    expect((await swaks('--from', 'ann@sender.test', '--to', 'x@elsewhere.test')).code).toBe(24);
    const sent = await makeSent(world.context, account);
    expect((await swaks('--from', '<>', '--to', sent.returnPath)).code).toBe(0);
    expect((await recipients()).at(-1)).toEqual({ recipient: sent.returnPath, kind: 'bounce' });
  });

  test('a client that quits after RCPT, or breaks off after the data, leaves nothing', async () => {
    const before = (await recipients()).length;
    const to = `gone@${account.domain}`;
    await swaks('--from', 'a@b.test', '--to', to, '--quit-after', 'RCPT');
    await swaks('--from', 'a@b.test', '--to', to, '--drop-after-send', 'DATA');
    expect(await recipients()).toHaveLength(before);
  });
});
