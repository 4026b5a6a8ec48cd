// DNS servers in trouble: one answers SERVFAIL to everything, one never answers.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const SERVFAIL = 2;

/** A server to put into DNS_SERVERS. */
export interface TroubledDns {
  address: string;
  close(): Promise<void>;
}

/** Answers SERVFAIL to every question; with `silent` it does not answer at all. */
export async function startRefusingDns(silent = false): Promise<TroubledDns> {
  const socket = createSocket('udp4');
  socket.on('message', (query, peer) => {
    if (silent) return;
    const answer = Buffer.from(query);
    answer[2] = 0x81; // a response, recursion desired (RFC 1035 section 4.1.1)
    answer[3] = 0x80 | SERVFAIL;
    socket.send(answer, peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
