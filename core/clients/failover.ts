// One call, several senders: it goes to the one that core/clients/choose-sender.ts finds, and to another as soon as that one is
// silent, breaks, or has no capacity. Guarantee: it ends with an answer, or with an error that says whether it may have been done.
//
// Two senders may do one call then, the frozen one when it goes on. That has one effect, because the caller chooses the
// ids of its messages: who comes second finds them stored (sender/accept/facts.ts) and gives the first answer again. What a
// frozen sender had begun in the database is rolled back there (idleMs in core/base/time-limits.ts), so that others need not wait for it.

import { AppError, maybeStored } from '../base/errors.ts';
import { chooseSender, type About, type Choice } from './choose-sender.ts';
import { TICK_MS, type SenderHealth } from './sender-health.ts';

/** A sender that calls may go to. */
export interface Target extends Choice {
  health: SenderHealth;
  /** For each call that waits for it, what to do when it becomes silent. */
  calls: Set<() => void>;
}

/** Whom calls may go to; who that is changes while they are made. */
export interface Targets<T> {
  /** Those for new calls. */
  live(): readonly T[];
  /** And those that only answer what they have. */
  all(): readonly T[];
  /** A call is at it no more. */
  left(target: T): void;
  /** Whether the first ones may be there in a moment. */
  expected(): boolean;
}

/**
 * What one sender made of a call. `final`: the answer. `unavailable`: it cannot now, another may; `uncertain`: and it may
 * have been done. `in_progress`: its idempotency key is in use, by this call at another sender perhaps. `unsent`, `lost`:
 * the connection broke before or after it was sent.
 */
export type Result<A> = {
  what: 'final' | 'unavailable' | 'uncertain' | 'in_progress' | 'unsent' | 'lost';
} & ({ answer: A } | { error: AppError });

/** Begins a call at one sender; `settle` is called once. Returns how to forget the call. */
export type Attempt<T, A> = (target: T, settle: (result: Result<A>) => void) => () => void;

/** How a call is made, and what it is about. */
export interface CallOptions extends About {
  /** What it does: nothing, or something that is the same done twice. */
  effect: 'none' | 'repeatable';
  /** Without it, a call may take as long as its sender gives signs of life. */
  limitMs?: number;
  signal?: AbortSignal | undefined;
}

/** Makes calls to several senders. */
export interface Failover<T> {
  /** Rejects with AppError, or with the reason of the signal. */
  call<A>(attempt: Attempt<T, A>, options: CallOptions): Promise<A>;
  /** Ends the calls under way as if no sender were there. */
  close(): void;
}

const MOST_BREAKS = 5; // of connections under one call: it may be what breaks them

/** Makes calls to these senders. `wake` is to be called when there is one more that serves. */
export function createFailover<T extends Target>(targets: Targets<T>): Failover<T> & { wake(): void } {
  const stuck = new Set<() => void>();
  const open = new Set<() => void>();
  const wake = () => {
    for (const retry of [...stuck]) retry();
  };
  const timer = setInterval(() => {
    for (const { health, calls } of targets.all()) {
      if (health.tick(calls.size > 0)) for (const advance of [...calls]) advance();
    }
    wake();
  }, TICK_MS).unref();
  return {
    call: (attempt, options) =>
      new Promise((resolve, reject) =>
        makeCall({ targets, stuck, open, attempt, ...options, resolve, reject }),
      ),
    wake,
    close: () => {
      clearInterval(timer);
      for (const stop of [...open]) stop();
    },
  };
}

interface Made<T, A> extends CallOptions {
  targets: Targets<T>;
  /** Calls that wait for a sender, or for a moment before they are tried again. */
  stuck: Set<() => void>;
  /** For each call under way, how to give it up. */
  open: Set<() => void>;
  attempt: Attempt<T, A>;
  resolve(answer: A): void;
  reject(error: unknown): void;
}

interface Call<T, A> extends Made<T, A> {
  /** Who has it, with how to forget it. */
  running: Map<T, () => void>;
  /** Who said that it cannot. */
  refused: Set<T>;
  /** Who is not tried before the next tick. */
  resting: Set<T>;
  last: Result<A> | null;
  breaks: number;
  mayBeDone: boolean;
  /** The timer and the signal. */
  release(): void;
  /** In `stuck` while there is nobody to try. */
  retry(): void;
}

function makeCall<T extends Target, A>(made: Made<T, A>): void {
  const { limitMs, signal } = made;
  const stop = () => giveUp(call);
  made.open.add(stop);
  const limit = limitMs === undefined ? undefined : setTimeout(stop, limitMs);
  const abort = () => end(call, () => call.reject(signal?.reason));
  signal?.addEventListener('abort', abort, { once: true });
  const call: Call<T, A> = {
    ...made,
    running: new Map(),
    refused: new Set(),
    resting: new Set(),
    last: null,
    breaks: 0,
    mayBeDone: false,
    release() {
      made.open.delete(stop);
      clearTimeout(limit);
      signal?.removeEventListener('abort', abort);
    },
    retry() {
      call.stuck.delete(call.retry);
      call.resting.clear();
      advance(call);
    },
  };
  if (signal?.aborted) abort();
  else advance(call);
}

// Nothing is to be done while a sender that lives has it.
function advance<T extends Target, A>(call: Call<T, A>): void {
  const { targets, running, refused, resting } = call;
  for (const { health } of running.keys()) if (health.serving()) return;
  const live = targets.live();
  const usable = live.filter((one) => one.health.serving() && !running.has(one) && !refused.has(one));
  const next = chooseSender(
    usable.filter((one) => !resting.has(one)),
    call,
  );
  if (next) return begin(call, next);
  const inVain = usable.length === 0 && live.every((one) => refused.has(one) || one.health.hopeless());
  if (inVain && !targets.expected()) giveUp(call);
  else call.stuck.add(call.retry);
}

function begin<T extends Target, A>(call: Call<T, A>, target: T): void {
  let forget: (() => void) | null = null;
  let over = false;
  const silent = () => advance(call);
  const leave = () => {
    over = true;
    target.calls.delete(silent);
    call.running.delete(target);
    call.targets.left(target);
  };
  target.calls.add(silent);
  call.running.set(target, () => {
    leave();
    forget?.();
  });
  forget = call.attempt(target, (result) => {
    if (over) return;
    leave();
    settle(call, target, result);
  });
}

function settle<T extends Target, A>(call: Call<T, A>, target: T, result: Result<A>): void {
  call.last = result;
  switch (result.what) {
    case 'final':
      return conclude(call, result);
    case 'unavailable':
    case 'uncertain':
      call.mayBeDone ||= result.what === 'uncertain';
      call.refused.add(target);
      return advance(call);
    case 'in_progress':
      if (!isUncertain(call)) return conclude(call, result);
      call.resting.add(target);
      return advance(call);
    case 'lost':
    case 'unsent':
      call.mayBeDone ||= result.what === 'lost';
      call.resting.add(target);
      if (++call.breaks < MOST_BREAKS) return advance(call);
      return giveUp(call);
    default:
      return result.what satisfies never;
  }
}

function giveUp<T extends Target, A>(call: Call<T, A>): void {
  const { last, effect } = call;
  if (last?.what === 'in_progress') return conclude(call, last);
  if (last?.what === 'unavailable' && !isUncertain(call)) return conclude(call, last);
  const error = effect !== 'none' && isUncertain(call) ? maybeStored(last) : noSender(last);
  end(call, () => call.reject(error));
}

function isUncertain<T, A>({ mayBeDone, running }: Call<T, A>): boolean {
  return mayBeDone || running.size > 0;
}

function conclude<T, A>(call: Call<T, A>, result: Result<A>): void {
  end(call, () => ('answer' in result ? call.resolve(result.answer) : call.reject(result.error)));
}

function end<T, A>(call: Call<T, A>, finish: () => void): void {
  call.release();
  call.stuck.delete(call.retry);
  for (const forget of [...call.running.values()]) forget();
  finish();
}

function noSender(cause: unknown): AppError {
  const message = 'No sender is available. Nothing was stored; try again.';
  return new AppError('unavailable', message, { retryAfterSeconds: 1, cause });
}
