// The destinations of one mailbox provider in this process, and what may begin there: they share the connections and the
// messages of the minute that this sender has of the provider (sender/provider/budget.ts).
//
// What cannot begin within about two seconds is not kept in memory: it goes back to the database until its turn, so that a
// provider that is slow, or wants nothing, costs the others nothing.

import { monotonicMs } from '../../core/base/clock.ts';
import type { Stream } from '../../core/base/stream.ts';
import type { MailboxProvider } from '../../core/mailbox-provider/provider-table.ts';
import type { Claim } from '../../core/message/claim.ts';
import { createBudget, type BudgetDeps, type Demand } from '../provider/budget.ts';
import { actionOf, type ReplyAction } from '../provider/reply-rules.ts';
import { hasWaiting, type Destination } from '../smtp/destination.ts';
import type { Rests } from '../source/rests.ts';
import type { Transaction } from '../smtp/transact.ts';

/** What may begin at the destinations of one provider. Times are of the monotonic clock, in milliseconds. */
export interface ProviderGate {
  /** For how long a message must wait before it is kept here; null when it may come in. */
  waitMs(claim: Pick<Claim, 'stream' | 'tenantId'>, now: number): number | null;
  /** For how long nothing may wait here: the provider wants no mail, or other senders have all connections. 0: it may. */
  closedMs(now: number): number;
  /** What the provider takes of all senders now, and what is used up: the numbers of a message that waits for it. */
  takes(): ProviderTakes;
  /** Notes that a destination has something to deliver. */
  enter(destination: Destination): void;
  /** Begins one more delivery at a destination; false when it must wait, and is called when it need not. */
  begin(destination: Destination, now: number): boolean;
  /** Tells that a delivery ended: others may begin. */
  ended(): void;
  /**
   * Tells how a transaction of a destination went. Returns what the provider asks for when it spoke about our pace or our
   * address as a whole. A source that it refuses rests; without sources the provider as a whole gets nothing for that time.
   */
  note(transaction: Exclude<Transaction, { kind: 'abandoned' }>, at: Destination): ReplyAction | null;
  /** Asks for what is needed, and begins what may. Called often. */
  tick(now: number): void;
  /** Gives back what this process has of the provider. */
  leave(): Promise<void>;
}

/** What a provider takes, as a waiting message notes it. */
interface ProviderTakes {
  connections: number;
  per_minute: number;
  /** `pause`: it wants no mail; `crowded`: other senders have all connections; `busy`: enough waits for what it takes. */
  limit: 'pause' | 'crowded' | 'busy';
}

/** What gates need. */
export interface ProviderGateDeps extends BudgetDeps {
  random: () => number;
  /** Lets a source rest for a provider, for so many milliseconds, because of this reply. */
  rest: Rests['begin'];
}

const LEAST_KEPT = 8; // messages of a provider, however slow it is
const KEPT_S = 2; // twice as long as it takes until more is claimed from the database
const WAIT_MS = { least: 1_000, most: 900_000 }; // 15 minutes: limits may have risen by then
const JITTER = 0.1;
const MINUTE_MS = 60_000;
// With fewer connections than senders some have none for a minute. What they hold goes to those who have one.
const PATIENCE_MS = 3_000;
const CROWDED_OUT_MS = 5_000;

/** Makes the gate of a provider; `pump` begins at a destination what may begin there. */
export function createProviderGate(
  provider: MailboxProvider,
  deps: ProviderGateDeps,
  pump: (destination: Destination) => void,
): ProviderGate {
  const budget = createBudget(provider, deps);
  const { scale } = deps;
  // Those with messages or connections: no more of them than messages are kept and connections allowed. Who was served
  // goes to the end.
  const busy = new Set<Destination>();
  const returnsAt = new Map<string, number>(); // when the last one of a tenant and stream that had to wait comes back
  let withoutSince: number | null = null;
  let crowdedOutUntil = 0;

  const inUse = ({ active, pool }: Destination) => Math.max(active, pool.size());
  const sum = (of: (destination: Destination) => number) => {
    let total = 0;
    for (const destination of busy) total += of(destination);
    return total;
  };
  const waitingIn = ({ waiting }: Destination, stream: Stream) =>
    waiting.transactional.size() + (stream === 'bulk' ? waiting.bulk.size() : 0);
  const tidy = () => {
    for (const destination of busy)
      if (inUse(destination) === 0 && !hasWaiting(destination)) busy.delete(destination);
    const now = monotonicMs();
    for (const [who, at] of returnsAt) if (at < now) returnsAt.delete(who);
  };
  // Tenants have equal parts of what is kept, so that one that fills it does not send those of the others back.
  const tenants = (tenantId: string) => {
    const all = new Set([...busy].flatMap((one) => [...one.tenants.keys()]));
    return { own: sum((one) => one.tenants.get(tenantId) ?? 0), count: all.add(tenantId).size };
  };
  const demand = (now: number): Demand => ({
    open: sum(inUse),
    working: sum(({ pool }) => pool.working()),
    connections: sum((one) => Math.min(one.active + waitingIn(one, 'bulk'), one.concurrency.limit(now))),
    messages: sum((one) => waitingIn(one, 'bulk')),
  });
  // Idle connections that are too many, or that somebody else here could use, are closed.
  const closeIdle = () => {
    const open = sum(inUse);
    const needed = open >= budget.connections() && [...busy].some(hasWaiting);
    if (open <= budget.connections() && !needed) return;
    for (const one of busy) {
      const canUse = hasWaiting(one) && open <= budget.connections();
      if (one.pool.size() > one.active && !canUse) one.pool.close();
    }
  };
  const noteCrowd = (now: number) => {
    if (budget.connections() > 0 || ![...busy].some(hasWaiting)) withoutSince = null;
    else withoutSince ??= now;
    if (withoutSince === null || now - withoutSince < PATIENCE_MS * scale) return;
    crowdedOutUntil = now + CROWDED_OUT_MS * scale;
    withoutSince = null;
  };
  const closedMs = (now: number) => Math.max(0, crowdedOutUntil - now, budget.suspendedMs(now));
  const pumpAll = () => {
    closeIdle();
    noteCrowd(monotonicMs());
    const waiting = [...busy].filter(hasWaiting);
    const first = waiting.filter((one) => one.waiting.transactional.size() > 0);
    for (const one of [...first, ...waiting.filter((other) => !first.includes(other))]) pump(one);
  };
  const tick = (now: number) => {
    tidy();
    budget.poll(demand(now), now, pumpAll);
    if (busy.size > 0) pumpAll();
  };
  const maySend = (destination: Destination) => {
    const more = Math.max(destination.active + 1, destination.pool.size());
    return sum(inUse) - (busy.has(destination) ? inUse(destination) : 0) + more <= budget.connections();
  };
  return {
    closedMs,
    waitMs: ({ stream, tenantId }, now) => {
      const closed = closedMs(now);
      if (closed > 0) return closed * (1 + JITTER * deps.random());
      const messagesPerSecond = budget.perSecond();
      const kept = Math.max(LEAST_KEPT, messagesPerSecond * KEPT_S);
      if (sum((one) => waitingIn(one, stream)) < kept) return null;
      const { own, count } = tenants(tenantId);
      if (own < kept / count) return null;
      // One after the other, as fast as they can leave beside those of the others.
      const who = `${stream} ${tenantId}`;
      const at = Math.max(returnsAt.get(who) ?? 0, now) + (1_000 * count) / messagesPerSecond;
      const inMs = Math.min(Math.max(at - now, WAIT_MS.least * scale), WAIT_MS.most * scale);
      returnsAt.set(who, now + inMs);
      return inMs * (1 + JITTER * deps.random());
    },
    takes: () => {
      const { connections, perMinute } = budget.limits();
      const now = monotonicMs();
      const limit = budget.suspendedMs(now) > 0 ? 'pause' : crowdedOutUntil > now ? 'crowded' : 'busy';
      return { connections, per_minute: perMinute, limit };
    },
    enter: (destination) => {
      const isFirst = !busy.has(destination);
      busy.add(destination);
      if (isFirst || budget.connections() === 0) {
        const now = monotonicMs();
        budget.poll(demand(now), now, pumpAll);
      }
    },
    begin: (destination, now) => {
      if (!maySend(destination) || !budget.takeMessage(now)) return false;
      busy.delete(destination);
      busy.add(destination);
      return true;
    },
    ended: () => {
      tidy();
      pumpAll();
    },
    note: (transaction, { source }) => {
      const action = transaction.kind === 'refused' ? actionOf(provider.name, transaction.reply) : null;
      if (action === null || transaction.kind !== 'refused') {
        if (transaction.kind !== 'failed') budget.answered();
        return null;
      }
      const reply = transaction.reply.lines.join('\n');
      if (action.kind === 'suspend' && source !== null) {
        deps.rest(source.address, provider.name, action.minutes * MINUTE_MS * scale, reply);
        return action;
      }
      const now = monotonicMs();
      budget.complained(action, reply, demand(now).working, now);
      budget.poll(demand(now), now, pumpAll);
      return action;
    },
    tick,
    leave: budget.leave,
  };
}
