// An SMTP client that sends exactly what a test says, over plain text or TLS.

import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** A raw SMTP client. */
export interface SmtpClient {
  socket: Socket;
  write(bytes: string | Buffer): void;
  /** The next whole reply, all of its lines; `closed` after the end. */
  reply(): Promise<string>;
  say(command: string): Promise<string>;
  /** The same connection under TLS, after 220 to STARTTLS. */
  secure(): Promise<SmtpClient>;
  close(): void;
}

/** Connects and waits for the greeting. */
export async function connectSmtp(port: number): Promise<SmtpClient> {
  const client = speakSmtp(connect({ port, host: '127.0.0.1', noDelay: true }));
  await client.reply();
  return client;
}

/** The same over TLS from the start. `from` is an address of this machine, so that a test may be somebody else. */
export async function connectSmtps(port: number, from = '127.0.0.1'): Promise<SmtpClient> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true });
  const client = speakSmtp(connectTls({ socket, rejectUnauthorized: false }));
  await client.reply();
  return client;
}

function speakSmtp(socket: Socket): SmtpClient {
  const replies: string[] = [];
  const waiting: ((reply: string) => void)[] = [];
  let text = '';
  const give = (reply: string) => {
    const next = waiting.shift();
    if (next) next(reply);
    else replies.push(reply);
  };
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1');
    for (let end = replyEnd(text); end > 0; end = replyEnd(text)) {
      give(text.slice(0, end).trimEnd());
      text = text.slice(end);
    }
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    for (let i = 0; i < 20; i++) give('closed');
  });
  const client: SmtpClient = {
    socket,
    write: (bytes) => void socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
    reply: () => {
      const known = replies.shift();
      return known === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(known);
    },
    say: (command) => {
      client.write(`${command}\r\n`);
      return client.reply();
    },
    secure: async () => {
      socket.removeAllListeners('data');
      const tls = connectTls({ socket, rejectUnauthorized: false });
      const secured = speakSmtp(tls);
      await new Promise((resolve) => tls.once('secureConnect', resolve));
      return secured;
    },
    close: () => socket.destroy(),
  };
  return client;
}

function replyEnd(text: string): number {
  const match = /^(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\r?\n/.exec(text);
  return match ? match[0].length : 0;
}
