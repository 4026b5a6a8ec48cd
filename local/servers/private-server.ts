// What the three private servers share: a start is over when the server answers, and says why when it does not.

import { monotonicMs, sleep } from '../../core/base/clock.ts';
import type { LogLine } from './install.ts';
import type { NotRoot } from './not-root.ts';
import { lastLines, supervise, type ProcessSpec, type Supervised, type SuperviseDeps } from './supervise.ts';

/** A server of ours that answers. */
export interface PrivateServer {
  url: string;
  process: Supervised;
}

/** Where a private server keeps its things. */
export interface ServerPlace extends SuperviseDeps {
  /** The folder that holds everything of this checkout (`.local`). */
  dataDir: string;
  /** How PostgreSQL is run; chosen for this machine when absent. */
  notRoot?: NotRoot;
}

// A process that ends is seen at once; this is for one that hangs. With 60 processes on two cores a start took 90 s.
const READY_LIMIT_MS = 300_000;
const PROBE_GAP_MS = 10;

/**
 * Starts a process and waits until `answers` says yes. Throws with its last lines when it ends before. Stops the process and
 * throws once `signal` is aborted.
 */
export async function startAndWait(
  spec: ProcessSpec,
  deps: SuperviseDeps & { signal?: AbortSignal },
  answers: () => Promise<boolean>,
): Promise<Supervised> {
  const supervised = await supervise(spec, deps);
  const startedAt = monotonicMs();
  let ended: string | undefined;
  void supervised.failedStart.then((reason) => (ended = reason));
  while (!(await answers().catch(() => false))) {
    if (deps.signal?.aborted) {
      await supervised.stop();
      throw new Error(`${spec.name} was stopped before it was ready`);
    }
    const late = monotonicMs() - startedAt > READY_LIMIT_MS;
    if (ended !== undefined || late) {
      await supervised.stop();
      const what = late ? `did not answer within ${READY_LIMIT_MS / 1000} s` : `ended at once (${ended})`;
      throw new Error(
        `${spec.name} ${what}. Last lines of ${spec.logFile}:\n${await lastLines(spec.logFile)}`,
      );
    }
    await sleep(PROBE_GAP_MS);
  }
  supervised.ready();
  return supervised;
}

/** Tries `start`; when the data of an earlier run prevents it, sets them aside with `reset` and tries once more. */
export async function startOrReset<T>(
  name: string,
  start: () => Promise<T>,
  reset: () => Promise<void>,
  log: LogLine,
): Promise<T> {
  try {
    return await start();
  } catch (error) {
    log(
      `${name} did not start with the data of an earlier run; it holds nothing that cannot be rebuilt: starting empty`,
    );
    log(String(error));
    await reset();
    return start();
  }
}
