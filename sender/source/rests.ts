// Which addresses rest for which mailbox provider: it refused them, as sender/provider/reply-rules.ts says for how long.
//
// All senders share it through PostgreSQL, read about once a second. Whoever was refused knows at once; when that could not be
// written, the others learn it from a refusal of their own.

import { monotonicMs } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/log.ts';
import { startLoop } from '../../core/base/loop.ts';
import type { Queryable } from '../../core/db/pool.ts';
import { isDatabaseAway } from '../../core/db/transaction.ts';
import { normalReply } from '../../core/mail/normal-reply.ts';
import { insertRest, selectRests } from '../../core/source/source-store.ts';

/** The rests, as this process knows them. Times are in milliseconds. */
export interface Rests {
  /** For how long nothing goes from an address to a provider; 0 when mail may. */
  leftMs(address: string, provider: string): number;
  /** The provider refused the address with this reply. */
  begin(address: string, provider: string, forMs: number, reply: string): void;
  stop(): Promise<void>;
}

const READ_EVERY_MS = 1_000;
const MAX_REPLY_CHARS = 200; // kept of the reply

/** Starts to follow them; without `any` source there is nothing to read. */
export function followRests({ db, log, any }: { db: Queryable; log: Logger; any: boolean }): Rests {
  const until = new Map<string, number>();
  const extend = (address: string, provider: string, leftMs: number) => {
    const key = `${address} ${provider}`;
    until.set(key, Math.max(until.get(key) ?? 0, monotonicMs() + leftMs));
  };
  const read = async () => {
    for (const { address, provider, leftMs } of await selectRests(db)) extend(address, provider, leftMs);
    return READ_EVERY_MS;
  };
  const loop =
    any && startLoop({ what: 'the rests of sources', log, isExpected: isDatabaseAway, step: read });
  return {
    leftMs: (address, provider) => Math.max(0, (until.get(`${address} ${provider}`) ?? 0) - monotonicMs()),
    begin: (address, provider, forMs, reply) => {
      extend(address, provider, forMs);
      const said = normalReply(reply).slice(0, MAX_REPLY_CHARS);
      log.warn(
        { address, provider, minutes: forMs / 60_000, reply: said },
        'a provider refuses an address: it rests',
      );
      insertRest(db, { address, provider, forMs, reply: said }).catch((error: unknown) =>
        log.warn(
          { err: error, address, provider },
          'a rest is known to this sender alone: it was not written',
        ),
      );
    },
    stop: async () => void (loop && (await loop.stop())),
  };
}
