// An environment of the model test: a database with a calendar of its own, the real gate in Redis, and what may go wrong
// between the two.

import { nextUtcMidnight } from '../../core/base/clock.ts';
import type { Failpoint } from '../../core/base/failpoint.ts';
import { newUuid } from '../../core/base/ids.ts';
import { openRedis, RedisAway, type RedisConnection } from '../../core/clients/redis.ts';
import { sqlState } from '../../core/db/sql-state.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import type { NewMessage } from '../../core/message/submission.ts';
import type { Claim } from '../../core/message/claim.ts';
import { claimDue, recordOutcomes } from '../../core/message/delivery-store.ts';
import type { Outcome } from '../../core/message/outcome.ts';
import { resumeMailOf, writeReactivated, writeSuspended } from '../../core/suspension/suspension-store.ts';
import { overrideTier } from '../../core/warmup/change-tier.ts';
import { openSimulated, type SimulatedDatabase } from '../../local/simulate/simulated-clock.ts';
import { acceptBatch, type AcceptDeps } from '../../sender/accept/batch.ts';
import { createGate, type Gate, type GateRequest } from '../../sender/accept/gate/gate.ts';
import { freeReserved, releaseDue } from '../../sender/release/release.ts';
import { TESTER } from './actor.ts';
import { createContext, type Context } from './context.ts';
import { waitUntil } from './wait.ts';
import { makeAccount, makeMessage, makeSubmission, type Account } from './factories.ts';

/** An environment, used by one run at a time. */
export interface Environment {
  context: Context;
  simulated: SimulatedDatabase;
  redis: RedisConnection;
  gate: Gate;
}

/** The steps at which a sender may die while accepting. */
export type Death = Extract<Failpoint, `accept.${string}`>;

class Died extends Error {}

const ATTEMPT = {
  at: new Date(),
  durationMs: 1,
  esp: 'direct',
  mx: null,
  provider: null,
  source: null,
  sourceName: null,
  tls: null,
  tlsVerified: null,
  tlsPolicy: null,
  certificate: null,
  command: null,
  smtpCode: null,
  enhancedCode: null,
  reply: '',
  bounceClass: null,
};
const SUSPENDED = { rule: 'tenant_suspended', inputs: {} } as const;
const NOT_NOW = { rule: 'not_now', inputs: { day_over: true } } as const;
const MOST_PAUSED = 4; // each holds a connection of the environment's eight

// unique_violation; or in_failed_sql_transaction, when a statement pipelined behind it reports first.
const TAKEN = ['23505', '25P02'];

/** Opens an environment. */
export async function openEnvironment(): Promise<Environment> {
  const context = await createContext({ DATABASE_POOL_SIZE: '8' });
  const simulated = await openSimulated(context.config, context.log);
  const redis = await openRedis(context.config, context.log);
  return { context, simulated, redis, gate: createGate(redis, context.config.KEY_PREFIX, context.log) };
}

/** Closes an environment. */
export async function closeEnvironment(environment: Environment): Promise<void> {
  await environment.redis.close();
  await environment.simulated.db.close();
  await environment.context.close();
}

/** A sender that stands still between the gate's word and the database's. */
interface Paused {
  resume: () => void;
  done: Promise<unknown>;
}

/** One run: a fresh tenant and domain, and everything that is done to it. */
export class World {
  readonly environment: Environment;
  readonly account: Account;
  /** Domain of SYSTEM_MAIL_FROM: the account's own, or none. */
  private readonly systemDomain: string | null;
  private paused: Paused[] = [];
  private sent: NewMessage[] = [];
  private claimed: Claim[] = [];
  private suspended = false;
  /** By UTC day the ids of the messages of which a receiver saw the DATA. */
  readonly wire = new Map<string, Set<string>>();

  private constructor(environment: Environment, account: Account, isSystem: boolean) {
    this.environment = environment;
    this.account = account;
    this.systemDomain = isSystem ? account.domain : null;
  }

  static async open(
    environment: Environment,
    { tier, reserve, isSystem }: { tier: number; reserve: number; isSystem: boolean },
  ): Promise<World> {
    const account = await makeAccount(environment.simulated.db, { tier, reserve });
    return new World(environment, account, isSystem);
  }

  /** Submits new messages, the first of them campaign mail, the last of them resets of the service. */
  async admit(count: number, bulk: number, resets = 0): Promise<void> {
    const messages = Array.from({ length: count }, (_, i) =>
      i >= count - resets
        ? makeMessage(this.account, { origin: 'reset' })
        : makeMessage(this.account, { stream: i < bulk ? 'bulk' : 'transactional' }),
    );
    this.sent.push(...messages);
    await this.submit(this.deps(), messages);
  }

  /** A caller that lost the answer sends the same messages again. */
  async resend(count: number): Promise<void> {
    const messages = this.sent.slice(-count);
    if (messages.length === 0) return;
    await this.submit(this.deps(), messages);
  }

  /** The sender dies at a step: nothing is given back, and the transaction is what PostgreSQL makes of it. */
  async crash(count: number, step: Death): Promise<void> {
    const messages = Array.from({ length: count }, () => makeMessage(this.account));
    this.sent.push(...messages);
    const fail = (at: Failpoint) => {
      if (at === step) throw new Died();
    };
    const gate: Gate = { ...this.environment.gate, refund: async () => null, correct: async () => {} };
    try {
      await acceptBatch({ ...this.deps(), fail, gate }, [makeSubmission(this.account, messages)]);
    } catch (error) {
      if (!(error instanceof Died)) throw error;
    }
  }

  /** A sender asks the gate and then stands still, until `resume`. */
  async pause(count: number): Promise<void> {
    if (this.paused.length >= MOST_PAUSED) return;
    const messages = Array.from({ length: count }, () => makeMessage(this.account));
    this.sent.push(...messages);
    let resume = () => {};
    const gateOpen = new Promise<void>((resolve) => (resume = resolve));
    await new Promise<void>((reached) => {
      const admit = async (requests: GateRequest[]) => {
        const verdicts = await this.environment.gate.admit(requests);
        reached();
        await gateOpen;
        return verdicts;
      };
      const deps = { ...this.deps(), gate: { ...this.environment.gate, admit } };
      const done = this.submit(deps, messages).finally(reached);
      this.paused.push({ resume, done });
    });
  }

  /** The sender that stands still for longest continues. */
  async resume(): Promise<void> {
    const first = this.paused.shift();
    first?.resume();
    await first?.done;
  }

  /** A sender claims what is due. */
  async claim(count: number): Promise<void> {
    const { pool } = this.environment.simulated.db;
    const limits = { messages: count, transactional: count, bulk: count, octets: 1e9 };
    this.claimed.push(...(await claimDue(pool, newUuid(), limits)));
  }

  /** It delivers some of what it claimed, as sender/deliver/deliver-message.ts; every second receiver says 451. */
  async deliver(count: number): Promise<void> {
    const day = await this.day();
    const outcomes = this.claimed.splice(0, count).map((claim, n): Outcome => {
      if (this.suspended)
        return {
          kind: 'postponed',
          claim,
          reason: 'tenant_suspended',
          retryInMs: 60_000,
          because: SUSPENDED,
        };
      if (claim.admittedDay < day)
        return { kind: 'postponed', claim, reason: null, retryInMs: 0, because: NOT_NOW };
      this.wire.set(day, (this.wire.get(day) ?? new Set()).add(claim.id));
      return n % 2 === 0
        ? { kind: 'delivered', claim, attempt: ATTEMPT }
        : { kind: 'deferred', claim, attempt: ATTEMPT, reason: 'remote_4xx', retryInMs: 0 };
    });
    if (outcomes.length > 0) await recordOutcomes(this.environment.simulated.db.pool, outcomes);
  }

  /** Redis loses everything about the domain. */
  flush(): Promise<void> {
    return this.lua(`for _, key in ipairs(KEYS) do redis.call('DEL', key) end`);
  }

  /** Redis comes back with an older count, having forgotten the ids. */
  rollBack(by: number): Promise<void> {
    return this.lua(`local used = tonumber(redis.call('HGET', KEYS[1], 'used') or '')
      if used then redis.call('HSET', KEYS[1], 'used', math.max(used - ${by}, 0)) end
      redis.call('DEL', KEYS[2])`);
  }

  /** Redis counts admissions that no message holds. */
  inflate(by: number): Promise<void> {
    return this.lua(
      `if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HINCRBY', KEYS[1], 'used', ${by}) end`,
    );
  }

  /** A late refund of messages that were stored after all. */
  async refund(count: number): Promise<void> {
    const items = this.sent.slice(-count).map(({ id, stream }) => ({ id, stream }));
    const request = { ...this.account, day: await this.day() } as unknown as GateRequest;
    if (items.length > 0) await this.environment.gate.refund(request, items);
  }

  /** PostgreSQL's figures replace Redis's. */
  async reseed(): Promise<void> {
    const day = await this.day();
    const row = (await this.days()).find((one) => one.day === day);
    if (row) await this.environment.gate.correct({ ...this.account, day }, row);
  }

  /** The day ends; the senders release what is due. */
  async midnight(release: boolean): Promise<void> {
    const next = nextUtcMidnight(await this.environment.simulated.now());
    await this.environment.simulated.setNow(new Date(next.getTime() + 1_000));
    if (release) await this.release();
  }

  /** One pass of the release. */
  async release(): Promise<void> {
    const { pool } = this.environment.simulated.db;
    const { gate } = this.environment;
    const { systemDomain } = this;
    const deps = { pool, gate, fail: () => {}, maxAgeMs: 3_600_000, systemDomain, wake: () => {} };
    await releaseDue(deps, { now: null, tenantId: this.account.tenantId });
    await freeReserved(deps);
  }

  /** An operator sets the tier. */
  async setTier(tier: number): Promise<void> {
    const { db } = this.environment.simulated;
    const { tenantId, domainId } = this.account;
    const target = { tenantId, domain: { id: domainId } };
    await overrideTier({ db, nats: { publish: () => false } }, TESTER, target, { tier, reason: 'model' });
  }

  /** An operator suspends the tenant. That of SYSTEM_MAIL_FROM is not suspended. */
  async suspend(): Promise<void> {
    if (this.systemDomain !== null) return;
    this.suspended = true;
    await writeSuspended(this.environment.simulated.db.pool, this.account.tenantId);
  }

  /** An operator reactivates it. */
  async reactivate(): Promise<void> {
    this.suspended = false;
    await inTransaction(this.environment.simulated.db.pool, async (client) => {
      await writeReactivated(client, this.account.tenantId);
      await resumeMailOf(client, this.account.tenantId);
    });
  }

  /** Rows of warmup_days, with the messages that are admitted on the day. */
  async days(): Promise<DayState[]> {
    const { rows } = await this.environment.simulated.db.pool.query<DayState>({
      name: 'model-days',
      text: `select coalesce(w.day, m.day)::text as day, coalesce(w.cap, 0) as cap, coalesce(w.used, 0) as used,
               coalesce(w.bulk_used, 0) as "bulkUsed", coalesce(w.reserved, 0) as reserved,
               coalesce(w.bulk_reserved, 0) as "bulkReserved",
               coalesce(m.held, 0) as held, coalesce(m.bulk, 0) as "bulkHeld",
               coalesce(m.resets, 0) as "resetsHeld"
             from (select * from warmup_days where domain_id = $2) w
             full join (
               select admitted_day as day, count(*)::int as held, (count(*) filter (where stream = 'bulk'))::int as bulk,
                 (count(*) filter (where origin = 'reset'))::int as resets
               from messages where tenant_id = $1 and admitted_day is not null group by 1) m on m.day = w.day`,
      values: [this.account.tenantId, this.account.domainId],
    });
    return rows;
  }

  /** The database's UTC day. */
  async day(): Promise<string> {
    return (await this.environment.simulated.now()).toISOString().slice(0, 10);
  }

  /** Ends the run: nobody stands still, and nothing is left for the next run of the environment to trip over. */
  async close(): Promise<void> {
    for (const { resume } of this.paused) resume();
    await Promise.allSettled(this.paused.map(({ done }) => done));
    await this.environment.simulated.db.pool.query({
      name: 'model-clean',
      text: 'delete from messages where tenant_id = $1',
      values: [this.account.tenantId],
    });
  }

  // As sender/accept/accept.ts: a batch that another sender was faster with is tried again, and then finds its ids stored.
  private async submit(deps: AcceptDeps, messages: NewMessage[]): Promise<void> {
    const submission = makeSubmission(this.account, messages);
    try {
      await acceptBatch(deps, [submission]);
    } catch (error) {
      if (!TAKEN.includes(sqlState(error) ?? '')) throw error;
      await acceptBatch(this.deps(), [submission]);
    }
  }

  private deps(): AcceptDeps {
    return {
      pool: this.environment.simulated.db.pool,
      gate: this.environment.gate,
      fail: () => {},
      systemDomain: this.systemDomain,
      workerId: () => newUuid(),
      capacity: () => 0,
      maxAgeMs: 3_600_000,
    };
  }

  // Unlike the gate, which goes on without an answer, this waits for one: the client's limit is 250 ms, and a busy machine
  // may be later. To break the same thing twice is as good.
  private async lua(source: string): Promise<void> {
    const { tenantId, domainId } = this.account;
    const key = `${this.environment.context.config.KEY_PREFIX}:gate:{${tenantId}:${domainId}}:${await this.day()}`;
    const script = { name: 'model', source, sha1: 'x'.repeat(40) };
    const isDone = () =>
      this.environment.redis.run(script, [key, `${key}:ids`], []).then(
        () => true,
        (error: unknown) => {
          if (error instanceof RedisAway) return false;
          throw error;
        },
      );
    await waitUntil(isDone, { what: 'an answer of Redis' });
  }
}

/** One day of the domain. */
export interface DayState {
  day: string;
  cap: number;
  used: number;
  bulkUsed: number;
  reserved: number;
  bulkReserved: number;
  /** Messages that are admitted on the day. */
  held: number;
  bulkHeld: number;
  resetsHeld: number;
}
