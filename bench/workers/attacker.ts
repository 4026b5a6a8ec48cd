// A client without an account that tries to stop an api: each attack goes on for some seconds and reports how many
// connections it holds at its end.

import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { connect as connectTls, type TLSSocket } from 'node:tls';

import { monotonicMs, sleep } from '../../core/base/clock.ts';
import { serveWorker } from '../worker.ts';

interface Attack {
  port: number;
  seconds: number;
  /** The path of a file that is sent compressed. */
  asset: string;
}

const DOCUMENT = '/api/v1/openapi.json';
const BLANKS = 15_000;

const open = (port: number) => {
  const socket = connectTls({
    host: '127.0.0.1',
    port,
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
  });
  return socket.on('error', () => {});
};
const get = (path: string, header = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`;
const held = (sockets: TLSSocket[]) => sockets.filter((socket) => !socket.destroyed).length;

/** Repeats a step until the time is over. */
async function during({ seconds }: Attack, everyMs: number, step: () => void): Promise<void> {
  for (const until = monotonicMs() + seconds * 1000; monotonicMs() < until; await sleep(everyMs)) step();
}

serveWorker({
  /** Two requests a second on each of 8 connections, with 15 kB of blanks in Accept-Encoding. */
  async headers(attack: Attack) {
    const sockets = Array.from({ length: 8 }, () => open(attack.port).resume());
    const request = get(attack.asset, `Accept-Encoding: br${' '.repeat(BLANKS)}x\r\n`);
    await during(attack, 500, () => sockets.forEach((socket) => socket.write(request)));
    const left = held(sockets);
    for (const socket of sockets) socket.destroy();
    return left;
  },
  /** 40 connections of HTTP/2 with window 0 that ask for a document as often as they may. */
  async streams(attack: Attack) {
    const sessions: ClientHttp2Session[] = [];
    for (let at = 0; at < 40; at++) {
      const settings = { initialWindowSize: 0 };
      sessions.push(
        connectHttp2(`https://127.0.0.1:${attack.port}`, { rejectUnauthorized: false, settings }),
      );
    }
    for (const session of sessions) session.on('error', () => {});
    const streams = new Map(sessions.map((session) => [session, 0]));
    await during(attack, 100, () => {
      for (const [session, count] of streams) {
        for (let more = count; more < 100 && !session.destroyed; more++) {
          const stream = session.request({ ':path': DOCUMENT });
          streams.set(session, streams.get(session)! + 1);
          stream.on('error', () => {}).on('close', () => streams.set(session, streams.get(session)! - 1));
        }
      }
    });
    const left = sessions.filter((session) => !session.destroyed).length;
    for (const session of sessions) session.destroy();
    return left;
  },
  /** 400 connections of HTTP/1.1 that ask for a document and read nothing. */
  async unread(attack: Attack) {
    const sockets = Array.from({ length: 400 }, () => open(attack.port));
    for (const socket of sockets) socket.once('secureConnect', () => socket.write(get(DOCUMENT)));
    await during(attack, 100, () => {});
    const left = held(sockets);
    for (const socket of sockets) socket.destroy();
    return left;
  },
  /** 100 new connections a second, each with one request, that stay open. */
  async connections(attack: Attack) {
    const sockets: TLSSocket[] = [];
    await during(attack, 100, () => {
      for (let at = 0; at < 10; at++) {
        const socket = open(attack.port).resume();
        socket.once('secureConnect', () => socket.write(get('/healthz')));
        sockets.push(socket);
      }
    });
    const left = held(sockets);
    for (const socket of sockets) socket.destroy();
    return left;
  },
});
