// Free loopback ports. Not those that the kernel gives for port 0: until a service listens on such a port, an outgoing
// connection or another process that asked the kernel may have it.

import { createServer } from 'node:net';

const FIRST = 10_100; // above 10080, which fetch refuses ("bad port") as it does others below 10000
const COUNT = 21_900; // to below 32768, where Linux begins with the ports of outgoing connections
const STRIDE = 97; // between processes that start one after the other: each counts from a place of its own

let next = process.pid * STRIDE;

/** A port of 127.0.0.1 that nobody listens on right now; another one with each call. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < COUNT; tries++) {
    const port = FIRST + (next++ % COUNT);
    if ((await probe(port)) !== undefined) return port;
  }
  throw new Error(`no free port on 127.0.0.1 from ${FIRST} to ${FIRST + COUNT - 1}`);
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
