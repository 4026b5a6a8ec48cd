// How recipients may be written, and who is always there; the codes of the replies.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { complaintAddress } from '../../core/domain/domain.ts';
import type { Account } from '../harness/factories.ts';
import {
  makeAccount,
  openAnother,
  openWorld,
  sendMail,
  type InboundWorld,
} from '../harness/inbound-world.ts';
import { connectSmtp, type SmtpClient } from '../harness/smtp-client.ts';
import { waitUntil, WITHIN_A_SECOND } from '../harness/wait.ts';

let world: InboundWorld;
let account: Account;
let to: string;

beforeAll(async () => {
  world = await openWorld({
    INBOUND_CONNECTIONS_PER_ADDRESS: '60',
    INBOUND_IDLE_SECONDS: '2',
    INBOUND_SESSION_SECONDS: '20',
  });
  account = await makeAccount(world.context.db);
  to = `bob@${account.domain}`;
});
afterAll(() => world.close());

const count = async (table: string): Promise<number> =>
  (await world.context.db.pool.query(`select count(*)::int as n from ${table}`)).rows[0].n;

test('every reply but those to EHLO and DATA has one enhanced status code, the library’s own too', async () => {
  const client = await connectSmtp(world.port);
  const dialogue: [string, RegExp][] = [
    ['MAIL FROM:<a@b.test>', /^503 5\.5\.1 /],
    ['HELO c.test', /^250 [^ ]+ greets you/],
    ['RCPT TO:<x@y.test>', /^503 5\.5\.1 /],
    ['MAIL FROM:<a@b', /^501 5\.1\.7 /],
    ['MAIL FROM:<a@b.test> BODY=8BITMIME', /^555 5\.5\.4 /], // HELO offers nothing
    ['EHLO c.test', /^250[ -]/],
    ['MAIL FROM:<a@b.test> SIZE=99999999', /^552 5\.3\.4 /],
    ['MAIL FROM:<a@b.test> BODY=9BIT', /^501 5\.5\.4 /],
    ['MAIL FROM:<a@b.test> HOLDFOR=60', /^555 5\.5\.4 /],
    ['MAIL FROM:<a@b.test> AUTH=<>', /^555 5\.5\.4 /], // AUTH is not offered here
    ...['RET=FULL', 'ENVID=x', 'REQUIRETLS', 'X=y'].map((one): [string, RegExp] => [
      `MAIL FROM:<a@b.test> ${one}`,
      /^555 5\.5\.4 /,
    ]),
    ['MAIL FROM:<a@b.test> <c@d.test>', /^555 5\.5\.4 /],
    [`MAIL FROM:<${'a'.repeat(120)}@${'b'.repeat(60)}.${'c'.repeat(60)}.test>`, /^250 2\.1\.0 /],
    ['MAIL FROM:<a@b.test>', /^503 5\.5\.1 /],
    ['DATA', /^503 5\.5\.1 /],
    ['RCPT TO:<>', /^501 5\.1\.3 /],
    [`RCPT TO:<${to}> SIZE=1`, /^555 5\.5\.4 /],
    [`RCPT TO:<${to}> X`, /^555 5\.5\.4 /],
    [`RCPT TO:<${to}> NOTIFY=NEVER`, /^555 5\.5\.4 /],
    [`RCPT TO:<${to}> ORCPT=rfc822;x@y.test`, /^555 5\.5\.4 /],
    ['RCPT TO:<x@elsewhere.test>', /^550 5\.7\.1 We/],
    [`RCPT TO:<${to}>`, /^250 2\.1\.5 /],
    ['DATA', /^354 End/],
    ['Subject: x\r\n\r\nx\r\n.', /^250 2\.0\.0 Stored as/],
    ['NOOP', /^250 2\.0\.0 /],
    ['VRFY bob', /^252 2\.1\.5 /],
    ['BDAT 1', /^500 5\.5\.2 /],
    ['RSET', /^250 2\.0\.0 /],
    ['QUIT', /^221 2\.0\.0 /],
  ];
  for (const [command, reply] of dialogue) {
    expect([command, await client.say(command)]).toEqual([command, expect.stringMatching(reply)]);
  }
});

test('UTF-8 in addresses needs SMTPUTF8 of this transaction; what is no UTF-8 is always refused', async () => {
  const utf8 = (text: string) => Buffer.from(text).toString('latin1');
  const client = await connectSmtp(world.port);
  const dialogue: [string, RegExp][] = [
    ['EHLO c.test', /^250/],
    [utf8('MAIL FROM:<jürgen@b.test>'), /^553 5\.6\.7 /],
    [utf8('MAIL FROM:<a@bücher.test>'), /^553 5\.6\.7 /],
    ['MAIL FROM:<j\xfcrgen@b.test> SMTPUTF8', /^501 5\.1\.7 /],
    ['MAIL FROM:<\xc0\x80@b.test> SMTPUTF8', /^501 5\.1\.7 /], // NUL, longer than it needs to be
    ['MAIL FROM:<\xed\xa0\x80@b.test> SMTPUTF8', /^501 5\.1\.7 /], // half of a pair
    // What a refused MAIL announced does not count for the next one.
    [`MAIL FROM:<${'a'.repeat(250)}@b.test> SMTPUTF8`, /^501 /],
    [utf8(`MAIL FROM:<${'ü'.repeat(120)}@${'c'.repeat(20)}.test> SMTPUTF8`), /^501 5\.1\.7 /],
    ['MAIL FROM:<a@b.test>', /^250/],
    [utf8(`RCPT TO:<böb@${account.domain}>`), /^553 5\.6\.7 /],
    [`RCPT TO:<b\xf6b@${account.domain}>`, /^501 5\.1\.3 /],
    ['RSET', /^250/],
    [utf8('MAIL FROM:<jürgen@b.test> SMTPUTF8'), /^250/],
    [utf8(`RCPT TO:<böb@${account.domain}>`), /^250/],
    [utf8(`RCPT TO:<"böb x"@${account.domain}>`), /^250/],
    [`RCPT TO:<b\xf6b@${account.domain}>`, /^501 5\.1\.3 /],
  ];
  for (const [command, reply] of dialogue)
    expect([command, await client.say(command)]).toEqual([command, expect.stringMatching(reply)]);
  client.close();
});

test('who asks for recipients that are not here is answered slowly after 20, and not at all after 30', async () => {
  const strict = await openAnother(world, {});
  const ask = async (client: SmtpClient, name: string) => {
    const begun = performance.now();
    const reply = await client.say(`RCPT TO:<${name}@elsewhere.test>`);
    return { reply, tookMs: performance.now() - begun };
  };
  const begin = async () => {
    const client = await connectSmtp(strict.port);
    for (const line of ['EHLO c.test', 'MAIL FROM:<a@b.test>']) await client.say(line);
    return client;
  };
  try {
    const [first, second] = [await begin(), await begin()];
    const quick: number[] = [];
    for (let n = 0; n < 20; n++) {
      const { reply, tookMs } = await ask(n % 2 ? first : second, `x${n}`);
      expect(reply).toMatch(/^550 5\.7\.1 /);
      quick.push(tookMs);
    }
    // Slow answers take a second. A busy machine holds some up, and not the quickest half.
    expect(quick.sort((a, b) => a - b)[10]).toBeLessThan(900);
    const late = await Promise.all([0, 1].map((n) => ask([first, second][n]!, `y${n}`)));
    for (const { reply, tookMs } of late) {
      expect(reply).toMatch(/^550 5\.7\.1 /);
      expect(tookMs).toBeGreaterThan(900);
    }
    first.write(Array.from({ length: 12 }, (_, n) => `RCPT TO:<z${n}@elsewhere.test>\r\n`).join(''));
    const replies: string[] = [];
    for (let reply = await first.reply(); reply !== 'closed'; reply = await first.reply())
      replies.push(reply);
    expect(replies.map((reply) => reply.slice(0, 9))).toEqual([...Array(8).fill('550 5.7.1'), '421 4.7.0']);
    // A new session brings no new tries; who asks for recipients that are here is served.
    const third = await begin();
    expect(await third.say(`RCPT TO:<${to}>`)).toMatch(/^250/);
    expect((await ask(third, 'again')).reply).toMatch(/^421 4\.7\.0 /);
    expect(await third.reply()).toBe('closed');
    expect(await sendMail(strict.port, { to, data: 'Subject: x\r\n\r\nx\r\n' })).toMatch(/^250/);
  } finally {
    await strict.stop();
  }
});

test('a local part in quotation marks is read, and loses them where it needs none', async () => {
  const client = await connectSmtp(world.port);
  await client.say('EHLO c.test');
  expect(await client.say('MAIL FROM:<"ann lee"@sender.test>')).toMatch(/^250 2\.1\.0/);
  const written = ['"john doe"', '"a@b"', '"john"', 'john', '"say \\"hi\\""'];
  for (const local of written) {
    expect(await client.say(`RCPT TO:<${local}@${account.domain}>`)).toMatch(/^250 2\.1\.5/);
  }
  expect(await client.say(`RCPT TO:<"john doe@${account.domain}>`)).toMatch(/^501 5\.1\.3/);
  expect(await client.say(`RCPT TO:<"a@${account.domain}"@evil.test>`)).toMatch(/^550 5\.7\.1/);
  await client.say('DATA');
  expect(await client.say('Subject: x\r\n\r\nx\r\n.')).toMatch(/^250/);
  client.close();
  const { rows } = await world.context.db.pool.query(
    `select r.mail_from, array_agg(m.recipient order by m.id) as recipients
     from inbound_raws r join inbound_messages m on m.raw_id = r.id where mail_from like '%ann lee%' group by 1`,
  );
  const stored = ['"john doe"', '"a@b"', 'john', '"say \\"hi\\""'];
  expect(rows).toEqual([
    { mail_from: '"ann lee"@sender.test', recipients: stored.map((local) => `${local}@${account.domain}`) },
  ]);
});

test('postmaster is always there, and abuse where nobody else is; a flood ends', async () => {
  const { pool } = world.context.db;
  const data = 'Subject: =?utf-8?Q?Sp=C3=A4m?= <!here>\r\n\r\nx\r\n';
  const forUs = ['postmaster', 'Postmaster', `postmaster@bounces.${account.domain}`];
  for (const address of [...forUs, `"abuse"@BOUNCES.${account.domain}`]) {
    expect(await sendMail(world.port, { from: '', to: [address, to], data })).toMatch(/^250 2\.0\.0/);
  }
  const kept = await pool.query(
    'select recipient, mail_from, subject, raw from postmaster_mails order by id',
  );
  expect(kept.rows.map((row) => row.recipient)).toEqual([...forUs, `abuse@BOUNCES.${account.domain}`]);
  expect(kept.rows[0]).toEqual({
    recipient: 'postmaster',
    mail_from: '',
    subject: 'Späm <!here>',
    raw: Buffer.from(data),
  });
  const notices = await pool.query("select text from operations_notices where event like 'postmaster.%'");
  expect(notices.rows.length).toBeLessThanOrEqual(2); // one an hour
  expect(notices.rows[0].text).toMatch(
    /^Mail for postmaster from &lt;&gt; \(127\.0\.0\.1\): "Späm &lt;!here&gt;"\./,
  );
  const { rows } = await pool.query('select count(*)::int as n from inbound_messages where recipient = $1', [
    to,
  ]);
  const before = rows[0].n;

  expect(await sendMail(world.port, { to: `postmaster@${account.domain}`, data })).toMatch(/^250/);
  expect(await sendMail(world.port, { to: 'postmaster@elsewhere.test', data })).toMatch(/^550 5\.7\.1/);
  expect(await sendMail(world.port, { to: 'postmaster', data: data + 'x'.repeat(300_000) })).toMatch(
    /^552 5\.3\.4/,
  );
  const named = await openAnother(world, { INBOUND_HOSTNAME: 'mx.test' });
  expect(await sendMail(named.port, { to: 'abuse@MX.test', data })).toMatch(/^250/);
  await named.stop();
  await pool.query(
    `insert into postmaster_mails (id, recipient, mail_from, peer, network, subject, raw)
     select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'x', 'x', 'x', 'other', 'x', ''
     from generate_series(1, 1200) as n`,
  );
  for (let n = 6; n <= 20; n++)
    expect(await sendMail(world.port, { to: 'postmaster', data })).toMatch(/^250/);
  expect(await sendMail(world.port, { to: ['postmaster', to], data })).toMatch(/^452 4\.3\.1/);
  const newest = await pool.query(
    "select count(*) filter (where network <> 'other')::int as n from postmaster_mails",
  );
  expect([newest.rows[0].n, await count('postmaster_mails')]).toEqual([20, 1000]);
  const after = await pool.query('select count(*)::int as n from inbound_messages where recipient = $1', [
    to,
  ]);
  expect(after.rows[0].n).toBe(before);
});

test('mail to a suspended tenant gets 451 within a second, reports about its mail are taken; afterwards all is', async () => {
  const suspended = await makeAccount(world.context.db);
  const set = (at: string) =>
    world.context.db.pool.query(`update tenants set suspended_at = ${at} where id = $1`, [
      suspended.tenantId,
    ]);
  const mailbox = `ann@${suspended.domain}`;
  const send = (rcpt: string) => sendMail(world.port, { to: rcpt, data: 'Subject: x\r\n\r\nx' });
  expect(await send(mailbox)).toMatch(/^250 /);
  await set('now()');
  await waitUntil(async () => (await send(mailbox)).startsWith('451 4.7.1 '), WITHIN_A_SECOND);
  expect(await send(complaintAddress(suspended.domain))).toMatch(/^250 /);
  expect(await send(to)).toMatch(/^250 /);
  await set('null');
  await waitUntil(async () => (await send(mailbox)).startsWith('250 '), WITHIN_A_SECOND);
});
