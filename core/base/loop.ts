// A loop that polls, can be woken, backs off and stops.
//
//   a step says in how many milliseconds the next begins; 0 is at once
//   `wake` ends the wait; during a step it makes the next one begin at once, so that nothing is missed
//   a step that throws is tried again after a pause that doubles up to `longestPauseMs`, with jitter so that processes
//   do not come back in one moment; nothing wakes it, or a store that is down would be asked without end
//   trouble of one kind is logged once until a step works again
//   `stop` aborts the signal and waits for the step under way

import { sleep } from './clock.ts';
import type { Logger } from './log.ts';

/** What a loop does. */
export interface LoopOptions {
  /** What it does, for the log: "campaigns", "the sweep". */
  what: string;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Returns the milliseconds until the next step. May throw; once the signal is aborted an error is ignored. */
  step(signal: AbortSignal): Promise<number>;
  /** Milliseconds until the first step. */
  firstInMs?: number;
  longestPauseMs?: number;
  /** Trouble that is not ours, a database that is down: a warning. Everything is, without it. */
  isExpected?(error: unknown): boolean;
}

/** A running loop. */
export interface Loop {
  wake(): void;
  stop(): Promise<void>;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** Starts a loop. */
export function startLoop(options: LoopOptions): Loop {
  const { step, longestPauseMs = LONGEST_PAUSE_MS } = options;
  const trouble = createTroubleLog(options);
  const stop = new AbortController();
  const { signal } = stop;
  let woken = new AbortController();

  const run = async () => {
    await sleep(options.firstInMs ?? 0, woken.signal);
    for (let failures = 0; !signal.aborted;) {
      woken = new AbortController();
      try {
        const inMs = await step(signal);
        trouble.over(failures);
        failures = 0;
        if (inMs > 0) await sleep(inMs, woken.signal);
      } catch (error) {
        if (signal.aborted) return;
        trouble.heard(error);
        const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures++, 20), longestPauseMs);
        await sleep(pauseMs * (0.5 + Math.random() / 2), signal);
      }
    }
  };
  const running = run();
  return {
    wake: () => woken.abort(),
    stop: () => {
      stop.abort();
      woken.abort(); // not AbortSignal.any: with a signal that lives on, Node keeps something of each of them
      return running;
    },
  };
}

function createTroubleLog({ what, log, isExpected }: LoopOptions) {
  let kind: string | null = null;
  return {
    heard(error: unknown) {
      const now = kindOf(error);
      if (now === kind) return;
      kind = now;
      const level = !isExpected || isExpected(error) ? 'warn' : 'error';
      log[level]({ err: error, what }, 'a step failed; it is tried again');
    },
    over(failures: number) {
      if (kind !== null) log.info({ what, failures }, 'it works again');
      kind = null;
    },
  };
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error as { code?: string }).code ?? `${error.name}: ${error.message}`;
}
