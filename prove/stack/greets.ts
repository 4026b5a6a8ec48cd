// Servers that speak first (SMTP, NATS).

import { connect } from 'node:net';

const ANSWER_LIMIT_MS = 1_000;

/** Whether somebody greets there within a second. */
export function greets(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    const end = (yes: boolean) => {
      socket.destroy();
      resolve(yes);
    };
    socket.setTimeout(ANSWER_LIMIT_MS, () => end(false));
    socket.once('data', () => end(true)).on('error', () => end(false));
  });
}
