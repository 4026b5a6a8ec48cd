// Writes mail to inbound over a fixed number of connections, one message after the other on each, and measures the time
// from the final dot to its answer.

import { connect, type Socket } from 'node:net';

import { serveWorker } from '../worker.ts';

/** What to send. */
export interface InboundLoad {
  port: number;
  connections: number;
  seconds: number;
  /** Stops after so many, if that comes first. */
  messages?: number;
  /** Octets of a message. */
  octets: number;
  recipients: string[];
}

/** What came of it. */
export interface InboundLoadResult {
  accepted: number;
  refused: number;
  seconds: number;
  /** Milliseconds from the final dot to 250, ascending, in percent steps: index 50 is the median. */
  percentiles: number[];
}

serveWorker({ run });

async function run(load: InboundLoad): Promise<InboundLoadResult> {
  const message = Buffer.from(`${sampleMail(load.octets)}.\r\n`, 'latin1');
  const latencies: number[] = [];
  const most = load.messages ?? Infinity;
  const counts = { accepted: 0, refused: 0 };
  const sockets = await Promise.all(Array.from({ length: load.connections }, () => open(load.port)));
  const startedAt = performance.now();
  const endAt = startedAt + load.seconds * 1000;
  await Promise.all(
    sockets.map(async (client, index) => {
      for (let n = index; performance.now() < endAt && latencies.length < most; n += 1) {
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
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  for (const client of sockets) client.close();
  latencies.sort((a, b) => a - b);
  const percentiles = Array.from(
    { length: 101 },
    (_, p) => latencies[Math.min(latencies.length - 1, Math.floor((p / 100) * latencies.length))] ?? 0,
  );
  return { ...counts, seconds, percentiles };
}

function sampleMail(octets: number): string {
  const header = [
    'From: Ann <ann@sender.test>',
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

async function open(port: number): Promise<Client> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const replies: string[] = [];
  let waiting: ((reply: string) => void) | null = null;
  let rest = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    const lines = (rest + text).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (/^\d{3}-/.test(line)) continue;
      if (waiting) {
        const give = waiting;
        waiting = null;
        give(line);
      } else replies.push(line);
    }
  });
  const client: Client = {
    write: (bytes) => void socket.write(bytes),
    reply: () => {
      const known = replies.shift();
      return known === undefined ? new Promise((resolve) => (waiting = resolve)) : Promise.resolve(known);
    },
    close: () => socket.destroy(),
  };
  await client.reply();
  client.write('EHLO bench.test\r\n');
  await client.reply();
  return client;
}
