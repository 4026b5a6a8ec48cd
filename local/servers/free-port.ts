// Free loopback ports, asked of the kernel.

import { createServer } from 'node:net';

/** A port of 127.0.0.1 that nobody listens on right now. */
export function freePort(): Promise<number> {
  return probe(0).then((port) => port ?? Promise.reject(new Error('no free port on 127.0.0.1')));
}

/** The wanted port when it is free, otherwise any free one. */
export async function freePortOr(wanted: number): Promise<number> {
  return (await probe(wanted)) ?? freePort();
}

function probe(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : undefined));
    });
  });
}
