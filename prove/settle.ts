// Waits for the end state, without load and faults: what the API says of every tenant does not move any more, followers
// have seen everything, and inbound mail is where it belongs.

import { setTimeout as wait } from 'node:timers/promises';

import type { Calendar } from '../local/clock/calendar.ts';
import { walk } from '../local/clock/walk.ts';
import type { FaultDriver } from './faults/drive-faults.ts';
import { untilRecovered } from './faults/make-fault.ts';
import { journalMs } from './journal.ts';
import type { ReadDeps } from './load/read-end.ts';
import type { Webhooks } from './load/webhooks.ts';
import type { Progress } from './progress.ts';

/** What is looked at. */
export interface SettleDeps {
  read: ReadDeps;
  progress: Progress;
  webhooks: Webhooks;
  /** How long it may take. */
  limitMs: number;
}

const RECOVERY_LIMIT_MS = 120_000; // after the last fault; what does not work then will be seen in what is read
const DAY_MS = 86_400_000;
const MORNING_MS = 2 * 3_600_000; // after the release of midnight, and nothing is due for hours
const LOOK_EVERY_MS = 2_000;
const QUIET_MS = 6_000; // no event in this time; retries and releases look once a second

/**
 * Waits until everything works again, and lives on until the morning of a later day: what was refused for a day is tried
 * once more, and a day without faults must use all of its cap.
 */
export async function untilMorning(driver: Omit<FaultDriver, 'signal'>, days: number): Promise<void> {
  const { stack, log } = driver;
  if (!(await untilRecovered(stack, RECOVERY_LIMIT_MS))) log('not everything works again after the load');
  if (stack.calendar === null) return;
  const { calendar } = stack;
  const today = Math.floor((await timeOf(calendar)) / DAY_MS);
  const to = new Date((today + days) * DAY_MS + MORNING_MS);
  await walk({ calendar, to, log, signal: new AbortController().signal });
}

// PostgreSQL may still be starting.
async function timeOf(calendar: Calendar): Promise<number> {
  for (;;) {
    const now = await calendar.now().catch(() => null);
    if (now !== null) return now.getTime();
    await wait(LOOK_EVERY_MS / 10);
  }
}

/** Whether it came to rest in time. */
export async function settle(deps: SettleDeps): Promise<boolean> {
  const startedAt = journalMs();
  while (journalMs() - startedAt < deps.limitMs) {
    await wait(LOOK_EVERY_MS);
    if (journalMs() - Math.max(startedAt, deps.progress.lastEventAt()) < QUIET_MS) continue;
    if (inboundIsThere(deps) && !(await moves(deps.read))) return true;
  }
  return false;
}

function inboundIsThere({ read, progress, webhooks }: SettleDeps): boolean {
  const domains = read.world.accounts
    .filter(({ spec }) => spec.inbound === 'webhook')
    .flatMap((account) => account.domains.map(({ name }) => name));
  const posted = [...progress.inbound].filter((to) => domains.includes(to.slice(to.indexOf('@') + 1)));
  return posted.every((to) => webhooks.got.has(to));
}

async function moves(read: ReadDeps): Promise<boolean> {
  const found = await Promise.all(
    read.world.accounts.flatMap((account) =>
      ['queued', 'sending'].map(async (status) => {
        const page = await read
          .readerOf(account)
          .get<{ items: unknown[] }>(`/transactional?limit=1&status=${status}`);
        return page === null || page.items.length > 0;
      }),
    ),
  );
  return found.includes(true);
}
