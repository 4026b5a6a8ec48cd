// Where the senders of a name are, asked of DNS again and again. A name that has no addresses any more, and a DNS server that
// does not answer, change nothing: senders that are known and work go on.

import { lookup, Resolver, resolveSrv } from 'node:dns/promises';

import type { Logger } from '../base/log.ts';
import { startLoop } from '../base/loop.ts';
import type { SenderName } from '../base/sender-address.ts';

/** A name that is looked up. */
export interface FollowedName {
  /** Looks it up now: a sender of it broke, and may be somewhere else. */
  lookAgain(): void;
  stop(): void;
}

const LOOK_EVERY_MS = 5_000; // as long as CoreDNS lets answers about services be kept
const QUERY_TIMEOUT_MS = 1_500; // of one try; c-ares doubles it for the next
const TRIES = 2;

/** `found` is called with what each look-up found (`ip:port`, at least one), until it is stopped. */
export function followName(
  name: SenderName,
  found: (addresses: string[]) => void,
  log: Logger,
): FollowedName {
  const lookUp = name.server === null ? systemLookUp : serverLookUp(name.server);
  const loop = startLoop({
    what: `finding the senders of ${name.text}`,
    log,
    longestPauseMs: LOOK_EVERY_MS,
    async step(signal) {
      const addresses = new Set(await findAll(lookUp, name));
      if (signal.aborted) return 0;
      if (addresses.size === 0)
        throw new Error(`DNS has no address for ${name.name}; known senders are kept`);
      found([...addresses].sort());
      return LOOK_EVERY_MS;
    },
  });
  return { lookAgain: () => loop.wake(), stop: () => void loop.stop() };
}

interface LookUp {
  addresses(name: string): Promise<string[]>;
  srv(name: string): Promise<{ name: string; port: number }[]>;
}

async function findAll(lookUp: LookUp, { kind, name, port }: SenderName): Promise<string[]> {
  const targets = kind === 'srv' ? await lookUp.srv(name) : [{ name, port }];
  const found = targets.map(async (target) =>
    (await lookUp.addresses(target.name)).map((ip) => `${ip.includes(':') ? `[${ip}]` : ip}:${target.port}`),
  );
  return (await Promise.all(found)).flat();
}

const systemLookUp: LookUp = {
  addresses: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
  srv: resolveSrv,
};

function serverLookUp(server: string): LookUp {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES });
  resolver.setServers([server]);
  return {
    addresses: async (name) =>
      (await Promise.all([orNone(resolver.resolve4(name)), orNone(resolver.resolve6(name))])).flat(),
    srv: (name) => resolver.resolveSrv(name),
  };
}

// Most names have one family of addresses; a server that fails to say so is another matter.
async function orNone(asked: Promise<string[]>): Promise<string[]> {
  return asked.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENODATA') return [];
    throw error;
  });
}
