// Waits for the end state, without load and faults: what the API says of every tenant does not move any more, followers
// have seen everything, and inbound mail is where it belongs.

import { setTimeout as wait } from 'node:timers/promises';

import { driveCalendar } from './faults/drive-calendar.ts';
import type { FaultDriver } from './faults/drive-faults.ts';
import { journalMs } from './journal.ts';
import { readerOf, type ReadDeps } from './load/read-end.ts';
import type { Webhooks } from './load/webhooks.ts';
import type { Progress } from './progress.ts';

/** What is looked at. */
export interface SettleDeps {
  read: ReadDeps;
  progress: Progress;
  webhooks: Webhooks;
}

const LIMIT_MS = 240_000;
const DAY_MS = 86_400_000;
const MORNING_MS = 2 * 3_600_000; // after the release of midnight, and nothing is due for hours
const LOOK_EVERY_MS = 2_000;
const QUIET_MS = 6_000; // no event in this time; retries and releases look once a second

/** Lives on until the next morning: what was refused for a day is tried once more. */
export async function untilMorning(driver: FaultDriver): Promise<void> {
  const { calendar } = driver.stack;
  if (calendar === null) return;
  const here = new AbortController();
  const living = driveCalendar({ ...driver, signal: here.signal });
  const today = Math.floor((await calendar.now()).getTime() / DAY_MS);
  const morning = (today + 1) * DAY_MS + MORNING_MS;
  while ((await calendar.now()).getTime() < morning) await wait(LOOK_EVERY_MS / 10);
  here.abort();
  await living;
}

/** Whether it came to rest in time. */
export async function settle(deps: SettleDeps): Promise<boolean> {
  const startedAt = journalMs();
  while (journalMs() - startedAt < LIMIT_MS) {
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
        const page = await readerOf(read, account).get<{ items: unknown[] }>(
          `/transactional?limit=1&status=${status}`,
        );
        return page === null || page.items.length > 0;
      }),
    ),
  );
  return found.includes(true);
}
