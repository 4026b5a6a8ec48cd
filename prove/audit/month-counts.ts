// How many sends of a tenant's UTC month surely count, and may count, at a time. Mail whose answer nobody got, and mail of
// campaigns, is known from the API's list at the end only; dropped mail among it may count or not.

import { addTo } from './by-key.ts';
import type { Evidence } from './evidence.ts';
import { getsSystemMail } from './system-mail.ts';

/** The counts of a run. A month is told by the time of its end, in milliseconds since the epoch. */
export interface MonthCounts {
  /** Sends whose answers had come by a time of the journal; with null all that surely count. */
  atLeast(tenant: string, month: number, t: number | null): number;
  /** Sends that may have been made by a time of the journal. */
  atMost(tenant: string, month: number, t: number): number;
  /** Tenants with their months, as `tenant month`. */
  keys(): string[];
}

const EDGE_MS = 1_000; // a send so near to a month's end or to a reading may be on either side

/** Counts all messages once. */
export function countMonths(evidence: Evidence): MonthCounts {
  const { dropped, answeredAt } = readAnswers(evidence);
  const sure = new Map<string, number[]>(); // when the answer came; infinite when nobody got it
  const maybe = new Map<string, number[]>(); // when it was made, by the store's clock
  for (const { id, tenant, status, createdAt, recipient } of evidence.messages.values()) {
    if (dropped.has(id) || getsSystemMail(evidence, recipient)) continue; // the service's own needs no quota
    const made = Date.parse(createdAt);
    const [early, late] = [monthAfter(made - EDGE_MS), monthAfter(made + EDGE_MS)];
    for (const month of new Set([early, late])) addTo(maybe, `${tenant} ${month}`, made);
    const answered = answeredAt.get(id);
    if (early === late && (status !== 'dropped' || answered !== undefined))
      addTo(sure, `${tenant} ${early}`, answered ?? Infinity);
  }
  for (const times of [...sure.values(), ...maybe.values()]) times.sort((a, b) => a - b);
  return {
    atLeast: (tenant, month, t) => {
      const times = sure.get(`${tenant} ${month}`) ?? [];
      return t === null ? times.length : countUpTo(times, t);
    },
    atMost: (tenant, month, t) =>
      countUpTo(maybe.get(`${tenant} ${month}`) ?? [], evidence.clock.latest(t) + EDGE_MS),
    keys: () => [...maybe.keys()],
  };
}

/** The end of the UTC month of a time. */
export function monthAfter(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

function readAnswers({ asked }: Evidence) {
  const dropped = new Set<string>();
  const answeredAt = new Map<string, number>();
  for (const { answer } of asked)
    for (const { id, status } of answer?.taken ?? [])
      if (status === 'dropped') dropped.add(id);
      else if (!answeredAt.has(id)) answeredAt.set(id, answer!.t);
  return { dropped, answeredAt };
}

function countUpTo(sorted: number[], most: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
