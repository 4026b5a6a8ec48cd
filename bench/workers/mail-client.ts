// Writes mail over a fixed number of connections, one message after the other on each, and measures the time from the
// final dot to its answer. To inbound as it is; to submission over STARTTLS, signed in.

import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { serveWorker } from '../worker.ts';

/** What to send. */
export interface MailLoad {
  port: number;
  connections: number;
  seconds: number;
  /** Stops after so many, if that comes first. */
  messages?: number;
  /** Octets of a message. */
  octets: number;
  recipients: string[];
  /** With these STARTTLS, AUTH unless the key is null, and after some hundred messages a new connection with the next. */
  logins?: Login[];
}

/** Who sends over submission. */
export interface Login {
  key: string | null;
  /** The header From. */
  from: string;
}

/** What came of it. */
export interface MailLoadResult {
  accepted: number;
  refused: number;
  seconds: number;
  /** Milliseconds from the final dot to 250, ascending, in percent steps: index 50 is the median. */
  percentiles: number[];
}

serveWorker({ run });

const PER_CONNECTION = 500; // under the 600 that a key may send in a minute

async function run(load: MailLoad): Promise<MailLoadResult> {
  const latencies: number[] = [];
  const most = load.messages ?? Infinity;
  const counts = { accepted: 0, refused: 0 };
  const logins = load.logins?.values() ?? null;
  const connections = await Promise.all(
    Array.from({ length: load.connections }, () => openFor(load, logins)),
  );
  const startedAt = performance.now();
  const endAt = startedAt + load.seconds * 1000;
  await Promise.all(
    connections.map(async (first, index) => {
      let { client, message } = first;
      for (let n = index, sent = 0; performance.now() < endAt && latencies.length < most; n += 1, sent += 1) {
        if (logins && sent === PER_CONNECTION) {
          client.close();
          ({ client, message } = await openFor(load, logins));
          sent = 0;
        }
        const to = load.recipients[n % load.recipients.length] ?? '';
        client.write(`MAIL FROM:<ann@sender.test>\r\nRCPT TO:<${to}>\r\nDATA\r\n`);
        await client.reply();
        await client.reply();
        const go = await client.reply();
        if (!go.startsWith('354')) throw new Error(`no DATA: ${go}`);
        const dotAt = performance.now();
        client.write(message);
        const reply = await client.reply();
        latencies.push(performance.now() - dotAt);
        if (reply.startsWith('250')) counts.accepted += 1;
        else counts.refused += 1;
      }
      client.close();
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  const percentiles = Array.from(
    { length: 101 },
    (_, p) => latencies[Math.min(latencies.length - 1, Math.floor((p / 100) * latencies.length))] ?? 0,
  );
  return { ...counts, seconds, percentiles };
}

async function openFor(
  load: MailLoad,
  logins: Iterator<Login> | null,
): Promise<{ client: Client; message: Buffer }> {
  const login = logins?.next().value as Login | undefined;
  if (logins && !login) throw new Error('there are no keys left');
  const mail = sampleMail(load.octets, login?.from ?? 'Ann <ann@sender.test>');
  return { client: await open(load.port, login), message: Buffer.from(`${mail}.\r\n`, 'latin1') };
}

function sampleMail(octets: number, from: string): string {
  const header = [
    `From: ${from}`,
    'To: bob@example.test',
    'Subject: A message of the bench',
    'Date: Sat, 21 Nov 2026 03:05:13 +0000',
    'Message-ID: <bench@sender.test>',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    '',
  ].join('\r\n');
  const line = `${'The quick brown fox jumps over the lazy dog. '.repeat(2).slice(0, 76)}\r\n`;
  return header + line.repeat(Math.max(1, Math.ceil((octets - header.length) / line.length)));
}

interface Client {
  write(bytes: string | Buffer): void;
  reply(): Promise<string>;
  close(): void;
}

async function open(port: number, login?: Login): Promise<Client> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const plain = speak(socket);
  await plain.reply();
  await say(plain, 'EHLO bench.test');
  if (!login) return plain;
  await say(plain, 'STARTTLS');
  socket.removeAllListeners('data');
  const tls = connectTls({ socket, rejectUnauthorized: false });
  const client = speak(tls);
  await new Promise((resolve) => tls.once('secureConnect', resolve));
  await say(client, 'EHLO bench.test');
  if (login.key !== null)
    await say(client, `AUTH PLAIN ${Buffer.from(`\0bench\0${login.key}`).toString('base64')}`);
  return client;
}

async function say(client: Client, command: string): Promise<void> {
  client.write(`${command}\r\n`);
  const reply = await client.reply();
  if (!reply.startsWith('2')) throw new Error(reply);
}

function speak(socket: Socket): Client {
  const replies: string[] = [];
  let waiting: ((reply: string) => void)[] = [];
  let rest = '';
  socket.on('error', () => {});
  socket.on('data', (bytes: Buffer) => {
    const lines = (rest + bytes.toString('latin1')).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (/^\d{3}-/.test(line)) continue;
      const give = waiting.shift();
      if (give) give(line);
      else replies.push(line);
    }
  });
  socket.on('close', () => {
    for (const give of waiting) give('closed');
    waiting = [];
  });
  return {
    write: (bytes) => void socket.write(bytes),
    reply: () => {
      const known = replies.shift();
      return known === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(known);
    },
    close: () => socket.destroy(),
  };
}
