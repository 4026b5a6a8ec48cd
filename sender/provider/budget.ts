// This sender's part of what one mailbox provider takes: how many connections may be open, and how many messages may begin.
// All senders share the limits through Redis (ask.lua), which is asked about once a second while there is something to
// send, never for a single message. Without Redis a sender goes on with the part that it had, or with its part of the
// limits that it knows, and one connection at least.

import { join } from 'node:path';

import { monotonicMs } from '../../core/base/clock.ts';
import { newUuid } from '../../core/base/ids.ts';
import { loadScript, RedisAway, type RedisConnection } from '../../core/clients/redis.ts';
import { normalReply } from '../../core/mail/normal-reply.ts';
import { providerKeys } from '../../core/mailbox-provider/limits.ts';
import type { MailboxProvider } from '../../core/mailbox-provider/provider-table.ts';
import type { ReplyAction } from './reply-rules.ts';

/** What a sender has and wants of a provider now. */
export interface Demand {
  /** Connections that are open, are being opened or closed, or are about to be needed. */
  open: number;
  /** Those of them that the provider accepted or has not answered yet. */
  working: number;
  /** Connections that all messages here together could use. */
  connections: number;
  /** Messages that wait here. */
  messages: number;
}

/** The part of one provider. Times are of the monotonic clock, in milliseconds. */
export interface Budget {
  /** Connections that may be open now. */
  connections(): number;
  /** What the provider takes of all senders together, as far as it is known here: connections, messages a minute. */
  limits(): { connections: number; perMinute: number };
  /** Takes the right to send one message; false when there is none left for now. */
  takeMessage(now: number): boolean;
  /** How long the provider wants no mail; 0 when it does. */
  suspendedMs(now: number): number;
  /** Messages a second that this sender may expect to send. */
  perSecond(): number;
  /** The provider answered a message, and did not complain of our pace. */
  answered(): void;
  /** It complained, with so many other connections of ours that it did not refuse. */
  complained(action: ReplyAction, reply: string, working: number, now: number): void;
  /** Asks Redis when it is time to, and calls back when there is news. */
  poll(demand: Demand, now: number, onNews: () => void): void;
  /** Tells Redis that nothing is needed any more. */
  leave(): Promise<void>;
}

/** What budgets need. */
export interface BudgetDeps {
  redis: RedisConnection;
  keyPrefix: string;
  /** Senders that are alive, this one included. */
  senders: () => number;
  /** Factor on all times; 1 but in tests. */
  scale: number;
}

const SECOND_MS = 1_000;
const ASK_EVERY_MS = 900; // at every tick of the delivery loop, a second apart, whatever its timer does
const ASK_SOONEST_MS = 250; // after the last question, when there is news
const HOLD_MS = 15_000; // after "too fast", as in ask.lua; here it needs no answer of Redis
const SPARE_MESSAGES = 2; // for what comes between two questions
const MINUTE_S = 60;
const BURST_PART = 20; // as in ask.lua
const MAX_REPLY_CHARS = 200; // kept of the reply that limits were learned from

const script = loadScript(join(import.meta.dirname, 'ask.lua'));

interface News {
  connections: boolean;
  rate: boolean;
  suspendMs: number;
  reply: string;
}

const NO_NEWS: News = { connections: false, rate: false, suspendMs: 0, reply: '' };

/** The budget of a provider, for this process. */
export function createBudget(provider: MailboxProvider, deps: BudgetDeps): Budget {
  const { redis, scale } = deps;
  const id = newUuid();
  const keys = providerKeys(deps.keyPrefix, provider.name);
  let limits = { connections: provider.connections, perMinute: provider.perMinute };
  let granted = 0; // what Redis has written down for us, as far as we know
  let away = false;
  let messages = 0;
  let filledAt = 0; // while Redis is away
  let answered = 0;
  let news = { ...NO_NEWS };
  let suspendedUntil = 0;
  let heldUntil = 0;
  let askedAt = -Infinity;
  let isForgotten = true; // by Redis, or not known there yet
  let asking: Promise<void> | null = null;

  const ownPart = (of: number) => of / Math.max(1, deps.senders());
  const connections = () =>
    away && granted === 0 ? Math.max(1, Math.floor(ownPart(limits.connections))) : granted;
  const ask = async (demand: Demand, leaving: boolean) => {
    const told = { answered, news };
    const keep = leaving ? 0 : Math.max(demand.open, granted);
    const unsent = away ? 0 : messages;
    answered = 0;
    news = { ...NO_NEWS };
    messages = away ? messages : 0;
    if (leaving) granted = 0; // before Redis may give it to others
    try {
      const reply = await redis.run(
        script,
        keys,
        [
          ...[id, provider.connections, provider.perMinute, keep, demand.connections, demand.working],
          ...[unsent, leaving ? 0 : demand.messages + SPARE_MESSAGES, told.answered],
          ...[Number(told.news.connections), Number(told.news.rate), Math.round(told.news.suspendMs)],
          ...[told.news.reply, SECOND_MS * scale, deps.senders(), Number(leaving)],
        ].map(String),
      );
      const [slots, fresh, suspendedMs, limit, perMinute] = reply as [number, number, number, number, number];
      const now = monotonicMs();
      away = false;
      granted = slots;
      messages = now < heldUntil ? 0 : fresh;
      suspendedUntil = Math.max(suspendedUntil, now + suspendedMs);
      limits = { connections: limit, perMinute };
    } catch (error) {
      if (!(error instanceof RedisAway)) throw error;
      if (!away) filledAt = monotonicMs();
      away = true;
      answered += told.answered;
      news = merge(told.news, news);
    }
  };
  // Without Redis the bucket of ask.lua, for our part alone.
  const refill = (now: number) => {
    const perMinute = ownPart(limits.perMinute);
    const burst = Math.max(1, perMinute / BURST_PART);
    messages = Math.min(messages + ((now - filledAt) * perMinute) / (MINUTE_S * SECOND_MS * scale), burst);
    filledAt = now;
  };
  return {
    connections,
    limits: () => limits,
    takeMessage: (now) => {
      if (away) refill(now);
      if (messages < 1 || now < heldUntil) return false;
      messages -= 1;
      return true;
    },
    suspendedMs: (now) => Math.max(0, suspendedUntil - now),
    perSecond: () => ownPart(limits.perMinute) / (MINUTE_S * scale),
    answered: () => void (answered += 1),
    complained: (action, reply, working, now) => {
      const reason = normalReply(reply).slice(0, MAX_REPLY_CHARS);
      const suspendMs = action.kind === 'suspend' ? action.minutes * MINUTE_S * SECOND_MS * scale : 0;
      news = merge(news, {
        connections: action.kind === 'connections',
        rate: action.kind === 'rate',
        suspendMs,
        reply: reason,
      });
      suspendedUntil = Math.max(suspendedUntil, suspendMs > 0 ? now + suspendMs : 0);
      if (action.kind === 'rate') heldUntil = now + HOLD_MS * scale;
      // At once, not with the next answer: what is refused is asked for again otherwise.
      if (action.kind === 'connections') {
        granted = Math.min(granted, working);
        if (away) limits.connections = Math.max(1, Math.min(limits.connections - 1, working));
      }
      askedAt = Math.min(askedAt, now - (ASK_EVERY_MS - ASK_SOONEST_MS) * scale);
    },
    poll: (demand, now, onNews) => {
      const isOver = demand.open + demand.messages === 0;
      const isFirst = isForgotten && demand.messages > 0;
      const everyMs = (isFirst ? ASK_SOONEST_MS : ASK_EVERY_MS) * scale;
      if (asking || now - askedAt < everyMs) return;
      if (isOver && isForgotten && !hasNews(news)) return;
      askedAt = now;
      isForgotten = isOver;
      asking = ask(demand, isOver).finally(() => {
        asking = null;
        onNews();
      });
    },
    leave: async () => {
      await asking;
      if (!isForgotten || hasNews(news))
        await ask({ open: 0, working: 0, connections: 0, messages: 0 }, true);
    },
  };
}

function hasNews({ connections, rate, suspendMs }: News): boolean {
  return connections || rate || suspendMs > 0;
}

function merge(one: News, other: News): News {
  return {
    connections: one.connections || other.connections,
    rate: one.rate || other.rate,
    suspendMs: Math.max(one.suspendMs, other.suspendMs),
    reply: other.reply || one.reply,
  };
}
