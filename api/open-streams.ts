// How many streams may be open at once, over all api processes: live views of GraphQL, and GET /events/stream. Redis
// counts for all, by leases (open-stream.lua): what a killed process had open counts no more after LEASE_MS. Each
// process also counts its own: while Redis is unavailable that alone decides, so that k processes may then hold k
// times the limit, but nobody loses a stream because of Redis.

import type { ServerResponse } from 'node:http';
import { Http2ServerResponse } from 'node:http2';
import { join } from 'node:path';

import { AppError } from '../core/base/errors.ts';
import { newUuid } from '../core/base/ids.ts';
import type { Logger } from '../core/base/log.ts';
import { loadScript, type RedisConnection } from '../core/clients/redis.ts';

/** One limit of a stream. */
export interface StreamLimit {
  /** What is counted together, within its tenant. */
  subject: string;
  /** Streams that are open at once. */
  most: number;
  /** What they are, for the refusal: `streams of a key`. */
  what: string;
  /** Over this process alone, for what its memory holds; else over all. */
  perProcess?: true;
}

/** The open streams of one process. */
export interface OpenStreams {
  /** Takes a place under all limits. Returns what gives it back. Throws `rate_limited` when one of them is reached. */
  open(tenantId: string, limits: readonly StreamLimit[]): Promise<() => void>;
  /** Streams that are open in this process. */
  count(): number;
}

const LEASE_MS = 15_000; // a killed process gives back what it had within this
const KEEP_EVERY_MS = LEASE_MS / 3; // one that Redis did not hear is made up for by the next
const RETRY_AFTER_SECONDS = 10;

/** The streams of one process. */
export function createOpenStreams(redis: RedisConnection, keyPrefix: string, log: Logger): OpenStreams {
  const script = loadScript(join(import.meta.dirname, 'open-stream.lua'));
  const own = new Map<string, number>();
  let count = 0;

  async function ask(verb: 'open' | 'keep' | 'close', stream: string, limits: Counted[]): Promise<number> {
    const [first, ...others] = limits.map(({ key }) => `${keyPrefix}:streams:${key}`);
    if (first === undefined) return 0;
    const args = [stream, LEASE_MS, verb, ...limits.map(({ most }) => most)].map(String);
    try {
      return (await redis.run(script, [first, ...others], args)) as number;
    } catch (error) {
      log.debug({ err: error }, 'streams are counted per process while redis is unavailable');
      return 0;
    }
  }

  function add(limits: Counted[], n: 1 | -1): void {
    count += n;
    for (const { key } of limits) {
      const left = (own.get(key) ?? 0) + n;
      if (left > 0) own.set(key, left);
      else own.delete(key);
    }
  }

  return {
    async open(tenantId, limits) {
      const counted = limits.map((limit) => ({ ...limit, key: keyOf(tenantId, limit) }));
      const full = counted.find(({ key, most }) => (own.get(key) ?? 0) >= most);
      if (full) throw tooMany(full);
      add(counted, 1); // before the question, so that others of this process that ask meanwhile see it
      const stream = newUuid();
      const shared = counted.filter(({ perProcess }) => perProcess !== true);
      const fullOverAll = await ask('open', stream, shared);
      if (fullOverAll > 0) {
        add(counted, -1);
        throw tooMany(shared[fullOverAll - 1]!);
      }
      const keep = setInterval(() => void ask('keep', stream, shared), KEEP_EVERY_MS);
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        clearInterval(keep);
        add(counted, -1);
        void ask('close', stream, shared);
      };
    },
    count: () => count,
  };
}

/** Calls `then` once the answer is over, however it ends. */
export function whenOver(outgoing: ServerResponse | Http2ServerResponse, then: () => void): void {
  if (outgoing instanceof Http2ServerResponse ? outgoing.stream.closed : outgoing.closed) then();
  else outgoing.once('close', then);
}

interface Counted extends StreamLimit {
  key: string;
}

// The keys of one question share a hash tag.
function keyOf(tenantId: string, { subject, perProcess }: StreamLimit): string {
  return perProcess === true ? subject : `{${tenantId}}:${subject}`;
}

function tooMany({ most, what }: StreamLimit): AppError {
  return new AppError('rate_limited', `At most ${most} ${what} at once. Close one of them.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
