// What comes over a socket, taken up to a delimiter.

import type { Socket } from 'node:net';

/** Reads up to and with a delimiter; null when the peer is gone before. */
export function createReader(socket: Socket): (delimiter: string) => Promise<Buffer | null> {
  let bytes: Buffer = Buffer.alloc(0);
  let ended = false;
  let wake = () => {};
  socket.on('data', (chunk: Buffer) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    wake();
  });
  socket.on('close', () => {
    ended = true;
    wake();
  });
  return async (delimiter) => {
    for (;;) {
      const at = bytes.indexOf(delimiter);
      if (at >= 0) {
        const taken = bytes.subarray(0, at + delimiter.length);
        bytes = bytes.subarray(at + delimiter.length);
        return taken;
      }
      if (ended) return null;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
}
