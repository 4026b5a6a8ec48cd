// SPF, DKIM and DMARC of inbound mail are looked up and recorded; nothing is refused for them.

import { generateKeyPairSync } from 'node:crypto';
import nodemailer from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startDnsServer } from '../../local/simulator/dns-server.ts';
import { Zone } from '../../local/simulator/zone.ts';
import { makeAccount, openWorld, sendMail, until, type InboundWorld } from '../harness/inbound-world.ts';

let world: InboundWorld;
let dns: Awaited<ReturnType<typeof startDnsServer>>;
let to: string;
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

beforeAll(async () => {
  const zone = new Zone();
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  await zone.add([
    { type: 'TXT', name: 'sender.test', value: 'v=spf1 ip4:127.0.0.1 -all' },
    { type: 'TXT', name: 's1._domainkey.sender.test', value: `v=DKIM1; k=rsa; p=${key}` },
    { type: 'TXT', name: '_dmarc.sender.test', value: 'v=DMARC1; p=reject' },
    { type: 'TXT', name: 'strict.test', value: 'v=spf1 -all' },
    { type: 'TXT', name: '_dmarc.strict.test', value: 'v=DMARC1; p=reject' },
  ]);
  dns = await startDnsServer(zone, 0);
  world = await openWorld({ DNS_SERVERS: `127.0.0.1:${dns.port}` });
  to = `bob@${(await makeAccount(world.context.db)).domain}`;
});
afterAll(async () => {
  await world.close();
  await dns.stop();
});

async function verdicts(from: string, data: string | Buffer): Promise<Record<string, string>> {
  const reply = await sendMail(world.port, { from, to, data });
  expect(reply).toMatch(/^250/);
  const rawId = /as (\S+)$/.exec(reply)![1];
  return until(async () => {
    const { rows } = await world.context.db.pool.query(
      'select auth from inbound_contents where raw_id = $1',
      [rawId],
    );
    return rows[0]?.auth;
  });
}

async function signed(): Promise<Buffer> {
  const transport = nodemailer.createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    dkim: {
      domainName: 'sender.test',
      keySelector: 's1',
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
  });
  const { message } = await transport.sendMail({
    from: 'ann@sender.test',
    to,
    subject: 'Signed',
    text: 'Hello',
  });
  return message as Buffer;
}

test('signed mail from the right address passes all three', async () => {
  expect(await verdicts('ann@sender.test', await signed())).toEqual({
    spf: 'pass',
    dkim: 'pass',
    dmarc: 'pass',
  });
});

test('mail that was changed, or comes from elsewhere, is taken and says so', async () => {
  const changed = Buffer.from((await signed()).toString('latin1').replace('Hello', 'Jello'), 'latin1');
  const result = await verdicts('ann@strict.test', changed);
  expect(result).toEqual({ spf: 'fail', dkim: 'fail', dmarc: 'fail' });
});

test('mail of a domain that says nothing has none', async () => {
  const data = 'From: ann@silent.test\r\nSubject: x\r\n\r\nx\r\n';
  expect(await verdicts('ann@silent.test', data)).toEqual({ spf: 'none', dkim: 'none', dmarc: 'none' });
});

test('a second From is no way around DMARC: permerror, and the message is flagged', async () => {
  const own = (await signed()).toString('latin1');
  expect(await verdicts('ann@sender.test', own.replace(/^/, 'From: bank@strict.test\r\n'))).toMatchObject({
    dmarc: 'permerror',
  });
  const { rows } = await world.context.db.pool.query(
    'select parse_error from inbound_contents order by raw_id desc limit 1',
  );
  expect(rows[0].parse_error).toBe('it has 2 From fields, so nobody can say who wrote it');
});
