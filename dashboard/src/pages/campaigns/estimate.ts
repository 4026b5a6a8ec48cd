// Estimates before launch when the last message of a campaign is sent: it fills the part of each day's cap that
// campaigns may use, after the messages that wait already.

import type { Choices } from './campaign-draft.ts';

/** How a launch now would spread over days. `lastDay` is null when it takes longer than the forecast reaches. */
export interface Estimate {
  today: number;
  days: number;
  lastDay: string | null;
}

/** Estimates from today's remaining capacity and the forecast caps (`outlook`, today first). Pure. */
export function estimateLaunch(
  recipients: number,
  domain: Choices['domains'][number],
  outlook: readonly { date: string; cap: number }[],
): Estimate {
  const { warmup, transactionalReserve } = domain;
  const bulk = (cap: number) => cap - Math.ceil((cap * transactionalReserve) / 100);
  let left = recipients + warmup.waiting;
  let today = 0;
  for (const [at, day] of outlook.entries()) {
    const capacity = at === 0 ? Math.max(0, bulk(warmup.cap) - warmup.used) : bulk(day.cap);
    if (at === 0) today = Math.min(recipients, Math.max(0, capacity - warmup.waiting));
    left -= capacity;
    if (left <= 0) return { today, days: at + 1, lastDay: day.date };
  }
  return { today, days: outlook.length, lastDay: null };
}
