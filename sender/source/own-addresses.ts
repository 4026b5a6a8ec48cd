// Which addresses of the pools this machine has: senders on several machines may have different ones.

import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';

import type { Logger } from '../../core/base/log.ts';

/** The addresses that this machine has now. */
export interface OwnAddresses {
  has(address: string): boolean;
  stop(): void;
}

const LOOK_EVERY_MS = 15_000; // an address that an operator adds or takes away counts that soon

/** Looks for each address now, says which are not there, and looks again every 15 seconds. */
export async function watchOwnAddresses(addresses: readonly string[], log: Logger): Promise<OwnAddresses> {
  let own = new Set<string>();
  const look = async () => {
    const here = await Promise.all(addresses.map(isHere));
    return new Set(addresses.filter((_, at) => here[at]));
  };
  const say = (now: Set<string>, before: Set<string>) => {
    const gone = [...before].filter((address) => !now.has(address));
    if (gone.length > 0)
      log.warn(
        { addresses: gone },
        'this machine does not have these addresses of EGRESS_POOLS and sends nothing from them: add them to a network interface (ip address add), or take them out if no sender has them',
      );
    const found = [...now].filter((address) => !before.has(address));
    if (found.length > 0) log.info({ addresses: found }, 'sends from these addresses of EGRESS_POOLS');
  };
  own = await look();
  say(own, new Set(addresses));
  const timer = setInterval(() => {
    void look().then((now) => {
      say(now, own);
      own = now;
    });
  }, LOOK_EVERY_MS).unref();
  if (addresses.length === 0) clearInterval(timer);
  return { has: (address) => own.has(address), stop: () => clearInterval(timer) };
}

// The kernel says it best, since 127.0.0.2 is in no list of interfaces. A UDP socket hears nobody in that moment.
function isHere(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4');
    const done = (here: boolean) => socket.close(() => resolve(here));
    socket.once('error', () => done(false));
    socket.bind({ address, port: 0, exclusive: true }, () => done(true));
  });
}
