// The least client that delivers mail: the same bytes over a few connections, MAIL, RCPT and DATA in one write. What
// the sink can take at most.

import { connect, type Socket } from 'node:net';

import { HTML, TEXT } from '../sample-mail.ts';
import { serveWorker } from '../worker.ts';

/** How to deliver. */
export interface SmtpLoad {
  port: number;
  connections: number;
  seconds: number;
}

const MESSAGE = [
  'DKIM-Signature: v=1; a=rsa-sha256; d=bench.test; s=s1; h=from:to:subject; bh=; b=' + 'x'.repeat(344),
  'From: Example Shop <orders@bench.test>',
  'To: customer@mail1.test',
  'Subject: Your order',
  'Content-Type: multipart/alternative; boundary=b',
  '',
  '--b\r\nContent-Type: text/plain\r\n',
  TEXT.replaceAll('\n', '\r\n'),
  '--b\r\nContent-Type: text/html\r\n',
  HTML.replaceAll('\n', '\r\n'),
  '--b--',
].join('\r\n');
const ENVELOPE = 'MAIL FROM:<bounce@bench.test>\r\nRCPT TO:<customer@mail1.test>\r\nDATA\r\n';
const CONTENT = Buffer.from(`${MESSAGE}\r\n.\r\n`);

serveWorker({ run });

/** Messages delivered per second. */
async function run(load: SmtpLoad): Promise<number> {
  const startedAt = performance.now();
  const endsAt = startedAt + load.seconds * 1000;
  const counts = await Promise.all(
    Array.from({ length: load.connections }, () => deliver(load.port, endsAt)),
  );
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - startedAt) / 1000);
}

function deliver(port: number, endsAt: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let delivered = 0;
    let pending = '';
    socket.on('error', reject);
    socket.on('close', () => resolve(delivered));
    socket.on('data', (chunk: Buffer) => {
      pending += chunk.toString('latin1');
      let end = pending.indexOf('\r\n');
      for (; end >= 0; end = pending.indexOf('\r\n')) {
        react(pending.slice(0, end));
        pending = pending.slice(end + 2);
      }
    });
    const next = () => (performance.now() < endsAt ? socket.write(ENVELOPE) : socket.end('QUIT\r\n'));
    const react = (line: string) => {
      if (line.startsWith('220')) socket.write('EHLO bench.test\r\n');
      else if (line.startsWith('250 SIZE')) next();
      else if (line.startsWith('354')) socket.write(CONTENT);
      else if (line.endsWith(' taken')) {
        delivered += 1;
        next();
      }
    };
  });
}
