// A mail server that accepts everything and keeps next to nothing, so that it is never what limits a sender. It speaks
// just the SMTP that clients of ours need (RFC 5321, PIPELINING of RFC 2920) and answers each chunk in one write.

import { createServer, type AddressInfo, type Socket } from 'node:net';

import { startDnsServer } from '../../local/simulator/dns-server.ts';
import { Zone, type DnsRecord } from '../../local/simulator/zone.ts';
import { RECIPIENT_DOMAINS } from '../sample-mail.ts';
import { serveWorker } from '../worker.ts';

/** Where it listens. */
export interface SinkPorts {
  smtpPort: number;
  dnsPort: number;
}

/** What it counted. Times are of performance.timeOrigin + performance.now(), comparable between processes. */
export interface SinkCounts {
  /** Messages whose final dot was acknowledged. */
  messages: number;
  octets: number;
  connections: number;
  firstAt: number;
  lastAt: number;
}

const SAMPLES = 20;
const END_OF_DATA = Buffer.from('\r\n.\r\n');
const EHLO = '250-sink.test\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 SIZE 26214400\r\n';

const counts: SinkCounts = { messages: 0, octets: 0, connections: 0, firstAt: 0, lastAt: 0 };
const samples: string[] = [];
const held = new Set<Socket>();
let holding = false;

serveWorker({
  start,
  hold: (on: boolean) => {
    holding = on;
    if (on) return;
    for (const socket of held) greet(socket);
    held.clear();
  },
  counts: () => counts,
  samples: () => samples,
});

async function start(): Promise<SinkPorts> {
  const server = createServer({ noDelay: true }, (socket) => {
    counts.connections += 1;
    socket.on('error', () => socket.destroy()).on('close', () => held.delete(socket));
    serve(socket);
    if (holding) held.add(socket);
    else greet(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const zone = new Zone();
  await zone.add(
    RECIPIENT_DOMAINS.flatMap((name): DnsRecord[] => [
      { type: 'MX', name, value: `mx.${name}`, priority: 10 },
      { type: 'A', name: `mx.${name}`, value: '127.0.0.1' },
    ]),
  );
  const dns = await startDnsServer(zone, 0);
  return { smtpPort: (server.address() as AddressInfo).port, dnsPort: dns.port };
}

function greet(socket: Socket): void {
  socket.write('220 sink.test ESMTP\r\n');
}

function serve(socket: Socket): void {
  let rest: Buffer = Buffer.alloc(0);
  let inData = false;
  socket.on('data', (chunk: Buffer) => {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let replies = '';
    for (;;) {
      if (inData) {
        const end = bytes.indexOf(END_OF_DATA);
        if (end < 0) break;
        keep(bytes, end);
        bytes = bytes.subarray(end + END_OF_DATA.length);
        inData = false;
        replies += '250 2.0.0 taken\r\n';
        continue;
      }
      const end = bytes.indexOf('\r\n');
      if (end < 0) break;
      const reply = answer(bytes.toString('latin1', 0, end));
      bytes = bytes.subarray(end + 2);
      inData = reply.startsWith('354');
      replies += reply;
    }
    rest = bytes;
    if (replies === '') return;
    socket.write(replies);
    if (replies.includes('\n221') || replies.startsWith('221')) socket.end();
  });
}

function answer(line: string): string {
  switch (line.slice(0, 4).toUpperCase()) {
    case 'EHLO':
      return EHLO;
    case 'DATA':
      return '354 go on\r\n';
    case 'MAIL':
    case 'RCPT':
    case 'RSET':
    case 'NOOP':
    case 'HELO':
      return '250 2.0.0 ok\r\n';
    case 'QUIT':
      return '221 2.0.0 bye\r\n';
    default:
      return '500 5.5.2 not here\r\n';
  }
}

function keep(bytes: Buffer, end: number): void {
  const now = performance.timeOrigin + performance.now();
  if (counts.messages === 0) counts.firstAt = now;
  counts.lastAt = now;
  counts.messages += 1;
  counts.octets += end + 2;
  if (samples.length < SAMPLES) samples.push(bytes.toString('latin1', 0, end + 2));
}
