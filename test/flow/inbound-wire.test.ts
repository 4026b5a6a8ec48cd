// The end of a message is CRLF . CRLF and nothing else, however it is cut into packets and whatever looks like it. Each
// session here ends in one stored message with the same bytes, or in a refusal; never in two, never in other bytes.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { BAD_ENDINGS } from '../harness/bad-endings.ts';
import {
  makeAccount,
  openWorld,
  sendMail,
  storedRaws,
  stuffed,
  type InboundWorld,
} from '../harness/inbound-world.ts';
import { connectSmtp } from '../harness/smtp-client.ts';

let world: InboundWorld;
let to: string;
let seen = 0;

/** What was stored since the last call. */
async function freshRaws(): Promise<Buffer[]> {
  const raws = await storedRaws(world.context);
  const fresh = raws.slice(seen);
  seen = raws.length;
  return fresh;
}

beforeAll(async () => {
  world = await openWorld();
  to = `bob@${(await makeAccount(world.context.db)).domain}`;
});
afterAll(() => world.close());

const HEADER = 'From: a@b.test\r\nSubject: x\r\n\r\n';

/** Sends a whole session in writes of `size` bytes; resolves with the last replies, once QUIT was answered. */
async function inPieces(wire: Buffer, size: number): Promise<string[]> {
  const client = await connectSmtp(world.port);
  const session = Buffer.concat([
    Buffer.from(`EHLO c.test\r\nMAIL FROM:<a@b.test>\r\nRCPT TO:<${to}>\r\nDATA\r\n`),
    wire,
    Buffer.from('QUIT\r\n'),
  ]);
  for (let at = 0; at < session.length; at += size) {
    client.write(session.subarray(at, at + size));
    // Each write its own packet: the next one goes when the event loop has come round.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const replies: string[] = [];
  for (let reply = await client.reply(); reply !== 'closed'; reply = await client.reply())
    replies.push(reply);
  return replies.slice(3);
}

test.each([1, 3, 17, 4096])(
  'a whole session in writes of %i bytes is one message with the same bytes',
  async (size) => {
    const data = `${HEADER}one\r\n.\x00two\r\n..three\r\n...\r\n.\r\n\r\n`.replace(
      '\r\n.\r\n\r\n',
      '\r\n. \r\n\r\n',
    );
    const replies = await inPieces(stuffed(data), size);
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual(['354', '250', '221']);
    const raws = await freshRaws();
    expect(raws.map((raw) => raw.toString('latin1'))).toEqual([data]);
  },
);

/** Sends a message in two writes; the second goes when the server has read the first. */
async function inTwo(wire: Buffer, cut: number): Promise<string[]> {
  const client = await connectSmtp(world.port);
  for (const line of ['EHLO c.test', 'MAIL FROM:<a@b.test>', `RCPT TO:<${to}>`]) await client.say(line);
  const go = await client.say('DATA');
  client.write(wire.subarray(0, cut));
  await new Promise((resolve) => setTimeout(resolve, 5));
  client.write(wire.subarray(cut));
  return [go, await client.reply(), await client.say('QUIT')];
}

// What is between the header and the real end; all of these hide an end that another server would see.
const TRICKS: [string, string][] = [
  ['LF . LF', 'a\n.\nMAIL FROM:<evil@b.test>\r\n'],
  ['LF . CRLF', 'a\n.\r\nMAIL FROM:<evil@b.test>\r\n'],
  ['CRLF . LF', 'a\r\n.\nMAIL FROM:<evil@b.test>\r\n'],
  ['CRLF . CR', 'a\r\n.\rMAIL FROM:<evil@b.test>\r\n'],
  ['CR . CR', 'a\r.\rMAIL FROM:<evil@b.test>\r\n'],
  ['CR . CRLF', 'a\r.\r\nMAIL FROM:<evil@b.test>\r\n'],
  ['CRLF NUL . CRLF', 'a\r\n\0.\r\nMAIL FROM:<evil@b.test>\r\n'],
  ['CRLF . NUL CRLF', 'a\r\n.\0\r\nMAIL FROM:<evil@b.test>\r\n'],
  ['CR CR LF . CR CR LF', 'a\r\r\n.\r\r\nMAIL FROM:<evil@b.test>\r\n'],
  ['LF .. LF', 'a\n..\nb\r\n'],
  ['bare LF', 'a\nb\r\n'],
  ['bare CR', 'a\rb\r\n'],
  ['NUL', 'a\0b\r\n'],
  ['LF at the end', 'a\n\r\n'],
  ['CR at the end', 'a\r\r\n'],
];

test.each(TRICKS)('%s is text, or a reason to refuse, in any pieces', async (_name, body) => {
  for (const size of [1, 3, 17, 65_536]) {
    // The client stuffs nothing but what stands after CRLF, as RFC 5321 says.
    const data = HEADER + body;
    const wire = Buffer.from(`${data.replace(/\r\n\.(?!\r\n)/g, '\r\n..')}.\r\n`, 'latin1');
    const replies = await inPieces(wire, size);
    const raws = await freshRaws();
    const code = replies[1]?.slice(0, 3);
    expect(replies[0]).toMatch(/^354/);
    expect(replies.at(-1)).toMatch(/^221/);
    expect(replies).toHaveLength(3);
    if (code === '250') expect(raws.map((raw) => raw.toString('latin1'))).toEqual([data]);
    else {
      expect(code).toBe('550');
      expect(raws).toEqual([]);
    }
  }
});

// Cut into pieces of one size, and in two at each place of the ending: nothing of it may be lost at a border.
test.each(BAD_ENDINGS)(
  'the ending %s is refused, however it is cut, and smuggles nothing',
  async (_name, ending) => {
    const before = `${HEADER}one`;
    const inside = `MAIL FROM:<evil@b.test>\r\nRCPT TO:<${to}>\r\nDATA\r\n${HEADER}two\r\n`;
    const text = Buffer.from(`${before}${ending}${inside}.\r\n`, 'latin1');
    const expected = [/^354/, /^550 5\.6\.11 /, /^221/].map((reply) => expect.stringMatching(reply));
    for (const size of [1, 2, 3, 5, 7, 65_536]) {
      expect([size, ...(await inPieces(text, size))]).toEqual([size, ...expected]);
    }
    for (let cut = before.length - 1; cut <= before.length + ending.length + 1; cut++) {
      expect([cut, ...(await inTwo(text, cut))]).toEqual([cut, ...expected]);
    }
    const first = Buffer.from(`${ending.replace(/^\r?\n?/, '')}x\r\n.\r\n`, 'latin1');
    const atStart = await inPieces(first, 1); // the line of DATA ended in CRLF: only what follows the dot can be wrong
    expect(atStart[1]).toMatch(first.toString('latin1').startsWith('.\r\n') ? /^250/ : /^550/);
    expect(await freshRaws()).toHaveLength(atStart[1]!.startsWith('250') ? 1 : 0);
  },
);

test('a lone "..\\r\\n" split over packets stays one dot, and the session goes on', async () => {
  for (let cut = 0; cut < 12; cut++) {
    const client = await connectSmtp(world.port);
    for (const line of ['EHLO c.test', 'MAIL FROM:<a@b.test>', `RCPT TO:<${to}>`, 'DATA'])
      await client.say(line);
    const wire = '..\r\n..\r\n.\r\nNOOP\r\n';
    client.write(wire.slice(0, cut));
    await new Promise((resolve) => setTimeout(resolve, 5));
    client.write(wire.slice(cut));
    expect(await client.reply()).toMatch(/^250 2\.0\.0/);
    expect(await client.reply()).toMatch(/^250/);
    client.close();
    expect((await freshRaws()).map(String)).toEqual(['.\r\n.\r\n']);
  }
});

test('random text from the bytes that matter comes back as it went', async () => {
  const alphabet = ['\r\n', '\r\n', '.', '..', '\r\n.', 'a', '\0', '\x80', ' '];
  // As the server sees it; a line of one dot and NUL is refused.
  const isBad = (data: string) =>
    /(?:^|\r\n)\0*\.\0*(?=\r\n)/.exec(data.replace(/(^|\r\n)\.(?=\r\n)/g, '$1x'));
  let state = 42;
  const random = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  for (let round = 0; round < 60; round++) {
    const body = Array.from(
      { length: 1 + Math.floor(random() * 40) },
      () => alphabet[Math.floor(random() * 9)],
    ).join('');
    const data = `${HEADER}${body}\r\n`;
    const replies = await inPieces(stuffed(data), 1 + Math.floor(random() * 7));
    const bad = isBad(data) !== null;
    expect([data, replies[1]]).toEqual([data, expect.stringMatching(bad ? /^550/ : /^250/)]);
    expect((await freshRaws()).map((raw) => raw.toString('latin1'))).toEqual(bad ? [] : [data]);
  }
});

test('a message over one chunk comes back as it went', async () => {
  const line = `${'x'.repeat(75)}\r\n`;
  const data = `${HEADER}${line.repeat(20_000)}`;
  expect(await sendMail(world.port, { to, data })).toMatch(/^250/);
  const [raw] = await freshRaws();
  expect(raw?.length).toBe(data.length);
  expect(raw?.toString('latin1') === data).toBe(true);
  const { rows } = await world.context.db.pool.query('select count(*)::int as n from inbound_uploads');
  expect(rows[0].n).toBe(0);
});
