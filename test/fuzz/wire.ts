// SMTP as bytes: whatever is written, what comes back must be replies.

import { connect, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';

/** A port, and whether TLS begins at once. */
export interface Door {
  port: number;
  tls: boolean;
}

const SILENCE_MS = 150; // after which nothing more is expected
const LIMIT_MS = 60_000; // of one conversation, on a busy machine
const REPLIES = /^(?:[2-5]\d\d(?:[ -][^\r\n]*)?\r\n)*$/;

let addresses = 0;

/** Somebody else on this machine each time: limits count by address. */
function localAddress(): string {
  const n = ++addresses;
  return `127.${1 + (n % 250)}.${(n >> 8) % 250}.${1 + (n % 250)}`;
}

/**
 * Writes pieces one after the other and gives all that came back, or what went wrong. `toTheEnd` waits until the server
 * closes, as it does after QUIT; else a moment of silence is the end.
 */
export function talk(
  door: Door,
  pieces: readonly Buffer[],
  { toTheEnd = false } = {},
): Promise<{ text: string } | string> {
  return new Promise((resolve) => {
    let text = '';
    const plain = connect({
      port: door.port,
      host: '127.0.0.1',
      localAddress: localAddress(),
      noDelay: true,
    });
    const socket: Socket | TLSSocket = door.tls
      ? connectTls({ socket: plain, rejectUnauthorized: false })
      : plain;
    let quiet: NodeJS.Timeout | undefined;
    const limit = setTimeout(() => end(`no end of ${JSON.stringify(text)}`), LIMIT_MS);
    const end = (failure?: string) => {
      clearTimeout(quiet);
      clearTimeout(limit);
      socket.destroy();
      resolve(failure ?? { text });
    };
    let next = 0;
    const go = () => {
      clearTimeout(quiet);
      if (next < pieces.length && socket.writable) {
        socket.write(pieces[next++]!);
        setImmediate(go);
      } else if (!toTheEnd) quiet = setTimeout(() => end(), SILENCE_MS);
    };
    socket.once('data', go); // the greeting
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1');
      if (next >= pieces.length) quiet?.refresh();
    });
    socket.on('close', () => end());
    socket.on('error', (error: NodeJS.ErrnoException) => {
      end(text === '' && error.code === 'ECONNREFUSED' ? 'nobody listens' : undefined);
    });
  });
}

/** What is wrong with a conversation; null when nothing is. */
export function judgeReplies(said: { text: string } | string): string | null {
  if (typeof said === 'string') return said;
  const clear = beforeTls(said.text);
  if (!REPLIES.test(clear)) return `no SMTP replies: ${JSON.stringify(clear.slice(-300))}`;
  const trouble = /^[^\n]*Temporary trouble here[^\n]*/m.exec(said.text);
  return trouble ? trouble[0] : null;
}

// What follows the 220 to STARTTLS, the second one of a conversation, is TLS.
function beforeTls(text: string): string {
  const [, second] = text.matchAll(/^220 [^\n]*\n/gm);
  return second ? text.slice(0, second.index + second[0].length) : text;
}
