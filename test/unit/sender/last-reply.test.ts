// The reply that was read last decides, whatever ends the connection (RFC 5321 sections 3.8 and 4.2.1).

import { createServer, type Server, type Socket } from 'node:net';

import { afterEach, expect, test } from 'vitest';

import { openConnection, type Endpoint } from '../../../sender/smtp/connection.ts';
import { transact, type Transaction } from '../../../sender/smtp/transact.ts';

let server: Server | undefined;
afterEach(() => new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined))));

type Answers = (line: string, socket: Socket) => string | null;

/** Sends one message to a server that greets and answers each line so; null: nothing is said, or the script did it. */
async function sendTo(greeting: string, answers: Answers, startTls: Endpoint['startTls'] = 'off') {
  server = createServer((socket) => {
    socket.on('error', () => {});
    if (greeting.includes('521')) socket.end(greeting);
    else socket.write(greeting);
    let rest = '';
    socket.on('data', (bytes) => {
      const lines = (rest + bytes.toString('latin1')).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const answer = answers(line, socket);
        if (answer !== null && socket.writable) socket.write(answer);
      }
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const opened = await openConnection({
    host: 'mx.test',
    address: '127.0.0.1',
    port,
    implicitTls: false,
    startTls,
    verify: false,
    demand: null,
    auth: null,
    helo: 'out.test',
    localAddress: null,
    timeoutMs: 2_000,
    dotTimeoutMs: 2_000,
  });
  if (!opened.ok) return opened.failure;
  const message = Buffer.from(`Subject: x\r\n\r\n${`${'y'.repeat(70)}\r\n`.repeat(30_000)}`);
  const envelope = { mailFrom: 'a@our.test', rcptTo: 'b@mx.test', message, smtputf8: false, eightBit: false };
  const result: Transaction = await transact(opened.connection, envelope, async () => true);
  opened.connection.close();
  return result;
}

const polite: Answers = (line) => {
  if (line.startsWith('EHLO')) return '250-mx.test\r\n250 SIZE\r\n';
  if (line.startsWith('DATA')) return '354 go\r\n';
  return /^(?:MAIL|RCPT|RSET)/.test(line) ? '250 ok\r\n' : null;
};
const refusal = (code: number, command: string, text: RegExp) => ({
  kind: 'refused',
  reply: { code, command, text: expect.stringMatching(text) },
});

test.each([
  ['220-mx.test ESMTP\r\n521 5.7.1 192.0.2.1 blocked\r\n', 521, /blocked/],
  ['220-welcome\r\n220-to mx.test\r\n521 your address is blocked\r\n', 521, /^your address is blocked$/],
  ['220-mx.test\r\n521-5.7.1 blocked\r\n521 5.7.1 see https://mx.test\r\n', 521, /^blocked see/],
])('a greeting that begins with 220 and ends in a refusal: %j', async (greeting, code, text) => {
  expect(await sendTo(greeting, polite)).toMatchObject(refusal(code, 'CONNECT', text));
});

test.each(['opportunistic', 'required'] as const)('421 to STARTTLS, %s', async (startTls) => {
  const result = await sendTo(
    '220 mx.test\r\n',
    (line, socket) => {
      if (line.startsWith('EHLO')) return '250-mx.test\r\n250 STARTTLS\r\n';
      if (line.startsWith('STARTTLS')) socket.end('421 4.7.0 too busy for TLS\r\n');
      return null;
    },
    startTls,
  );
  expect(result).toMatchObject(refusal(421, 'STARTTLS', /too busy for TLS/));
});

test.each([
  ['552 5.3.4 too big', 552, /too big/],
  ['421 4.3.2 shutting down', 421, /shutting down/],
  ['554-5.7.1 this is\r\n554 5.7.1 spam', 554, /this is spam/],
])('%j in the middle of the data', async (reply, code, text) => {
  let said = false;
  const result = await sendTo('220 mx.test\r\n', (line, socket) => {
    if (line.startsWith('yyy') && !said) {
      said = true;
      socket.write(`${reply}\r\n`, () => socket.destroy());
    }
    return line.startsWith('yyy') ? null : polite(line, socket);
  });
  expect(result).toMatchObject(refusal(code, 'DOT', text));
});
