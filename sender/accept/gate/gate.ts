// The fast check of the day's cap, in Redis. It may be wrong after Redis lost data; the authoritative check
// (core/warmup/warmup-store.ts, in the transaction that stores the messages) has the last word.
// Without Redis the verdict is not decided, and PostgreSQL decides alone: slower, still exact.

import { join } from 'node:path';

import { loadScript, RedisAway, type RedisConnection } from '../../../core/clients/redis.ts';
import type { Logger } from '../../../core/base/log.ts';
import type { Stream } from '../../../core/base/stream.ts';

/** One message that needs an admission. */
interface GateItem {
  id: string;
  stream: Stream;
  /** A password reset or a notice of this service: it may use all of the cap. */
  urgent?: boolean;
}

/** What PostgreSQL knows of the day; seeds Redis when it knows nothing. */
interface DayCount {
  used: number;
  reserved: number;
  bulkUsed: number;
  bulkReserved: number;
}

/** Messages of one (tenant, domain) that need admissions of one day, in the order in which they came. */
export interface GateRequest {
  tenantId: string;
  domainId: string;
  /** UTC date, YYYY-MM-DD. */
  day: string;
  cap: number;
  /** Most of it that others than urgent mail may use, with what is reserved for earlier mail. */
  ordinaryCap: number;
  bulkCap: number;
  items: GateItem[];
  known: DayCount;
}

/** Per message allowed or not, in order; or not decided when Redis could not answer. */
type GateVerdict = { decided: true; allowed: boolean[] } | { decided: false };

/** The gate of one process. */
export interface Gate {
  /** Admits messages of every request, all in one round trip. Repeating a call with the same ids counts none twice. */
  admit(requests: GateRequest[]): Promise<GateVerdict[]>;
  /**
   * Takes back the admissions of messages that were not stored; returns how many, null when Redis could not. Never
   * throws: what stays counted, a later correction frees.
   */
  refund(request: GateRequest, items: GateItem[]): Promise<number | null>;
  /** Replaces Redis's count by PostgreSQL's after the two disagreed. Never throws. */
  correct(day: Pick<GateRequest, 'tenantId' | 'domainId' | 'day'>, known: DayCount): Promise<void>;
}

const KEEP_SECONDS = 2 * 86_400; // a day's counter is of no use after the day; one more for clocks and look-back
const LARGEST_CALL = 1000; // Lua's unpack is safe to about 8,000 values; only a batch of many recipients is longer

/** The gate on a Redis connection. All keys of a (tenant, domain) share a hash slot. */
export function createGate(redis: RedisConnection, keyPrefix: string, log: Logger): Gate {
  const gateScript = loadScript(join(import.meta.dirname, 'gate.lua'));
  const refundScript = loadScript(join(import.meta.dirname, 'refund.lua'));
  const seedScript = loadScript(join(import.meta.dirname, 'seed.lua'));

  const keys = (of: Pick<GateRequest, 'tenantId' | 'domainId' | 'day'>): [string, string] => {
    const day = `${keyPrefix}:gate:{${of.tenantId}:${of.domainId}}:${of.day}`;
    return [day, `${day}:ids`];
  };
  const seed = (
    of: Pick<GateRequest, 'tenantId' | 'domainId' | 'day'>,
    how: 'missing' | 'replace',
    known: DayCount,
  ) =>
    redis.run(
      seedScript,
      [keys(of)[0]],
      [how, ...[known.used, known.reserved, known.bulkUsed + known.bulkReserved, KEEP_SECONDS].map(String)],
    );
  const ask = async (request: GateRequest): Promise<GateReply> =>
    readReply(await redis.run(gateScript, keys(request), gateArguments(request)));

  async function admitOne(request: GateRequest): Promise<GateVerdict> {
    try {
      let reply = await ask(request);
      if (!reply.seeded) {
        await seed(request, 'missing', request.known);
        reply = await ask(request);
      }
      return reply.seeded ? { decided: true, allowed: reply.allowed } : { decided: false };
    } catch (error) {
      if (!(error instanceof RedisAway)) throw error;
      return { decided: false };
    }
  }

  async function admitAll(request: GateRequest): Promise<GateVerdict> {
    const { items } = request;
    if (items.length <= LARGEST_CALL) return admitOne(request);
    const allowed: boolean[] = [];
    for (let from = 0; from < items.length; from += LARGEST_CALL) {
      const verdict = await admitOne({ ...request, items: items.slice(from, from + LARGEST_CALL) });
      if (!verdict.decided) return verdict;
      allowed.push(...verdict.allowed);
    }
    return { decided: true, allowed };
  }

  return {
    // The commands of all requests are written in one go: node-redis pipelines what one tick issues.
    admit: (requests) => Promise.all(requests.map(admitAll)),
    async refund(request, items) {
      try {
        return (await redis.run(refundScript, keys(request), items.map(tagged))) as number;
      } catch (error) {
        log.warn({ err: error, domain: request.domainId }, 'admissions could not be refunded in redis');
        return null;
      }
    },
    async correct(day, known) {
      try {
        await seed(day, 'replace', known);
      } catch (error) {
        log.debug({ err: error, domain: day.domainId }, 'redis could not be corrected');
      }
    },
  };
}

/** What gate.lua answered, by name. */
type GateReply = { seeded: false } | { seeded: true; allowed: boolean[] };

function readReply(reply: unknown): GateReply {
  const [state, , verdicts] = reply as [number, number, string];
  if (state === 0) return { seeded: false };
  return { seeded: true, allowed: verdicts.split('').map((verdict) => verdict === '1') };
}

function gateArguments(request: GateRequest): string[] {
  const { cap, ordinaryCap, bulkCap, items } = request;
  return [...[cap, ordinaryCap, bulkCap, KEEP_SECONDS].map(String), ...items.map(tagged)];
}

function tagged({ id, stream, urgent }: GateItem): string {
  if (urgent) return `u${id}`;
  return (stream === 'bulk' ? 'b' : 't') + id;
}
