// Whether PostgreSQL answers at all. A slow statement and a frozen server (a stopped machine, a line that swallows
// packets) look the same to a caller; `select 1` on a separate connection tells them apart. It is asked only
// while somebody waits.

import { monotonicMs } from '../base/clock.ts';

/** The watch over one server. */
export interface Pulse {
  /** False from the moment that it was silent for too long until it answers again. */
  answers(): boolean;
  stop(): void;
}

const BEAT_MS = 200; // with the silence, how old a freeze is when it is seen

/**
 * Starts to watch. `ask` is one question, which must give up some time and calls `sent` when it has a connection. Until then a busy
 * server may be starting a process for it: a question that gave up without a connection is silence only if `answered`, which counts
 * all other answers of the server, did not change meanwhile. `onSilence` is called once per silence.
 */
export function startPulse(options: {
  ask(sent: () => void): Promise<unknown>;
  isBusy(): boolean;
  answered(): number;
  silenceMs: number;
  onSilence(): void;
}): Pulse {
  const { ask, isBusy, silenceMs } = options;
  let silent = false;
  let stopped = false;
  const fallSilent = () => {
    if (silent || stopped) return;
    silent = true;
    options.onSilence();
  };

  // Afterwards the event loop reads what has arrived: an answer that only this process was too busy to read counts.
  const lateCheck = (isAnswered: () => boolean) =>
    setTimeout(() => {
      setImmediate(() => {
        if (!isAnswered()) fallSilent();
      });
    }, silenceMs);

  const beat = async () => {
    const askedAt = monotonicMs();
    const before = options.answered();
    let answered = false;
    let late: NodeJS.Timeout | undefined;
    try {
      await ask(() => (late = lateCheck(() => answered)));
      silent = false;
    } catch {
      // A refusal is an answer, and says more to those who get it than this could. A question given up is none.
      if (monotonicMs() - askedAt < silenceMs) silent = false;
      else if (options.answered() === before) fallSilent();
    }
    answered = true;
    clearTimeout(late);
  };
  const next = async () => {
    if (isBusy() || silent) await beat();
    if (!stopped) timer = setTimeout(() => void next(), BEAT_MS);
  };
  let timer = setTimeout(() => void next(), BEAT_MS);
  return {
    answers: () => !silent,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
