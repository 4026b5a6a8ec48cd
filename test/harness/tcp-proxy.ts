// A wire that a test can cut: everything that goes through it breaks, and nothing connects until it is mended.

import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy to one address. */
export interface TcpProxy {
  port: number;
  cut(): void;
  mend(): void;
  /** Nothing comes through, and nothing breaks, until `thaw`: then all of it does, in order. */
  freeze(): void;
  thaw(): void;
  /** Nothing comes through connections that are made from now on, as if the server had no time for them. */
  acceptNone(): void;
  /** Ends that for new connections. */
  acceptAll(): void;
  /** The next time that a client says this, the server hears it, and its answer breaks the client's connection instead. */
  loseAnswerTo(text: string): void;
  close(): Promise<void>;
}

/** Starts a proxy on a free port of 127.0.0.1. */
export async function startTcpProxy(host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let whole = true;
  let lost: string | null = null;
  let frozen = false;
  let accepts = true;
  const server = createServer((near) => {
    if (!whole) return void near.resetAndDestroy();
    const far = connect(port, host);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      one
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
      one.pipe(other);
      if (frozen || !accepts) one.pause();
    }
    near.on('data', (chunk: Buffer) => {
      if (lost === null || !chunk.includes(lost)) return;
      lost = null;
      far
        .unpipe(near)
        .once('data', () => near.resetAndDestroy())
        .resume();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      whole = false;
      for (const socket of sockets) socket.resetAndDestroy();
    },
    mend: () => {
      whole = true;
    },
    freeze: () => {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw: () => {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    acceptNone: () => {
      accepts = false;
    },
    acceptAll: () => {
      accepts = true;
    },
    loseAnswerTo: (text) => {
      lost = text;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
