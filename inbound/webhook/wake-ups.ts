// Wake-ups over JetStream: "poll at this time". Any process that receives one polls; the item says
// nothing that the record does not say, so losing all of them, or getting one twice, changes nothing but the delay.

import { newUuid } from '../../core/base/ids.ts';
import { nowMs } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/log.ts';
import type { Nats } from '../../core/clients/nats.ts';
import { createWorkQueue, type Verdict } from '../../core/clients/work-queue.ts';

/** The wake-ups of one process. */
export interface WakeUps {
  /** Somebody should look after so many milliseconds; 0 is now. Never waits, never fails. */
  announce(inMs: number): void;
  stop(): Promise<void>;
}

interface Item {
  dueAt: number;
}

const QUEUE = 'webhook';

/** Consumes wake-ups, and makes them. `wake` must be cheap: it is called once per batch of items. */
export function startWakeUps(nats: Nats, wake: () => void, log: Logger): WakeUps {
  const queue = createWorkQueue(nats, QUEUE, log);
  const abort = new AbortController();
  let announced = false;
  const add = (inMs: number) => void queue.add(newUuid(), { dueAt: nowMs() + inMs } satisfies Item);
  const handle = async (items: unknown[]): Promise<Verdict[]> => {
    const now = nowMs();
    const verdicts = items.map((item): Verdict => {
      const { dueAt } = item as Item;
      return Number.isFinite(dueAt) && dueAt > now ? { againInMs: dueAt - now } : 'done';
    });
    if (verdicts.includes('done')) wake();
    return Promise.resolve(verdicts);
  };
  const consuming = queue.consume(handle, abort.signal);
  return {
    announce: (inMs) => {
      if (inMs > 0) return add(inMs);
      // A thousand messages in one moment need one look.
      if (announced) return;
      announced = true;
      setTimeout(() => {
        announced = false;
        add(0);
      }, 5);
    },
    stop: async () => {
      abort.abort();
      await consuming;
    },
  };
}
