import { connect } from 'node:net';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

import { MessageStore } from '../../local/simulator/message-store.ts';
import { ensureTls } from '../../local/tls.ts';
import { waitUntil } from '../harness/wait.ts';
import { send, testSimulator } from '../harness/simulator.ts';
import { tempFolder } from '../harness/temp-folder.ts';

test.each([
  'delivered@simulator.test',
  'Delivered+label@Simulator.TEST',
  'anybody@simulator.test',
  'x@customer.test',
])('%s is delivered', async (to) => {
  const { simulator, client } = await testSimulator();
  expect(await send(simulator.smtpPort, to)).toMatch(/^250 2\.0\.0 /);
  const [caught] = await client.messages({ to });
  expect(caught).toMatchObject({ mail_from: 'sender@example.test' });
  expect(caught?.raw).toContain('Subject: Test\r\n');
});

test.each(['bounced@simulator.test', 'bounced+a+b@simulator.test'])('%s bounces', async (to) => {
  const { simulator, client } = await testSimulator();
  expect(await send(simulator.smtpPort, to)).toMatch(/^550 5\.1\.1 /);
  expect(await client.messages()).toEqual([]);
});

test('softbounced@ accepts the second try of the same message, and each message for itself', async () => {
  const { simulator } = await testSimulator();
  const to = 'softbounced+1@simulator.test';
  const reply = (from: string) => send(simulator.smtpPort, to, { from });
  expect(await reply('one@example.test')).toMatch(/^452 4\.2\.2 /);
  expect(await reply('two@example.test')).toMatch(/^452 4\.2\.2 /);
  expect(await reply('one@example.test')).toMatch(/^250 /);
  expect(await reply('two@example.test')).toMatch(/^250 /);
});

test('deferred@ says 421 however often it is tried, and closes the connection', async () => {
  const { simulator } = await testSimulator();
  for (let attempt = 0; attempt < 3; attempt++)
    expect(await send(simulator.smtpPort, 'deferred@simulator.test')).toMatch(/^421 4\.3\.2 /);
});

test('slow@ answers late, and holds up nobody else', async () => {
  const { simulator } = await testSimulator({ slowMs: 3_000 });
  const startedAt = performance.now();
  let answered = 0;
  const slow = send(simulator.smtpPort, 'slow@simulator.test').finally(() => answered++);
  expect(await send(simulator.smtpPort, 'delivered@simulator.test')).toMatch(/^250 /);
  expect(answered).toBe(0);
  expect(await slow).toMatch(/^250 /);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(2_990);
});

test('STARTTLS with the local certificate, SIZE, 8BITMIME, SMTPUTF8 and PIPELINING are offered', async () => {
  const files = await ensureTls(await tempFolder());
  const tls = { key: await readFile(files.keyFile, 'utf8'), cert: await readFile(files.certFile, 'utf8') };
  const { simulator, client } = await testSimulator({ tls });
  const greeting = await converse(simulator.smtpPort, 'EHLO test\r\nQUIT\r\n');
  for (const extension of ['STARTTLS', 'SIZE 26214400', '8BITMIME', 'SMTPUTF8', 'PIPELINING'])
    expect(greeting).toMatch(new RegExp(`^250[- ]${extension}\r$`, 'm'));
  expect(await send(simulator.smtpPort, 'delivered@simulator.test')).toMatch(/^250 /); // nodemailer uses STARTTLS
  expect(await send(simulator.smtpPort, 'jürgen@simulator.test')).toMatch(/^250 /);
  expect((await client.messages())[0]?.rcpt_to).toBe('jürgen@simulator.test');
});

test('a message is kept byte for byte, dots unstuffed, one item per recipient', async () => {
  const { simulator, client } = await testSimulator();
  const data = 'Subject: x\r\n\r\n..a dot\r\nNo-ASCII: \u00e4\r\n.\r\n';
  await converse(
    simulator.smtpPort,
    'EHLO t\r\nMAIL FROM:<>\r\nRCPT TO:<a@simulator.test>\r\nRCPT TO:<b@simulator.test>\r\nDATA\r\n',
    `${data}QUIT\r\n`,
  );
  const items = await client.messages();
  expect(items.map((item) => item.rcpt_to)).toEqual(['b@simulator.test', 'a@simulator.test']);
  expect(items[0]).toMatchObject({ mail_from: '', raw: 'Subject: x\r\n\r\n.a dot\r\nNo-ASCII: \u00e4\r\n' });
});

test('a client that breaks off in the middle of a message does no harm', async () => {
  const { simulator, client } = await testSimulator();
  const commands = 'EHLO t\r\nMAIL FROM:<>\r\nRCPT TO:<a@simulator.test>\r\nDATA\r\n';
  expect(await converse(simulator.smtpPort, commands, 'Subject: half')).toMatch(/^354 /m);
  expect(await send(simulator.smtpPort, 'delivered@simulator.test')).toMatch(/^250 /);
  expect(await client.messages()).toHaveLength(1);
});

test('the store keeps the most recent within its limits', () => {
  const store = new MessageStore({ maxMessages: 3, maxOctets: 10 });
  for (const size of [1, 1, 1, 1, 8, 2]) store.add('a@b', `${size}@b`, Buffer.alloc(size));
  expect(store.list(10).map((item) => item.rcpt_to)).toEqual(['2@b', '8@b']);
  expect(store.total).toBe(6);
  for (let count = 0; count < 100; count++) store.add('a@b', 'x@b', Buffer.alloc(1));
  expect(store.list(10).map((item) => item.id)).toEqual(['106', '105', '104']);
});

/** Sends each text once the server has said what the one before waits for; gives back all that it said. */
async function converse(port: number, ...turns: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answers = '';
  let ended = false;
  socket.on('data', (chunk: Buffer) => (answers += chunk.toString()));
  socket.on('error', () => {});
  socket.on('close', () => (ended = true));
  for (const text of turns) {
    const code = text === turns[0] ? '220' : '354';
    await waitUntil(() => new RegExp(`^${code} `, 'm').test(answers), {
      what: () => `${code} in: ${answers}`,
    });
    socket.write(text);
  }
  if (turns.at(-1)?.endsWith('QUIT\r\n'))
    await waitUntil(() => ended, { what: () => `the end of: ${answers}` });
  else socket.destroy();
  return answers;
}
