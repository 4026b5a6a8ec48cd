// Programs that are not ours send through submission, set up as docs/submission.md says, and what they wrote arrives: swaks,
// Python's smtplib, nodemailer, a Postfix with a relayhost, and PHPMailer as WordPress uses it. They check the certificate.

import { execFile, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import nodemailer from 'nodemailer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createKey } from '../../core/key/keys.ts';
import { ensureTls } from '../../local/tls.ts';
import { TESTER } from '../harness/actor.ts';
import type { Account } from '../harness/factories.ts';
import { skips } from '../harness/needs.ts';
import { postfixMissing, startRelay } from '../harness/postfix.ts';
import { connectSmtp } from '../harness/smtp-client.ts';
import { createStack, type Stack } from '../harness/stack.ts';
import { waitUntil } from '../harness/wait.ts';

const SWAKS = '/usr/bin/swaks';
const PYTHON = '/usr/bin/python3';
const PHPMAILER = '/usr/share/php/libphp-phpmailer/src';
const OK = /250 2\.0\.0 Ok: queued as msg_[0-9a-z]{26}/;

const run = promisify(execFile);
const works = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
const swaksMissing =
  existsSync(SWAKS) && works('perl', '-MNet::SSLeay', '-e', '1')
    ? null
    : 'swaks or its TLS is not installed (apt-get install swaks libnet-ssleay-perl)';
const pythonMissing = existsSync(PYTHON) ? null : 'Python is not installed (apt-get install python3)';
const phpMissing =
  existsSync(`${PHPMAILER}/PHPMailer.php`) && works('php', '-m')
    ? null
    : 'PHPMailer is not installed (apt-get install php-cli libphp-phpmailer)';
const saslMissing =
  globSync('/usr/lib/*/sasl2/libplain.so').length > 0
    ? null
    : 'Postfix cannot sign in without SASL PLAIN (apt-get install libsasl2-modules)';

let stack: Stack;
let account: Account;
let key: string;
let from: string;
let ca: string;
let folder: string;
const port = () => stack.api!.env['SUBMISSION_PORT']!;
const tlsPort = () => stack.api!.env['SUBMISSIONS_PORT']!;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-clients-'));
  const tls = await ensureTls(folder);
  ca = tls.caFile;
  stack = await createStack({
    api: true,
    env: { TLS_CERT_FILE: tls.certFile, TLS_KEY_FILE: tls.keyFile },
  });
  account = await stack.makeAccount({ tier: 5 });
  from = `orders@${account.domain}`;
  const scopes = ['transactional:send'];
  key = (await createKey(stack.context, TESTER, { tenantId: account.tenantId, name: 'smtp', scopes })).value;
});
afterAll(async () => {
  await stack.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What arrived for an address. */
async function arrived(to: string): Promise<string> {
  const found = () => stack.sink.messages.find(({ rcptTo }) => rcptTo === to);
  await waitUntil(() => found() !== undefined, { what: `mail for ${to}` });
  return found()!.raw.toString('utf8');
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe.skipIf(skips(swaksMissing))('swaks', () => {
  test.each([
    ['starttls-plain', () => ['--port', port(), '--tls', '--auth', 'PLAIN']],
    ['starttls-login', () => ['--port', port(), '--tls', '--auth', 'LOGIN', '--pipeline']],
    ['tls', () => ['--port', tlsPort(), '--tls-on-connect', '--auth', 'PLAIN']],
  ])('%s', async (name, more) => {
    const to = `swaks-${name}@sink.test`;
    const who = ['--auth-user', 'any body', '--auth-password', key, '--from', from, '--to', to];
    const tls = ['--tls-verify', '--tls-ca-path', ca];
    const { stdout } = await run(SWAKS, [
      '--server',
      'localhost',
      ...more(),
      ...tls,
      ...who,
      '--body',
      'Line one',
    ]);
    expect(stdout).toMatch(OK);
    expect(await arrived(to)).toMatch(/X-Mailer: swaks[^]*\r\n\r\nLine one\r\n/);
  });

  test('a wrong key and a From of somebody else are refused in so many words', async () => {
    const ask = (password: string, author: string) =>
      run(SWAKS, [
        ...['--server', 'localhost', '--port', port(), '--tls', '--auth', 'PLAIN', '--auth-user', 'x'],
        ...['--auth-password', password, '--from', author, '--to', 'nobody@sink.test'],
      ]).then(
        () => 'accepted',
        (error: { stdout: string }) => error.stdout,
      );
    expect(await ask('wrong', from)).toMatch(/535 5\.7\.8 /);
    expect(await ask(key, 'ceo@bank.example')).toMatch(/550 5\.7\.1 You cannot send from bank\.example/);
  });
});

describe.skipIf(skips(pythonMissing))("Python's smtplib", () => {
  const SCRIPT = `
import smtplib, ssl, sys
from email.message import EmailMessage
ca, port, tls_port, key, sender = sys.argv[1:]
message = EmailMessage()
message["From"], message["To"], message["Subject"] = f"Größe <{sender}>", "python@sink.test", "Grüße"
message.set_content("Ein Gruß\\n.\\n..\\n")
message.add_attachment(bytes(range(256)), maintype="application", subtype="octet-stream", filename="alle.bin")
context = ssl.create_default_context(cafile=ca)
with smtplib.SMTP("localhost", int(port)) as smtp:
    smtp.starttls(context=context)
    smtp.login("anybody", key)
    smtp.send_message(message)
    try:
        smtp.sendmail(sender, ["x@sink.test"], b"Subject: no author\\r\\n\\r\\nx")
    except smtplib.SMTPDataError as error:
        print(error.smtp_code, error.smtp_error.decode())
    smtp.send_message(message, to_addrs=["again@sink.test"])
with smtplib.SMTP_SSL("localhost", int(tls_port), context=context) as smtp:
    smtp.login("anybody", key)
    smtp.send_message(message, to_addrs=["ssl@sink.test"])
`;

  test('as in its documentation; after a refusal the session goes on', async () => {
    const { stdout } = await run(PYTHON, ['-c', SCRIPT, ca, port(), tlsPort(), key, from]);
    expect(stdout.trim()).toBe('550 5.6.0 The message has no From');
    for (const to of ['python@sink.test', 'again@sink.test', 'ssl@sink.test']) {
      const text = await arrived(to);
      expect(text).toContain(
        Buffer.from(Array.from({ length: 256 }, (_, n) => n))
          .toString('base64')
          .slice(0, 76),
      );
      expect(text).toContain('Content-Disposition: attachment; filename="alle.bin"');
    }
  });
});

test('nodemailer, with a pool, several recipients and the fields for us', async () => {
  const transport = nodemailer.createTransport({
    host: 'localhost',
    port: Number(port()),
    requireTLS: true,
    pool: true,
    maxConnections: 2,
    auth: { user: 'anybody', pass: key },
    tls: { ca: readFileSync(ca) },
  });
  await transport.verify();
  const sent = await Promise.all(
    Array.from({ length: 5 }, (_, n) =>
      transport.sendMail({
        from: `"Größe, Shop" <${from}>`,
        to: [`nm${n}@sink.test`, `Änn <nm${n}-b@sink.test>`],
        bcc: `nm${n}-c@sink.test`,
        subject: 'Grüße',
        text: 'Ein Gruß',
        html: '<p>Ein <b>Gruß</b></p>',
        headers: { 'X-Postrider-Tags': JSON.stringify([{ name: 'kind', value: 'receipt' }]) },
      }),
    ),
  );
  transport.close();
  for (const { response } of sent)
    expect(response).toMatch(/^250 2\.0\.0 Ok: queued as msg_\w{26},msg_\w{26},msg_\w{26}$/);
  const text = await arrived('nm4-c@sink.test');
  expect(text).toContain('<p>Ein <b>Gru=C3=9F</b></p>');
  expect(text).not.toMatch(/postrider-tags|nm4-c/i);
  const { rows } = await stack.context.db.pool.query(
    "select tags from messages where tenant_id = $1 and rcpt_to like 'nm4%'",
    [account.tenantId],
  );
  const tags = [{ name: 'kind', value: 'receipt' }];
  expect(rows).toEqual([{ tags }, { tags }, { tags }]);
});

describe.skipIf(skips(postfixMissing() ?? saslMissing))('a Postfix with a relayhost', () => {
  test('passes on what it gets, and keeps what we tell to come later', async () => {
    const map = file('sasl', `[localhost]:${port()} anybody:${key}\n`);
    const relay = await startRelay({
      relayhost: `[localhost]:${port()}`,
      smtp_sasl_auth_enable: 'yes',
      smtp_sasl_password_maps: `texthash:${map}`,
      smtp_sasl_security_options: 'noanonymous',
      smtp_tls_security_level: 'secure',
      smtp_tls_CAfile: ca,
    });
    try {
      const open = await connectSmtp(relay.port);
      await open.say('EHLO app.test');
      const say = async (author: string, to: string) => {
        await open.say('MAIL FROM:<app@internal.test>');
        await open.say(`RCPT TO:<${to}>`);
        await open.say('DATA');
        open.write(`From: ${author}\r\nTo: ${to}\r\nSubject: Via Postfix\r\n\r\n..dot\r\nBody\r\n`);
        return open.say('.');
      };
      expect(await say(from, 'relayed@sink.test')).toMatch(/^250/);
      expect(await arrived('relayed@sink.test')).toMatch(
        /Received: from app\.test[^]*Subject: Via Postfix\r\n[^]*\r\n\r\n\.dot\r\nBody\r\n/,
      );
      await waitUntil(() => /status=sent \(250 2\.0\.0 Ok: queued as msg_/.test(relay.log()), {
        what: relay.log,
      });
      expect(await say('ceo@bank.example', 'nobody@sink.test')).toMatch(/^250/);
      await waitUntil(() => /status=bounced \(host localhost.*550 5\.7\.1/.test(relay.log()), {
        what: relay.log,
      });
      open.close();
    } finally {
      relay.stop();
    }
  });
});

describe.skipIf(skips(phpMissing))('PHPMailer', () => {
  const SCRIPT = `<?php
foreach (['Exception', 'PHPMailer', 'SMTP'] as $part) require '${PHPMAILER}/' . $part . '.php';
[, $ca, $port, $key, $from] = $argv;
$mail = new PHPMailer\\PHPMailer\\PHPMailer(true);
$mail->isSMTP();
$mail->Host = 'localhost';
$mail->Port = (int) $port;
$mail->SMTPSecure = 'tls';
$mail->SMTPAuth = true;
$mail->Username = 'anybody';
$mail->Password = $key;
$mail->SMTPOptions = ['ssl' => ['cafile' => $ca]];
$mail->CharSet = 'UTF-8';
$mail->setFrom($from, 'Meine Website');
$mail->addAddress('php@sink.test', 'Jürgen');
$mail->Subject = 'Passwort zurücksetzen';
$mail->msgHTML('<p>Hier klicken: <a href="https://example.com/?a=1&amp;b=2">Link</a></p>');
$mail->addCustomHeader('X-Postrider-Track-Opens', 'false');
$mail->send();
echo $mail->getSMTPInstance()->getLastReply();
`;

  test('as WordPress uses it', async () => {
    const { stdout } = await run('php', [file('send.php', SCRIPT), ca, port(), key, from]);
    expect(stdout).toMatch(/^(250 2\.0\.0 Ok: queued as msg_|221)/);
    const text = await arrived('php@sink.test');
    expect(text).toMatch(/X-Mailer: PHPMailer/);
    expect(text).toContain('https://example.com/?a=1&amp;b=2');
    expect(text).not.toMatch(/track-opens/i);
  });
});
