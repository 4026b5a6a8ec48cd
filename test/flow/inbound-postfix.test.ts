// A real Postfix sends to us: ordinary mail over STARTTLS, mail of awkward bytes, and the DSN that it writes when we
// refuse what somebody gave it in the name of a return path of ours.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { freePort } from '../../local/servers/free-port.ts';
import { skips } from '../harness/needs.ts';
import { postfixMissing } from '../harness/postfix.ts';
import { waitUntil } from '../harness/wait.ts';
import type { Account } from '../harness/factories.ts';
import {
  makeAccount,
  makeSent,
  openWorld,
  sendMail,
  storedRaws,
  type InboundWorld,
} from '../harness/inbound-world.ts';

describe.skipIf(skips(postfixMissing()))('Postfix as the sending server', () => {
  let world: InboundWorld;
  let account: Account;
  let root: string;
  let port: number;

  const control = (command: string) =>
    execFileSync('/usr/sbin/postfix', ['-c', join(root, 'etc'), command], { stdio: 'pipe' });
  const log = () => readFileSync(join(root, 'log'), 'utf8');
  const rows = async (text: string, values: unknown[]) =>
    (await world.context.db.pool.query(text, values)).rows;

  beforeAll(async () => {
    world = await openWorld();
    account = await makeAccount(world.context.db);
    root = mkdtempSync(join(tmpdir(), 'postrider-sending-'));
    port = await freePort();
    chmodSync(root, 0o755);
    for (const folder of ['etc', 'spool', 'data']) mkdirSync(join(root, folder));
    execFileSync('chown', ['postfix', join(root, 'data')]);
    writeFileSync(join(root, 'etc/main.cf'), mainCf(root, world.port));
    writeFileSync(join(root, 'etc/master.cf'), masterCf(port));
    control('start');
  });
  afterAll(async () => {
    control('abort');
    rmSync(root, { recursive: true, force: true });
    await world.close();
  });

  test('mail of awkward lines arrives as Postfix sends it, over TLS', async () => {
    const body = `.dot\r\n..two\r\n${'x'.repeat(900)}\r\n\r\nend\r\n`;
    const data = `From: ann@sender.test\r\nSubject: via postfix\r\n\r\n${body}`;
    expect(await sendMail(port, { to: `bob@${account.domain}`, data })).toMatch(/^250/);
    await waitUntil(async () => (await storedRaws(world.context)).length === 1, { what: () => log() });
    const [raw] = await storedRaws(world.context);
    const text = raw!.toString('latin1');
    expect(text).toContain('by sending.test (Postfix)');
    expect(text.endsWith(`Subject: via postfix\r\n\r\n${body}`) || text.endsWith(`\r\n\r\n${body}`)).toBe(
      true,
    );
    const [{ tls, mail_from }] = await rows('select tls, mail_from from inbound_raws', []);
    expect(tls).toMatch(/^TLSv1\.[23]$/);
    expect(mail_from).toBe('ann@sender.test');
  });

  test('its DSN after our refusal becomes a hard bounce of the message that the return path names', async () => {
    const sent = await makeSent(world.context, account, { rcptTo: `nobody@bounces.${account.domain}` });
    const data = 'From: shop@example.test\r\nSubject: Hello\r\n\r\nBody\r\n';
    expect(await sendMail(port, { from: sent.returnPath, to: sent.rcptTo, data })).toMatch(/^250/);
    await waitUntil(
      async () => (await rows('select state from messages where id = $1', [sent.id]))[0].state === 'bounced',
      { what: () => log() },
    );
    expect((await rows('select data from events where message_id = $1', [sent.id]))[0].data).toMatchObject({
      kind: 'hard',
      class: 'invalid_recipient',
      smtp_code: 550,
      enhanced_code: '5.1.1',
      source: 'dsn',
    });
  });
});

function mainCf(root: string, inboundPort: number): string {
  return `compatibility_level = 3.6
queue_directory = ${root}/spool
data_directory = ${root}/data
myhostname = sending.test
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
maillog_file = ${root}/log
maillog_file_prefixes = ${root}
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
relayhost = [127.0.0.1]:${inboundPort}
smtp_dns_support_level = disabled
smtp_host_lookup = native
smtp_tls_security_level = may
default_destination_concurrency_limit = 5
`;
}

function masterCf(port: number): string {
  return `127.0.0.1:${port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`;
}
