// What stands before several services of a kind: each connection goes to the next one that accepts it.

import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The balancer. */
export interface Turns {
  port: number;
  close(): Promise<void>;
}

/** Starts one on a free port, before these ports of 127.0.0.1. */
export async function startTurns(ports: number[]): Promise<Turns> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true).on('close', () => sockets.delete(socket));
  };
  let turn = 0;
  const server = createServer((near) => {
    keep(near);
    near.on('error', () => near.destroy());
    pass(near, ports.length);
  });
  function pass(near: Socket, tries: number): void {
    const far = connect(ports[turn++ % ports.length]!, '127.0.0.1');
    keep(far);
    let connected = false;
    far.on('connect', () => {
      connected = true;
      near.pipe(far).pipe(near);
    });
    far.on('error', () => {
      if (!connected && tries > 1) pass(near, tries - 1);
      else near.destroy();
    });
    far.on('close', () => connected && near.destroy());
    near.on('close', () => far.destroy());
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
