// A mail server that does what a test says: every answer can be scripted, delayed, withheld or replaced by a
// broken connection. It speaks over raw sockets and keeps what it got byte for byte.

import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';

import { SELF_SIGNED } from './certificate.ts';

/**
 * One answer: a reply line (or several, as one text), or something worse. `dripMs` lies between its octets; it waits for
 * `after`.
 */
export type Answer =
  | string
  | {
      reply?: string;
      after?: Promise<unknown>;
      afterMs?: number;
      dripMs?: number;
      drop?: boolean;
      hang?: boolean;
    };

/** What the peer says. Everything has a friendly default. `from` and `to` are as in the envelope, without brackets. */
export interface PeerScript {
  greeting?: () => Answer;
  /** Extensions offered; default PIPELINING, 8BITMIME, SMTPUTF8, SIZE. STARTTLS is added with `tls`. */
  extensions?: string[];
  tls?: boolean;
  /** Shown in TLS; default the self-signed one of peer.test. May be changed between connections. */
  certificate?: { key: string; cert: string };
  /** Instead of the extensions. */
  ehlo?: () => Answer;
  rset?: () => Answer;
  /** Given what AUTH PLAIN says, as `user password`. */
  auth?: (login: string) => Answer;
  mail?: (from: string) => Answer;
  rcpt?: (to: string) => Answer;
  data?: () => Answer;
  /** After the final dot. The message is kept when the answer begins with 2. */
  dot?: (message: PeerMessage) => Answer;
}

/** One message that the peer got. */
export interface PeerMessage {
  mailFrom: string;
  rcptTo: string;
  /** What came after DATA, with its dots unstuffed, without the final dot. */
  raw: Buffer;
  /** The same as it was on the wire, dots and final dot included. */
  wire: Buffer;
  /** Whether it came over TLS. */
  tls: boolean;
  /** The address that it came from, and the name in EHLO. */
  from: string;
  helo: string;
  /** When DATA came, ms since 1970. */
  dataAt: number;
}

/** A listening peer. Its script can be changed at any time. */
export interface SmtpPeer {
  port: number;
  script: PeerScript;
  /** Messages that it accepted. */
  messages: PeerMessage[];
  /** Every command line, of all connections. */
  commands: string[];
  /** Every octet that came in clear, of all connections. */
  clear: string;
  /** Connections that were made so far. */
  connections: number;
  /** Connections that are open now. */
  open: number;
  close(): Promise<void>;
}

const EXTENSIONS = ['PIPELINING', '8BITMIME', 'SMTPUTF8', 'SIZE 26214400'];

/** Starts a peer on a free port of 127.0.0.1, or of another address. */
export async function startSmtpPeer(
  script: PeerScript = {},
  host = '127.0.0.1',
  port = 0,
): Promise<SmtpPeer> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    peer.connections += 1;
    peer.open += 1;
    sockets.add(socket);
    socket
      .on('close', () => {
        peer.open -= 1;
        sockets.delete(socket);
      })
      .on('error', () => {});
    socket.on('data', (chunk: Buffer) => (peer.clear += chunk.toString('latin1')));
    void converse(peer, socket, false, true);
  });
  const peer: SmtpPeer = {
    port: 0,
    script,
    messages: [],
    commands: [],
    clear: '',
    connections: 0,
    open: 0,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  peer.port = (server.address() as AddressInfo).port;
  return peer;
}

// Bytes as they come, taken line by line or up to the final dot.
class Inbox {
  // Of the store, which grows by doubling: joined anew for each chunk, 25 MiB took 20 s.
  #bytes = Buffer.alloc(0);
  #store = Buffer.alloc(0);
  #wake: (() => void) | null = null;
  #ended = false;

  constructor(socket: Socket) {
    const wake = () => {
      this.#wake?.();
      this.#wake = null;
    };
    socket.on('data', (chunk: Buffer) => {
      this.#add(chunk);
      wake();
    });
    socket.on('close', () => {
      this.#ended = true;
      wake();
    });
  }

  #add(chunk: Buffer): void {
    const start = this.#bytes.byteOffset - this.#store.byteOffset;
    const length = this.#bytes.length + chunk.length;
    const fits = this.#store.length > 0 && start + length <= this.#store.length;
    if (!fits) {
      this.#store = Buffer.allocUnsafeSlow(2 * length);
      this.#bytes.copy(this.#store);
    }
    const from = fits ? start : 0;
    chunk.copy(this.#store, from + length - chunk.length);
    this.#bytes = this.#store.subarray(from, from + length);
  }

  /** Up to and with `mark`; null when the peer is gone. */
  async until(mark: string): Promise<Buffer | null> {
    for (let seen = 0; ;) {
      const at = this.#bytes.indexOf(mark, seen);
      if (at >= 0) {
        const taken = this.#bytes.subarray(0, at + mark.length);
        this.#bytes = this.#bytes.subarray(at + mark.length);
        return taken;
      }
      if (this.#ended) return null;
      seen = Math.max(0, this.#bytes.length - mark.length);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

async function converse(peer: SmtpPeer, socket: Socket, tls: boolean, greet: boolean): Promise<void> {
  const inbox = new Inbox(socket);
  const from = socket.remoteAddress ?? '';
  let helo = '';
  let mailFrom = '';
  let rcptTo = '';
  if (greet && !(await say(socket, peer.script.greeting?.() ?? '220 peer.test ESMTP'))) return;
  for (;;) {
    const line = (await inbox.until('\r\n'))?.toString('utf8').trimEnd();
    if (line === undefined) return;
    peer.commands.push(line);
    const dataAt = Date.now();
    const verb = line.split(/[ :]/)[0]?.toUpperCase();
    const address = /<(.*?)>/.exec(line)?.[1] ?? '';
    if (verb === 'STARTTLS' && peer.script.tls) {
      return void converse(peer, await upgrade(socket, peer.script), true, false);
    }
    if (verb === 'EHLO') helo = line.slice('EHLO '.length);
    if (verb === 'MAIL') mailFrom = address;
    if (verb === 'RCPT') rcptTo = '';
    const reply = answerTo(peer.script, { verb, line, address, tls, hasRecipient: rcptTo !== '' });
    if (verb === 'RCPT' && accepts(reply, '2')) rcptTo = address;
    if (!(await say(socket, reply))) return;
    if (verb !== 'DATA' || !accepts(reply, '3')) continue;
    const wire = await inbox.until('\r\n.\r\n');
    if (wire === null) return;
    const message = { mailFrom, rcptTo, raw: unstuff(wire), wire, tls, from, helo, dataAt };
    const verdict = peer.script.dot?.(message) ?? '250 2.0.0 taken';
    if (accepts(verdict, '2')) peer.messages.push(message);
    rcptTo = '';
    if (!(await say(socket, verdict))) return;
  }
}

interface Asked {
  verb: string | undefined;
  line: string;
  address: string;
  tls: boolean;
  hasRecipient: boolean;
}

function answerTo(script: PeerScript, { verb, line, address, tls, hasRecipient }: Asked): Answer {
  switch (verb) {
    case 'EHLO': {
      if (script.ehlo) return script.ehlo();
      const offers = [...(script.extensions ?? EXTENSIONS), ...(script.tls && !tls ? ['STARTTLS'] : [])];
      const lines = ['peer.test', ...offers];
      return lines.map((text, n) => `250${n === lines.length - 1 ? ' ' : '-'}${text}`).join('\r\n');
    }
    case 'MAIL':
      return script.mail?.(address) ?? '250 2.1.0 ok';
    case 'RCPT':
      return script.rcpt?.(address) ?? '250 2.1.5 ok';
    case 'DATA':
      return hasRecipient ? (script.data?.() ?? '354 go on') : '503 5.5.1 no valid recipients';
    case 'AUTH':
      return script.auth?.(plainLogin(line)) ?? '235 2.7.0 ok';
    case 'RSET':
      return script.rset?.() ?? '250 2.0.0 ok';
    case 'STARTTLS':
      return '502 5.5.1 not here';
    case 'QUIT':
      return { reply: '221 2.0.0 bye', drop: true };
    default:
      return '250 2.0.0 ok';
  }
}

function plainLogin(line: string): string {
  const [, user, password] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
    .toString()
    .split('\0');
  return `${user} ${password}`;
}

function accepts(answer: Answer, digit: string): boolean {
  return (typeof answer === 'string' ? answer : (answer.reply ?? '')).startsWith(digit);
}

// False when the conversation is over.
async function say(socket: Socket, answer: Answer): Promise<boolean> {
  const { reply, after, afterMs, dripMs, drop, hang } =
    typeof answer === 'string' ? { reply: answer } : answer;
  if (hang) return new Promise((resolve) => socket.once('close', () => resolve(false)));
  await after;
  if (afterMs) await new Promise((resolve) => setTimeout(resolve, afterMs));
  for (const octet of dripMs === undefined ? [] : (reply ?? '')) {
    if (!socket.writable) return false;
    socket.write(octet);
    await new Promise((resolve) => setTimeout(resolve, dripMs));
  }
  if (reply !== undefined && socket.writable) socket.write(`${dripMs === undefined ? reply : ''}\r\n`);
  if (drop) socket.destroySoon();
  // RFC 5321 section 3.8: who says 421 closes.
  if (reply?.startsWith('421')) socket.end();
  return !drop && !reply?.startsWith('421');
}

function upgrade(socket: Socket, { certificate = SELF_SIGNED }: PeerScript): Promise<TLSSocket> {
  socket.removeAllListeners('data');
  socket.pause();
  socket.write('220 go ahead\r\n');
  return new Promise((resolve) => {
    const secure = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(certificate) });
    secure.on('error', () => {});
    secure.once('secure', () => resolve(secure));
  });
}

function unstuff(wire: Buffer): Buffer {
  const text = wire.subarray(0, -3).toString('latin1');
  return Buffer.from(text.replace(/(^|\r\n)\./g, '$1'), 'latin1');
}
