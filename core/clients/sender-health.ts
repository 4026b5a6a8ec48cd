// Whether one sender process gives signs of life. While calls wait for their answers and nothing is heard of it, it is asked
// a question that needs no store: a slow database makes answers late, a frozen process makes it silent. Nothing is
// asked while nobody waits.

import { Client, status, type ServiceError } from '@grpc/grpc-js';

import { monotonicMs, nowMs } from '../base/clock.ts';
import { ALL_SILENT_MS, RECONNECT_MS, SIGN_OF_LIFE_MS } from '../base/time-limits.ts';
import type { SenderServiceClient } from '../gen/sender/v1/sender.ts';

/** The signs of life of one sender. */
export interface SenderHealth {
  /** Whether it gets new calls, and what it has is expected to be answered. */
  serving(): boolean;
  /** Whether nobody should wait for it to come back. */
  hopeless(): boolean;
  /** Something came from it. */
  heard(): void;
  /** Its connection broke. */
  broke(): void;
  /** To be called every TICK_MS with whether a call waits for it; true when it has just become silent. */
  tick(waits: boolean): boolean;
  /** Whether it answers within so many milliseconds. */
  answers(limitMs: number): Promise<boolean>;
}

/** Between two looks at what was heard. */
export const TICK_MS = 100;

// Counted in looks, each in a turn of the event loop of its own: when it is this process that stood still, what came
// meanwhile is read before the next look.
const SILENT_TICKS = SIGN_OF_LIFE_MS / TICK_MS;

/** Watches one sender. `back` is called when it serves again after it was silent or gone, `gone` when its connection broke. */
export function createSenderHealth(
  client: SenderServiceClient,
  { back, gone }: { back(): void; gone(): void },
): SenderHealth {
  let state: 'serving' | 'silent' | 'gone' = 'serving'; // before the first connection too: a call makes it
  let since = 0;
  let heardLately = false;
  let quietTicks = 0;
  let asking = false;

  const become = (next: typeof state) => {
    if (next === state) return;
    state = next;
    since = monotonicMs();
    quietTicks = 0;
    if (next === 'serving') back();
    if (next === 'gone') gone();
  };
  const health: SenderHealth = {
    serving: () => state === 'serving',
    hopeless() {
      const limit = state === 'gone' ? RECONNECT_MS : ALL_SILENT_MS;
      return state !== 'serving' && monotonicMs() - since > limit;
    },
    heard() {
      heardLately = true;
      if (state === 'silent') become('serving');
    },
    broke() {
      if (state === 'gone') return;
      become('gone');
      Client.prototype.waitForReady.call(client, Infinity, (error) => {
        if (!error) become('serving');
      });
    },
    tick(waits) {
      const quiet = waits && !heardLately && state === 'serving';
      heardLately = false;
      quietTicks = quiet ? quietTicks + 1 : 0;
      if (quiet && !asking) ask();
      if (quietTicks < SILENT_TICKS) return false;
      become('silent');
      return true;
    },
    answers: (limitMs) =>
      new Promise((resolve) => {
        check(client, { deadline: nowMs() + limitMs }, (error) => resolve(isAnswer(error)));
      }),
  };

  // Without a deadline: the answer, whenever it comes, is the sign that a frozen process goes on.
  function ask(): void {
    asking = true;
    check(client, {}, (error) => {
      asking = false;
      if (isAnswer(error)) health.heard();
      else health.broke();
    });
  }
  return health;
}

const NOTHING = Buffer.alloc(0); // a HealthCheckRequest about the server as a whole
const bytes = (message: Buffer) => message;

function check(
  client: SenderServiceClient,
  options: { deadline?: number },
  done: (error: ServiceError | null) => void,
): void {
  client.makeUnaryRequest('/grpc.health.v1.Health/Check', bytes, bytes, NOTHING, options, done);
}

// An error that a process made up is a sign of life as well.
function isAnswer(error: ServiceError | null): boolean {
  const silence = [status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED];
  return error === null || !silence.includes(error.code);
}
