// A subscription: changes of one tenant, published on NATS, as the latest state of what changed.
//
// NATS carries ids only. Each is read again with the tenant of the token, so nothing of another tenant can come out,
// and the same id published a hundred times in a moment is read once. A campaign of a million cannot flood a browser:
// at most MOST_AT_ONCE objects, FLUSHES_PER_SECOND times a second; what is more is dropped, oldest first, for a view
// that shows the newest has no use for it.

import { AppError } from '../../core/base/errors.ts';
import { subscribeLive, type LiveTopic } from '../../core/clients/live.ts';
import { bearerToken } from '../exchange.ts';
import { whenOver } from '../open-streams.ts';
import { renewLoaders, signedIn, type GraphqlContext } from './context.ts';

const FLUSHES_PER_SECOND = 4;
const MOST_AT_ONCE = 50;
const RECHECK_MS = 5_000; // a token that is over, or a session that was ended, ends the stream within this

/** Live views that may be open at once, over all api processes. */
const LIVE_VIEWS = {
  perSession: 20, // tabs of one browser, each with one or two
  perTenant: 100,
};

/** The topic of a subscription, and how it reads what changed. */
export interface LiveSource<T> {
  /** Keys (ids) of what changed, out of what was published under the topic. */
  topics: Partial<Record<LiveTopic, (json: unknown) => string[]>>;
  /** The objects of these keys, as the tenant may see them. What is not there any more is left out. */
  read: (keys: string[]) => Promise<T[]>;
  /** Milliseconds between two polls; a quarter of a second unless said otherwise. */
  everyMs?: number;
}

/**
 * Opens a stream for the signed-in person. It ends when they leave, when they may no longer look, and within
 * LIVE_VIEW_SECONDS: their client opens it again. One too many is refused before the answer begins.
 */
export async function openLive<T>(
  context: GraphqlContext,
  source: LiveSource<T>,
): Promise<AsyncGenerator<T>> {
  const { tenantId, sessionId } = signedIn(context);
  const limits = [
    { subject: `session:${sessionId}`, most: LIVE_VIEWS.perSession, what: 'live views of a session' },
    { subject: 'live-views', most: LIVE_VIEWS.perTenant, what: 'live views of a tenant' },
  ];
  const leave = await context.deps.streams.open(tenantId, limits).catch((error: unknown) => {
    if (error instanceof AppError) context.refusals.push(error);
    throw error;
  });
  whenOver(context.exchange.context.env.outgoing, leave); // not at the end of the generator: one that never began has none
  return follow(context, tenantId, source);
}

async function* follow<T>(
  context: GraphqlContext,
  tenantId: string,
  source: LiveSource<T>,
): AsyncGenerator<T> {
  const changed = new Set<string>();
  const bell = createBell([context.exchange.context.req.raw.signal, context.deps.stopping]);
  const stops = Object.entries(source.topics).map(([topic, keysOf]) =>
    subscribeLive(context.deps.nats, tenantId, topic as LiveTopic, (json) => {
      for (const key of keysOf(json)) keep(changed, key);
      if (changed.size > 0) bell.ring();
    }),
  );
  const recheck = setInterval(() => {
    void mayLook(context).then((may) => (may ? undefined : bell.end()));
  }, RECHECK_MS);
  // Not all at once an hour after a restart.
  const lifeMs = context.deps.config.LIVE_VIEW_SECONDS * 1_000 * (1 - Math.random() / 10);
  const over = setTimeout(() => bell.end(), lifeMs);
  try {
    while (await bell.rung()) {
      const keys = [...changed];
      changed.clear();
      renewLoaders(context);
      yield* await source.read(keys);
      await bell.pause(source.everyMs ?? 1_000 / FLUSHES_PER_SECOND);
    }
  } finally {
    clearInterval(recheck);
    clearTimeout(over);
    bell.close();
    for (const stop of stops) stop();
  }
}

function keep(changed: Set<string>, key: string): void {
  changed.delete(key); // the newest is last
  changed.add(key);
  const [oldest] = changed;
  if (changed.size > MOST_AT_ONCE && oldest !== undefined) changed.delete(oldest);
}

async function mayLook({ deps, exchange }: GraphqlContext): Promise<boolean> {
  const token = bearerToken(exchange);
  if (token === null) return false;
  const identity = await deps.authenticator.authenticate(token, exchange.client.exact).catch(() => null);
  const principal = identity?.principal;
  return principal?.kind === 'user' && !principal.lacksSecondFactor;
}

// Wakes the one that waits, and ends with the request or this process.
function createBell(signals: AbortSignal[]) {
  let ringing = false;
  let ended = signals.some((signal) => signal.aborted);
  let wake = () => {};
  const end = () => {
    ended = true;
    wake();
  };
  for (const signal of signals) signal.addEventListener('abort', end);
  return {
    ring: () => {
      ringing = true;
      wake();
    },
    end,
    close: () => {
      for (const signal of signals) signal.removeEventListener('abort', end);
    },
    /** True when something changed, false when it is over. */
    async rung(): Promise<boolean> {
      while (!ringing && !ended) await new Promise<void>((resolve) => (wake = resolve));
      ringing = false;
      return !ended;
    },
    async pause(ms: number): Promise<void> {
      if (ended) return;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms);
        wake = () => (ended ? resolve() : undefined);
      });
      clearTimeout(timer);
      wake = () => {};
    },
  };
}
