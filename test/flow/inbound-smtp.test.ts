// What the SMTP server accepts, what it refuses, and what it leaves behind.

import { monotonicMs } from '../../core/base/clock.ts';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Logger } from '../../core/base/log.ts';
import type { Account } from '../harness/factories.ts';
import { longForm } from '../harness/form.ts';
import {
  makeAccount,
  openAnother,
  openWorld,
  sendMail,
  storedRaws,
  until,
  type InboundWorld,
} from '../harness/inbound-world.ts';
import { connectSmtp } from '../harness/smtp-client.ts';

const LARGE = 50;

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

test('EHLO offers what the contract names, before and after STARTTLS', async () => {
  const client = await connectSmtp(world.port);
  const plain = await client.say('EHLO c.test');
  for (const word of [
    'PIPELINING',
    '8BITMIME',
    'SMTPUTF8',
    'ENHANCEDSTATUSCODES',
    'STARTTLS',
    'SIZE 26214400',
  ])
    expect(plain).toContain(word);
  expect(plain).not.toContain('AUTH');
  expect(await client.say('STARTTLS')).toMatch(/^220/);
  const secure = connectTls({ socket: client.socket, rejectUnauthorized: false });
  await new Promise((resolve) => secure.once('secureConnect', resolve));
  secure.write('EHLO c.test\r\n');
  const reply = await new Promise<Buffer>((resolve) => secure.once('data', resolve));
  expect(reply.toString()).toContain('SIZE 26214400');
  expect(reply.toString()).not.toContain('STARTTLS');
  secure.destroy();
});

test('only addresses of verified domains with inbound on; never a relay', async () => {
  const off = await makeAccount(world.context.db);
  const pending = await makeAccount(world.context.db);
  await world.context.db.pool.query('update domains set inbound_enabled = false where id = $1', [
    off.domainId,
  ]);
  await world.context.db.pool.query("update domains set status = 'pending' where id = $1", [
    pending.domainId,
  ]);
  const client = await connectSmtp(world.port);
  await client.say('EHLO c.test');
  await client.say('MAIL FROM:<ann@sender.test>');
  for (const address of [
    'ann@gmail.com',
    `x@sub.${account.domain}`,
    `x@${off.domain}`,
    `x@${pending.domain}`,
    `x@${account.domain}.evil.test`,
    'x@[127.0.0.1]',
    `"a@${account.domain}"@evil.test`,
  ]) {
    expect([address, await client.say(`RCPT TO:<${address}>`)]).toEqual([
      address,
      expect.stringMatching(/^550 5\.7\.1|^501/),
    ]);
  }
  expect(await client.say('DATA')).toMatch(/^503/);
  expect(await client.say(`RCPT TO:<Bob+x@${account.domain.toUpperCase()}>`)).toMatch(/^250/);
  client.close();
});

test('SMTPUTF8 and 8BITMIME mail comes through', async () => {
  const client = await connectSmtp(world.port);
  const utf8 = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
  await client.say('EHLO c.test');
  await client.say(utf8('MAIL FROM:<jürgen@sender.test> BODY=8BITMIME SMTPUTF8'));
  expect(await client.say(utf8(`RCPT TO:<böb@${account.domain}>`))).toMatch(/^250/);
  await client.say('DATA');
  client.write(utf8('Subject: Grüße\r\n\r\nÄ\r\n.\r\n'));
  expect(await client.reply()).toMatch(/^250/);
  const { rows } = await world.context.db.pool.query(
    'select r.mail_from, r.smtputf8, m.recipient from inbound_raws r join inbound_messages m on m.raw_id = r.id order by r.id desc limit 1',
  );
  expect(rows[0]).toEqual({
    mail_from: 'jürgen@sender.test',
    smtputf8: true,
    recipient: `böb@${account.domain}`,
  });
  client.close();
});

test('what is too large is refused, announced or not, and leaves nothing', async () => {
  const client = await connectSmtp(world.port);
  await client.say('EHLO c.test');
  expect(await client.say('MAIL FROM:<a@b.test> SIZE=26214401')).toMatch(/^552/);
  await client.say('MAIL FROM:<a@b.test>');
  await client.say(`RCPT TO:<${to}>`);
  await client.say('DATA');
  const line = Buffer.from(`${'x'.repeat(998)}\r\n`.repeat(1049));
  for (let i = 0; i < 26; i++) {
    if (!client.socket.write(line)) await new Promise((resolve) => client.socket.once('drain', resolve));
  }
  client.write('.\r\n');
  expect(await client.reply()).toMatch(/^552 5\.3\.4/);
  expect(await client.say('NOOP')).toMatch(/^250/);
  client.close();
  await until(async () => (await count('inbound_uploads')) === 0);
  await until(async () => (await strayChunks()) === 0); // also of an upload that began meanwhile
});

async function strayChunks(): Promise<number> {
  const { rows } = await world.context.db.pool.query<{ n: number }>(
    'select count(*)::int as n from inbound_chunks c where not exists (select 1 from inbound_raws r where r.id = c.raw_id)',
  );
  return rows[0]!.n;
}

test('loops are refused', async () => {
  const hops = (n: number) => 'Received: from a by b; Sat, 21 Nov 2026 03:05:13 +0000\r\n'.repeat(n);
  expect(await sendMail(world.port, { to, data: `${hops(30)}Subject: x\r\n\r\nx\r\n` })).toMatch(/^250/);
  expect(await sendMail(world.port, { to, data: `${hops(101)}Subject: x\r\n\r\nx\r\n` })).toMatch(
    /^554 5\.4\.6/,
  );
  const ours = 'Feedback-ID: cmp:tnt:bulk:postrider\r\nSubject: x\r\n\r\nx\r\n';
  const report = `complaints@bounces.${account.domain}`;
  expect(await sendMail(world.port, { to: report, data: ours })).toMatch(/^554 5\.4\.6/);
  expect(await sendMail(world.port, { to, data: ours })).toMatch(/^250/);
});

test('a client that leaves early leaves no row and no chunk', async () => {
  const before = await count('inbound_raws');
  for (const octets of [10, 300_000, 3_000_000]) {
    const client = await connectSmtp(world.port);
    for (const line of ['EHLO c.test', 'MAIL FROM:<a@b.test>', `RCPT TO:<${to}>`, 'DATA'])
      await client.say(line);
    client.write(Buffer.from('Subject: x\r\n\r\n'));
    client.write(Buffer.alloc(octets, 'x'));
    if (octets > 300_000) await until(async () => (await count('inbound_uploads')) > 0);
    client.close();
  }
  await until(async () => (await count('inbound_uploads')) === 0);
  expect(await count('inbound_raws')).toBe(before);
  await until(async () => (await strayChunks()) === 0); // also of an upload that began meanwhile
});

test.each(['end', 'resetAndDestroy'] as const)(
  'a hang-up in DATA (%s) is one line, for debugging',
  async (how) => {
    const lines: Record<string, unknown>[] = [];
    const note = (level: string) => (line: unknown, text: string) => void lines.push({ level, line, text });
    const log = Object.assign(Object.create(world.context.log) as Logger, {
      debug: note('debug'),
      info: note('info'),
      warn: note('warn'),
      error: note('error'),
    });
    const heard = await openAnother(world, {}, log);
    try {
      for (const octets of [10, 3_000_000]) {
        const client = await connectSmtp(heard.port);
        for (const line of ['EHLO c.test', 'MAIL FROM:<a@b.test>', `RCPT TO:<${to}>`, 'DATA'])
          await client.say(line);
        client.write(Buffer.alloc(octets, 'x'));
        if (octets > 10) await until(async () => (await count('inbound_uploads')) > 0);
        lines.length = 0;
        client.socket[how]();
        await until(() => lines.length > 0);
        await until(async () => (await count('inbound_uploads')) === 0);
        await heardAll(heard.port);
        expect(lines).toEqual([
          { level: 'debug', line: { peer: '127.0.0.1' }, text: 'a client left in DATA' },
        ]);
      }
    } finally {
      await heard.stop();
    }
  },
);

/** A whole session: what the one before had to say has been said. */
async function heardAll(port: number): Promise<void> {
  const client = await connectSmtp(port);
  await client.say('QUIT');
  client.close();
}

test('silence, and too many sessions from one address, end', async () => {
  const clients = await Promise.all(Array.from({ length: 60 }, () => connectSmtp(world.port)));
  const one = await connectSmtp(world.port).catch(() => null);
  expect(await one?.say('NOOP')).toBe('closed');
  expect(await clients[0]!.reply()).toMatch(/^421|closed/);
  for (const client of clients) client.close();
  await until(async () => {
    const client = await connectSmtp(world.port);
    const reply = await client.say('EHLO c.test');
    client.close();
    return reply.startsWith('250');
  });
});

test('451 while PostgreSQL cannot take it', async () => {
  const { context } = world;
  const { pool } = context.db;
  await pool.query('alter table inbound_raws rename to inbound_raws_away');
  const replies = await Promise.all(
    [1, 2, 3].map(() => sendMail(world.port, { to, data: 'Subject: x\r\n\r\nx\r\n' })),
  );
  await pool.query('alter table inbound_raws_away rename to inbound_raws');
  for (const reply of replies) expect(reply).toMatch(/^451 4\.3\.0/);
});

/** Another inbound server on the same stores, with other settings. */
test('a session that goes on for too long ends, however busy', async () => {
  const quick = await openAnother(world, { INBOUND_SESSION_SECONDS: 1 });
  const client = await connectSmtp(quick.port);
  const giveUpAt = performance.now() + 30_000; // thirty times as long as a session may last
  let reply = '250';
  while (reply.startsWith('250') && performance.now() < giveUpAt) {
    reply = await client.say('NOOP');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(reply).toMatch(/^421/);
  await quick.stop();
});

test.runIf(longForm(false, true))(
  `${LARGE} sessions of large mail at once do not grow memory with it`,
  async () => {
    // The short limits of the other tests would end sessions of a busy machine.
    const patient = await openAnother(world, { INBOUND_IDLE_SECONDS: 60, INBOUND_SESSION_SECONDS: 600 });
    const octets = 6 * 1024 * 1024;
    const before = (await storedRaws(world.context)).length;
    const block = Buffer.from(`${'y'.repeat(998)}\r\n`.repeat(64));
    const baseline = process.memoryUsage().rss;
    let peak = baseline;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 50);
    const one = async () => {
      const client = await connectSmtp(patient.port);
      for (const line of ['EHLO c.test', 'MAIL FROM:<a@b.test>', `RCPT TO:<${to}>`, 'DATA'])
        await client.say(line);
      client.write('Subject: large\r\n\r\n');
      for (let sent = 0; sent < octets; sent += block.length) {
        if (!client.socket.write(block)) await new Promise((resolve) => client.socket.once('drain', resolve));
      }
      client.write('.\r\n');
      const reply = await client.reply();
      client.close();
      return reply;
    };
    const replies = await Promise.all(Array.from({ length: LARGE }, one));
    clearInterval(watch);
    await patient.stop();
    expect(replies.filter((reply) => reply.startsWith('250'))).toHaveLength(LARGE);
    const grown = (peak - baseline) / 2 ** 20;
    console.log(`${LARGE} × 6 MiB at once: resident memory grew by ${grown.toFixed(0)} MB, client included`);
    expect(grown).toBeLessThan(LARGE * 6 * 0.8);
    expect(await count('inbound_raws')).toBe(before + LARGE);
  },
  120_000,
);

test('the banner comes at once: not one of ten clients waits as long as the library would let it', async () => {
  let shortest = Infinity;
  for (let n = 0; n < 10; n++) {
    const startedAt = monotonicMs();
    const client = await connectSmtp(world.port);
    shortest = Math.min(shortest, monotonicMs() - startedAt);
    expect(await client.say('EHLO client.test')).toMatch(/^250/);
    client.close();
  }
  expect(shortest).toBeLessThan(100); // of the shortest: the library's timer has no shorter one
});
