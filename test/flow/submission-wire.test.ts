// SMTP submission on the wire: who may send, what is refused in which words, and what hostile clients get. The api is real,
// the sender behind it answers as the test says.

import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { revokeKey } from '../../core/key/keys.ts';
import { TESTER } from '../harness/actor.ts';
import { createApiWorld, type ApiWorld } from '../harness/api-world.ts';
import { BAD_ENDINGS } from '../harness/bad-endings.ts';
import { connectSmtp, connectSmtps, type SmtpClient } from '../harness/smtp-client.ts';
import { failed, sent } from '../harness/stub-sender.ts';
import {
  mail,
  plain,
  signedIn,
  startSubmission,
  submit,
  type RunningSubmission,
} from '../harness/submission.ts';
import { WITHIN_A_SECOND, waitUntil } from '../harness/wait.ts';

const FROM = 'Shop <orders@example.com>';
const SETTINGS = {
  SUBMISSION_MEMORY_MIB: 32,
  SUBMISSION_CONNECTIONS_PER_ADDRESS: 30,
};

let world: ApiWorld;
let submission: RunningSubmission;
let key: string;
let tenantId: string;
const clients: SmtpClient[] = [];

beforeAll(async () => {
  world = await createApiWorld();
  submission = await startSubmission(world, SETTINGS);
});
beforeEach(async () => {
  for (const client of clients.splice(0)) client.close();
  world.stub.requests.length = 0;
  world.stub.answer = ({ messageId }) => sent(messageId);
  ({ key, tenantId } = await world.makeKey()); // its own rate limit
});
afterAll(async () => {
  for (const client of clients) client.close();
  await submission.stop();
  await world.close();
});

async function client(withKey = key): Promise<SmtpClient> {
  const made = await signedIn(submission, withKey);
  clients.push(made);
  return made;
}

async function stranger(from?: string): Promise<SmtpClient> {
  const made = await connectSmtps(submission.tlsPort, from);
  clients.push(made);
  await made.say('EHLO client.test');
  return made;
}

test('without TLS there is no AUTH, and what is slipped in after STARTTLS is not heard', async () => {
  const clear = await connectSmtp(submission.port);
  clients.push(clear);
  const offer = await clear.say('EHLO client.test');
  for (const word of [
    'STARTTLS',
    'SIZE 26214400',
    '8BITMIME',
    'SMTPUTF8',
    'PIPELINING',
    'ENHANCEDSTATUSCODES',
  ])
    expect(offer).toContain(word);
  expect(offer).not.toContain('AUTH');
  expect(await clear.say(`AUTH PLAIN ${plain(key)}`)).toMatch(/^538 5\.7\.11 /);
  expect(await clear.say('MAIL FROM:<a@example.com>')).toMatch(/^530 5\.7\.0 /);
  expect(await clear.say('STARTTLS\r\nEHLO evil.test\r\nMAIL FROM:<evil@example.com>\r\nNOOP')).toMatch(
    /^220/,
  );
  const secure = await clear.secure();
  clients.push(secure);
  // The first reply under TLS is to our own command, and the session knows nothing of what came before.
  expect(await secure.say('NOOP')).toMatch(/^250 2\.0\.0 OK/);
  expect(await secure.say('MAIL FROM:<a@example.com>')).toMatch(/^503/);
  expect(await secure.say('EHLO client.test')).toMatch(/AUTH PLAIN LOGIN/);
  expect(await secure.say(`AUTH PLAIN ${plain(key)}`)).toMatch(/^235 2\.7\.0 /);
  expect(await submit(secure, mail(FROM))).toMatch(/^250 2\.0\.0 Ok: queued as msg_[0-9a-z]{26}$/);
  expect(world.stub.requests).toHaveLength(1);
});

test('PLAIN and LOGIN take an API key that may send, with any user name, and nothing else', async () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const other = await stranger('127.0.0.2'); // its failures are not counted against the others
  expect(await other.say('AUTH LOGIN')).toBe('334 VXNlcm5hbWU6');
  expect(await other.say(base64('söme one'))).toBe('334 UGFzc3dvcmQ6');
  expect(await other.say(base64(key))).toMatch(/^235/);
  const next = await stranger('127.0.0.2');
  expect(await next.say('AUTH PLAIN')).toMatch(/^334/);
  expect(await next.say(plain(key))).toMatch(/^235/);
  expect(await next.say(`AUTH PLAIN ${plain(key)}`)).toMatch(/^503/);

  const { key: reader } = await world.makeKey({ scopes: ['transactional:read'] });
  const last = await stranger('127.0.0.2');
  const almost = key.slice(0, -1) + (key.endsWith('x') ? 'y' : 'x');
  for (const bad of ['', 'nonsense', almost, reader, 'x'.repeat(5_000)])
    expect([bad, await last.say(`AUTH PLAIN ${plain(bad)}`)]).toEqual([
      bad,
      expect.stringMatching(/^535 5\.7\.8 /),
    ]);
  expect(await last.say('MAIL FROM:<a@example.com>')).toMatch(/^530 5\.7\.0 /);
  expect(await last.say('VRFY ann')).toMatch(/^252/);
  expect(await last.say('EXPN staff')).toMatch(/^50[02]/);
});

test('after ten failed sign-ins of an address in ten minutes the next is put off, on every process; a good key always opens', async () => {
  const other = await world.startAnother();
  const twin = await startSubmission(other, SETTINGS);
  const attempt = async (port: number, password: string) => {
    const one = await connectSmtps(port, '127.0.0.3');
    clients.push(one);
    await one.say('EHLO client.test');
    return one.say(`AUTH PLAIN ${plain(password)}`);
  };
  try {
    const ports = [submission.tlsPort, twin.tlsPort];
    for (let n = 0; n < 9; n++) expect(await attempt(ports[n % 2]!, `wrong ${n}`)).toMatch(/^535 5\.7\.8 /);
    // Programs try the same password by PLAIN and by LOGIN, which counts once.
    const twice = await connectSmtps(ports[0]!, '127.0.0.3');
    clients.push(twice);
    await twice.say('EHLO client.test');
    expect(await twice.say(`AUTH PLAIN ${plain('wrong twice')}`)).toMatch(/^535 5\.7\.8 /);
    await twice.say(`AUTH PLAIN ${plain('wrong twice')}`);
    for (const port of ports) {
      expect(await attempt(port, 'wrong')).toMatch(/^454 4\.7\.0 .*Too many sign-ins/);
      expect(await attempt(port, key)).toMatch(/^235 /);
    }
    expect(await twice.say(`AUTH PLAIN ${plain('another')}`)).toMatch(/^454 4\.7\.0 /); // the connection is open
    expect(await twice.say(`AUTH PLAIN ${plain(key)}`)).toMatch(/^235 /);
  } finally {
    await twin.stop();
  }
});

test('a key that is revoked stops working in an open session, and another may sign in there', async () => {
  const { key: doomed, keyId } = await world.makeKey({ tenantId });
  const open = await client(doomed);
  expect(await submit(open, mail(FROM))).toMatch(/^250/);
  await revokeKey(world.context, TESTER, { tenantId, keyId });
  await waitUntil(async () => {
    const reply = await open.say('MAIL FROM:<a@example.com>');
    if (reply.startsWith('530 5.7.0')) return true;
    await open.say('RSET');
    return false;
  }, WITHIN_A_SECOND);
  expect(await open.say(`AUTH PLAIN ${plain(key)}`)).toMatch(/^235/);
  expect(await submit(open, mail(FROM))).toMatch(/^250/);
});

test('one message for each RCPT in one submission; 101st and all after it are told to come later', async () => {
  const open = await client();
  const to = Array.from({ length: 100 }, (_, n) => `r${n}@sink.test`);
  const idOf = (n: number) => `msg_01jd8x4z3kf5t8r9w2m6q7v${String(n).padStart(3, '0')}`;
  world.stub.answer = ({ messageId, message }) =>
    sent(messageId, {
      recipients: [message!.to, message!.cc, message!.bcc].flat().map((email, n) => ({
        email,
        id: idOf(n),
        status: 'queued',
        reason: '',
        deferredUntil: undefined,
      })),
    });
  const reply = await submit(open, mail(FROM), to);
  expect(reply).toMatch(/^250 2\.0\.0 Ok: queued as msg_[0-9a-z]{26}(,msg_[0-9a-z]{26}){14,15}$/);
  expect(`${reply}\r\n`.length).toBeLessThanOrEqual(512);
  expect(world.stub.requests).toHaveLength(1);
  const { message } = world.stub.requests[0]!;
  expect([message!.to, message!.cc, message!.bcc].flat().toSorted()).toEqual(to.toSorted());
  // Those of the header To come first there, and where RCPT named them in the reply.
  const three = ['max@sink.test', 'ANN@Sink.test', 'bob@sink.test'];
  expect(await submit(open, mail(FROM), three)).toBe(
    `250 2.0.0 Ok: queued as ${idOf(1)},${idOf(0)},${idOf(2)}`,
  );
  // A thousand in one go, as a bulk mailer pipelines them.
  const { key: fresh } = await world.makeKey();
  const bulk = await client(fresh);
  await bulk.say('MAIL FROM:<a@example.com>');
  bulk.write(Array.from({ length: 1_000 }, (_, n) => `RCPT TO:<x${n}@sink.test>\r\n`).join(''));
  const replies: string[] = [];
  for (let n = 0; n < 1_000; n++) replies.push(await bulk.reply());
  expect(replies.filter((one) => one.startsWith('250'))).toHaveLength(100);
  expect(replies.slice(100).every((one) => one.startsWith('452 4.5.3 '))).toBe(true);
});

test('what the sender says comes back in the words of SMTP', async () => {
  const open = await client();
  const until = new Date('2026-11-23T00:00:00Z');
  world.stub.answer = ({ messageId }) =>
    sent(messageId, { status: 'deferred', reason: 'warmup_cap', deferredUntil: until });
  expect(await submit(open, mail(FROM))).toMatch(
    /^250 2\.0\.0 Ok: queued as msg_\w+ deferred until 2026-11-23T00:00:00\.000Z/,
  );
  world.stub.answer = ({ messageId }) => sent(messageId, { status: 'dropped', reason: 'suppressed' });
  expect(await submit(open, mail(FROM))).toMatch(
    /^250 2\.0\.0 Ok: queued as msg_\w+ dropped \(suppressed\)$/,
  );
  const codes = {
    quota_exceeded: '452 4.2.2',
    domain_not_verified: '550 5.7.1',
    domain_paused: '451 4.7.1',
    idempotency_conflict: '550 5.6.0',
    idempotency_in_progress: '451 4.5.0',
    unavailable: '451 4.3.0',
    internal_error: '451 4.3.0',
  };
  for (const [code, reply] of Object.entries(codes)) {
    world.stub.answer = () => failed(code);
    expect([code, await submit(open, mail(FROM))]).toEqual([code, `${reply} refused: ${code}`]);
  }
  world.stub.answer = () =>
    failed('validation_failed', { details: [{ path: 'esp', message: 'must be one of direct, not x' }] });
  expect(await submit(open, mail(FROM))).toBe('550 5.6.0 X-Postrider-Route must be one of direct, not x');
  expect(await submission.metrics()).toMatch(/submission_replies_total\{[^}]*reply="452 4\.2\.2"[^}]*\} 1/);
});

test('over the rate of the key DATA is refused before the message is asked for, and REST counts the same', async () => {
  const open = await client();
  const to = Array.from({ length: 100 }, (_, n) => `r${n}@sink.test`);
  for (let n = 0; n < 6; n++) expect(await submit(open, mail(FROM), to)).toMatch(/^250/);
  expect(await submit(open, mail(FROM))).toMatch(/^451 4\.7\.1 More than 600 recipients /);
  const body = { from: FROM, to: 'ann@sink.test', subject: 'Hello', text: 'x' };
  expect((await world.call('POST', '/transactional/send', { key, body })).status).toBe(429);
  expect(world.stub.requests).toHaveLength(6);
});

test('the fields that are for us are read, and no recipient sees them', async () => {
  const open = await client();
  const at = '2000-01-01T00:00:00.000Z';
  const fields = [
    'X-Postrider-Tags: [{"name":"kind",\r\n "value":"receipt"}]',
    'x-postrider-track-opens: TRUE',
    'X-Postrider-Track-Clicks: false',
    'X-Postrider-Unsubscribe: true',
    `X-Postrider-Scheduled-At: ${at}`,
    'X-Postrider-Route: direct',
    'X-Postrider-Idempotency-Key: order-1',
    'X-Order: 17',
  ];
  const data = mail(FROM, fields);
  expect(await submit(open, data)).toMatch(/^250/);
  const first = world.stub.requests[0]!;
  expect(first.message).toMatchObject({
    tags: [{ name: 'kind', value: 'receipt' }],
    trackOpens: true,
    trackClicks: false,
    unsubscribe: true,
    scheduledAt: new Date(at),
    esp: 'direct',
  });
  expect(Buffer.from(first.message!.raw).toString()).toBe(mail(FROM, ['X-Order: 17']));
  await submit(open, mail(FROM, ['X-Postrider-Tags: {"a":"1","b":"2"}']));
  expect(world.stub.requests.at(-1)!.message!.tags).toEqual([
    { name: 'a', value: '1' },
    { name: 'b', value: '2' },
  ]);
});

test('an idempotency key counts for each set of recipients, as relays that split a message need it', async () => {
  const open = await client();
  const data = mail(FROM, ['X-Postrider-Idempotency-Key: order-1']);
  const two = ['ann@sink.test', 'bob@sink.test'];
  const asked = [
    [data, two],
    [data, ['Bob@sink.test', 'ann@sink.test']],
    [data.replace('Hello.', 'Other.'), two],
    [data, ['eve@sink.test']],
    [data.replace('order-1', 'order-2'), two],
  ] as const;
  for (const [bytes, to] of asked) expect(await submit(open, bytes, [...to])).toMatch(/^250/);
  const seen = world.stub.requests.map(({ idempotency }) => idempotency!);
  const [first, again, changed, others, another] = seen.map(({ key: one }) => one);
  expect(first).toMatch(/^smtp-[\w-]{43}$/);
  expect([again, changed]).toEqual([first, first]); // the second of them is a conflict
  expect(new Set([first, others, another]).size).toBe(3);
  const hashes = seen.map(({ bodyHash }) => bodyHash.toString('hex'));
  expect([hashes[1], hashes[3]]).toEqual([hashes[0], hashes[0]]);
  expect(hashes[2]).not.toBe(hashes[0]);
});

test('a text with long lines is encoded again and a long field is folded; the rest is as it was written', async () => {
  const open = await client();
  const long = `${'word '.repeat(400)}end`;
  const to = Array.from({ length: 60 }, (_, n) => `person${n}@sink.test`);
  expect(await submit(open, mail(FROM, [`Cc: ${to.join(', ')}`], long))).toMatch(/^250/);
  const raw = Buffer.from(world.stub.requests[0]!.message!.raw).toString();
  expect(Math.max(...raw.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(998);
  expect(raw).toContain('\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nword word');
  expect(raw).toContain(`Subject: Hello\r\nCc: person0@sink.test, person1@sink.test,`);
  const signed = ['MIME-Version: 1.0', 'Content-Type: multipart/signed; boundary=x'];
  const parts = `--x\r\nContent-Type: text/plain\r\n\r\n${long}\r\n--x--`;
  expect(await submit(open, mail(FROM, signed, parts))).toMatch(
    /^550 5\.6\.0 The message has more than 998 octets in a line in its part 1 \(text\/plain\), which is signed/,
  );
  expect(await submit(open, mail(FROM, [], 'x\ny'))).toMatch(
    /^550 5\.6\.0 The message has a bare LF .*curl: --crlf/,
  );
});

test.each([
  ['X-Postrider-Tags: nonsense', 'X-Postrider-Tags must be JSON'],
  ['X-Postrider-Tags: [{"name":1}]', 'X-Postrider-Tags '],
  ['X-Postrider-Track-Opens: perhaps', 'X-Postrider-Track-Opens must be true or false'],
  ['X-Postrider-Scheduled-At: tomorrow', 'X-Postrider-Scheduled-At must be a time in RFC 3339'],
  ['X-Postrider-Route: Not A Route', 'X-Postrider-Route is not the name of a route'],
  ['X-Postrider-Idempotency-Key: two words', 'X-Postrider-Idempotency-Key must be 1 to 255 visible ASCII'],
  ['X-Postrider-Track-Open: true', 'X-Postrider-Track-Open is not known; these are: X-Postrider-Tags, '],
  ['X-Postrider-Route: direct\r\nX-Postrider-Route: other', 'X-Postrider-Route is there more than once'],
  ['X-Postrider-Route: dir\nect', 'X-Postrider-Route has a bare CR or LF'],
  ['From: eve@example.com', 'The message has more than one From'],
  ['X: y\r\n\nFrom: z', 'The message '],
  [
    'X-Long: ' + 'x'.repeat(1_000),
    'The message has more than 998 octets in a line in its field X-Long, which',
  ],
])('550 5.6.0 for %j', async (field, reason) => {
  const open = await client();
  const reply = await submit(open, mail(FROM, [field]));
  expect(reply.startsWith(`550 5.6.0 ${reason}`)).toBe(true);
  expect(reply.length).toBeLessThanOrEqual(510);
  expect(world.stub.requests).toEqual([]);
});

test('more than 50 Received fields are a loop', async () => {
  const open = await client();
  const passed = (times: number) => mail(FROM, Array<string>(times).fill('Received: from a.test by b.test'));
  expect(await submit(open, passed(51))).toBe('554 5.4.6 This message is in a loop');
  expect(world.stub.requests).toEqual([]);
  expect(await submit(open, passed(50))).toMatch(/^250/);
});

test('no From, bad recipients', async () => {
  const open = await client();
  expect(await submit(open, 'Subject: x\r\n\r\nx\r\n')).toBe('550 5.6.0 The message has no From');
  await open.say('MAIL FROM:<>');
  for (const bad of ['ann@localhost', 'ann@[127.0.0.1]', '"a b"@sink.test', 'ann'])
    expect([bad, await open.say(`RCPT TO:<${bad}>`)]).toEqual([
      bad,
      expect.stringMatching(/^5\d\d 5\.1\.3 /),
    ]);
  expect(await open.say('DATA')).toMatch(/^503/);
});

test.each([...BAD_ENDINGS, ['lf dot dot lf', '\n..\n'] as const])(
  'the ending %s, which is none, smuggles nothing, however it is cut',
  async (_name, ending) => {
    const open = await client();
    const inside = `MAIL FROM:<evil@example.com>\r\nRCPT TO:<victim@sink.test>\r\nDATA\r\n${mail('evil@example.com')}`;
    const data = Buffer.from(`${mail(FROM)}x${ending}${inside}`, 'latin1');
    const at = mail(FROM).length;
    for (let cut = at; cut <= at + ending.length + 2; cut++) {
      expect(await open.say('MAIL FROM:<bounces@elsewhere.test>')).toMatch(/^250/);
      expect(await open.say('RCPT TO:<ann@sink.test>')).toMatch(/^250/);
      expect(await open.say('DATA')).toMatch(/^354/);
      open.write(data.subarray(0, cut));
      await new Promise((resolve) => setTimeout(resolve, 5));
      open.write(data.subarray(cut));
      expect([cut, await open.say('.')]).toEqual([
        cut,
        expect.stringMatching(/^550 5\.6\.0 The message has a /),
      ]);
      expect(await open.say('NOOP')).toMatch(/^250 2\.0\.0 OK/); // one reply for one message
    }
    expect(world.stub.requests).toEqual([]);
  },
);

test('parameters that are not offered are 555, UTF-8 without SMTPUTF8 is 553, and bytes that are none are 501', async () => {
  const open = await client();
  const utf8 = (text: string) => Buffer.from(text).toString('latin1');
  const dialogue: [string, RegExp][] = [
    ...['HOLDFOR=60', 'RET=HDRS', 'ENVID=x', 'REQUIRETLS'].map((one): [string, RegExp] => [
      `MAIL FROM:<a@example.com> ${one}`,
      /^555 5\.5\.4 /,
    ]),
    [utf8('MAIL FROM:<jürgen@example.com>'), /^553 5\.6\.7 /],
    ['MAIL FROM:<j\xfcrgen@example.com> SMTPUTF8', /^501 5\.1\.7 /],
    ['MAIL FROM:<a@example.com> AUTH=<> BODY=8BITMIME', /^250/],
    ['RCPT TO:<ann@sink.test> PRIORITY=1', /^555 5\.5\.4 /],
    ['RCPT TO:<ann@sink.test> NOTIFY=SUCCESS ORCPT=rfc822;ann@sink.test', /^555 5\.5\.4 /],
    ['RSET', /^250/],
    ['EHLO again.test', /^250/],
    ['MAIL FROM:<a@example.com> AUTH=<> SIZE=100 BODY=8BITMIME SMTPUTF8', /^250/],
    ['RSET', /^250/],
    ['MAIL FROM:<a@example.com>', /^250/],
    [utf8('RCPT TO:<jürgen@sink.test>'), /^553 5\.6\.7 /],
    ['RSET', /^250/],
    [utf8('MAIL FROM:<jürgen@example.com> SMTPUTF8'), /^250/],
    [utf8('RCPT TO:<jürgen@sink.test>'), /^250/],
    ['RCPT TO:<j\xfcrgen@sink.test>', /^501 5\.1\.3 /],
  ];
  for (const [command, reply] of dialogue)
    expect([command, await open.say(command)]).toEqual([command, expect.stringMatching(reply)]);
});

test('too large is refused, announced or not; a client that leaves in DATA leaves nothing', async () => {
  const open = await client();
  expect(await open.say('MAIL FROM:<a@example.com> SIZE=26214401')).toMatch(/^552 5\.3\.4 /);
  const megabyte = Buffer.from(`${'x'.repeat(998)}\r\n`.repeat(1_049));
  await open.say('MAIL FROM:<a@example.com>');
  await open.say('RCPT TO:<ann@sink.test>');
  await open.say('DATA');
  open.write(mail(FROM));
  for (let n = 0; n < 26; n++)
    if (!open.socket.write(megabyte)) await new Promise((resolve) => open.socket.once('drain', resolve));
  expect(await open.say('.')).toMatch(/^552 5\.3\.4 /);
  expect(await submit(open, mail(FROM))).toMatch(/^250/);
  world.stub.requests.length = 0;
  const leaver = await client();
  await leaver.say('MAIL FROM:<a@example.com>');
  await leaver.say('RCPT TO:<ann@sink.test>');
  await leaver.say('DATA');
  leaver.write(mail(FROM));
  leaver.socket.end();
  await waitUntil(async () => /reply="421 4\.4\.2"/.test(await submission.metrics()));
  expect(world.stub.requests).toEqual([]);
});

test('messages beyond the memory for them are told to come again, and those that fit go on', async () => {
  const size = 20 * 1_048_576;
  const line = Buffer.from(`${'x'.repeat(998)}\r\n`);
  const block = Buffer.concat(
    Array<Buffer>(size / 1_048_576).fill(Buffer.concat(Array<Buffer>(1_048).fill(line))),
  );
  const [first, second, third] = [await client(), await client(), await client()];
  for (const one of [first, second]) {
    await one.say('MAIL FROM:<a@example.com>');
    await one.say('RCPT TO:<ann@sink.test>');
    expect(await one.say('DATA')).toMatch(/^354/);
  }
  first.write(Buffer.concat([Buffer.from(mail(FROM)), block]));
  await third.say('MAIL FROM:<a@example.com> SIZE=20971520');
  await third.say('RCPT TO:<ann@sink.test>');
  await waitUntil(async () => {
    const reply = await third.say('DATA');
    if (reply.startsWith('452 4.3.1 ')) return true;
    third.write('x\r\n.\r\n'); // the first has not arrived yet
    await third.reply();
    await third.say('MAIL FROM:<a@example.com> SIZE=20971520');
    await third.say('RCPT TO:<ann@sink.test>');
    return false;
  });
  second.write(Buffer.concat([Buffer.from(mail(FROM)), block]));
  expect(await second.say('.')).toMatch(/^452 4\.3\.1 /);
  expect(await first.say('.')).toMatch(/^250/);
  expect(await submit(second, Buffer.concat([Buffer.from(mail(FROM)), block]))).toMatch(/^250/);
});

test('silence and too many sessions from one address end; a session has a longest time', async () => {
  const short = await startSubmission(world, {
    ...SETTINGS,
    SUBMISSION_IDLE_SECONDS: 1,
    SUBMISSION_SESSION_SECONDS: 3,
    SUBMISSION_CONNECTIONS_PER_ADDRESS: 2,
  });
  try {
    const silent = await signedIn(short, key);
    const busy = await signedIn(short, key);
    await expect(signedIn(short, key)).rejects.toThrow(/421 4\.7\.0|closed/);
    await busy.say('MAIL FROM:<a@example.com>');
    await busy.say('RCPT TO:<ann@sink.test>');
    await busy.say('DATA');
    const drip = setInterval(() => busy.write('x'), 200);
    expect(await silent.reply()).toMatch(/^421 4\.4\.2 /);
    expect(await busy.reply()).toMatch(/^421 4\.4\.2 This session took too long/);
    clearInterval(drip);
    expect(world.stub.requests).toEqual([]);
  } finally {
    await short.stop();
  }
});

test('an address that opens connections and never begins TLS shuts nobody out', async () => {
  const small = await startSubmission(world, {
    ...SETTINGS,
    SUBMISSION_MAX_CONNECTIONS: 4,
    SUBMISSION_CONNECTIONS_PER_ADDRESS: 2,
  });
  const silent = Array.from({ length: 6 }, () =>
    connect({ port: small.tlsPort, host: '127.0.0.1', localAddress: '127.0.0.4' }).on('error', () => {}),
  );
  try {
    await Promise.all(silent.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    expect(await submit(await signedIn(small, key), mail(FROM))).toMatch(/^250/);
  } finally {
    for (const socket of silent) socket.destroy();
    await small.stop();
  }
});

test('stopping lets a message that is coming in finish, and tells the others', async () => {
  const last = await startSubmission(world, SETTINGS);
  const idle = await signedIn(last, key);
  const inData = await signedIn(last, key);
  await inData.say('MAIL FROM:<a@example.com>');
  await inData.say('RCPT TO:<ann@sink.test>');
  await inData.say('DATA');
  inData.write(mail(FROM));
  const stopped = last.stop();
  expect(await idle.reply()).toMatch(/^421 4\.3\.2 /);
  expect(await inData.say('.')).toMatch(/^250 2\.0\.0 Ok: queued as msg_/);
  expect(await inData.reply()).toMatch(/^421 4\.3\.2 /);
  await stopped;
  await expect(connectSmtps(last.tlsPort).then((one) => one.say('NOOP'))).resolves.toBe('closed');
});
