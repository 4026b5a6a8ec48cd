// Stands in for ClamAV, whose database cannot be had in a test: speaks clamd's INSTREAM (clamd(8)) and knows one virus, the
// test file of EICAR.

import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A running stand-in. */
export interface Clamd {
  port: number;
  close(): void;
}

/** What antivirus programs agreed to call a virus (https://www.eicar.org/download-anti-malware-testfile/). */
export const EICAR = String.raw`X5O!P%@AP[4\PZX54(P^)7CC)7}$` + 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*';

const COMMAND = 'zINSTREAM\0';

/** Starts it on a free port of 127.0.0.1. */
export async function startClamd(): Promise<Clamd> {
  const server = createServer((socket) => {
    let bytes = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      const stream = readStream(bytes);
      if (stream) socket.end(`stream: ${stream.includes(EICAR) ? 'Eicar-Test-Signature FOUND' : 'OK'}\0`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

// Pieces with their length before them, until one of no length; null while that has not come.
function readStream(bytes: Buffer): Buffer | null {
  if (bytes.length < COMMAND.length) return null;
  if (!bytes.subarray(0, COMMAND.length).equals(Buffer.from(COMMAND))) throw new Error('not INSTREAM');
  const parts: Buffer[] = [];
  for (let at = COMMAND.length; at + 4 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    if (length === 0) return Buffer.concat(parts);
    parts.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return null;
}
