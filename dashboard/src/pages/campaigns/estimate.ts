// When the last message of a campaign may leave, before it is launched: the days to come, each with the part of its cap
// that campaigns may use, after what waits already.

import type { Choices } from './campaign-draft.ts';

/** How a launch now would spread over days. `lastDay` is null when it takes longer than the outlook reaches. */
export interface Estimate {
  today: number;
  days: number;
  lastDay: string | null;
}

/** Estimates from today's room and the caps to come (`outlook`, today first). Pure. */
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
    const room = at === 0 ? Math.max(0, bulk(warmup.cap) - warmup.used) : bulk(day.cap);
    if (at === 0) today = Math.min(recipients, Math.max(0, room - warmup.waiting));
    left -= room;
    if (left <= 0) return { today, days: at + 1, lastDay: day.date };
  }
  return { today, days: outlook.length, lastDay: null };
}
