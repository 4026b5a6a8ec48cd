// The cap of a (tenant, domain) on a UTC day, as the receiving side sees it: by the start of DATA, by the store's clock.
// A message counts once on each day on which a receiver had it whole, however often it was tried on that day.

import type { CapRead } from '../journal.ts';
import type { Evidence, Transaction } from './evidence.ts';
import { addTo } from './evidence.ts';
import type { Finding } from './finding.ts';

/** What reached the sink from one domain on one day. */
export interface DomainDay {
  domain: string;
  day: string;
  /** Messages surely of this day. */
  seen: number;
  /** With those so near to midnight that they may be of the day beside it. */
  seenAtMost: number;
  /** The day's cap: the highest that was read on it, as an operator or the ramp may raise it; null when none was. */
  cap: number | null;
}

const FREE_WITHIN_MS = 60_000; // contract section 7: no admission is lost for longer after a fault

/** Never more than the cap; and all of it on a day on which mail waited from begin to end. */
export function checkCap(evidence: Evidence): Finding[] {
  const days = domainDays(evidence);
  return [...days.flatMap(over), ...underUsed(evidence, days)];
}

/** The days of all domains, in order. */
export function domainDays(evidence: Evidence): DomainDay[] {
  const sure = new Map<string, Set<string>>();
  const near = new Map<string, Set<string>>();
  for (const [recipient, transactions] of evidence.wire)
    for (const one of transactions) {
      if (one.dataAt === null || !one.dot) continue;
      const { from } = one.dot;
      if (from === null) continue;
      const message = one.dot.messageId ?? recipient;
      const who = `${message} ${recipient}`;
      const day = evidence.clock.sureDay(one.dataAt);
      if (day) put(sure, `${from} ${day}`, who);
      else put(near, `${from} ${evidence.clock.day(one.dataAt)}`, who);
    }
  const caps = new Map<string, CapRead[]>();
  for (const cap of evidence.caps) addTo(caps, `${cap.domain} ${cap.day}`, cap);
  const keys = new Set([...sure.keys(), ...near.keys(), ...caps.keys()]);
  return [...keys].sort().map((key) => {
    const [domain, day] = key.split(' ') as [string, string];
    const surely = sure.get(key) ?? new Set();
    const read = caps.get(key)?.map(({ cap }) => cap) ?? [];
    return {
      domain,
      day,
      seen: surely.size,
      seenAtMost: new Set([...surely, ...(near.get(key) ?? [])]).size,
      cap: read.length === 0 ? null : Math.max(...read),
    };
  });
}

function over({ domain, day, seen, cap }: DomainDay): Finding[] {
  if (cap === null || seen <= cap) return [];
  const what = `receivers got ${seen} messages of ${domain} on ${day}, ${seen - cap} over its cap of ${cap}`;
  return [{ rule: 'cap', about: `${domain} ${day}`, what, t: null }];
}

// A day counts when the run saw all of it, with a minute free of faults before its end, and mail waited for the cap from
// before its begin to after its end. Then the API must say that all admissions are taken.
function underUsed(evidence: Evidence, days: DomainDay[]): Finding[] {
  const waited = waitingDays(evidence);
  return days.flatMap(({ domain, day, cap }): Finding[] => {
    const least = waited.get(`${domain} ${day}`) ?? 0;
    if (cap === null || least === 0) return [];
    const last = evidence.caps.findLast((one) => one.domain === domain && one.day === day);
    if (!last || last.state !== 'active' || last.used >= cap || !isQuietBefore(evidence, last.t)) return [];
    const what = `${domain} used ${last.used} of its cap of ${cap} on ${day}, while ${least} messages waited all day`;
    return [{ rule: 'cap', about: `${domain} ${day}`, what, t: last.t }];
  });
}

// How many messages, by domain and day, were accepted before the day, and reached no receiver before its end.
function waitingDays(evidence: Evidence): Map<string, number> {
  const waiting = new Map<string, number>();
  const last = evidence.clock.day(evidence.to);
  for (const { request, answer } of evidence.asked)
    for (const taken of answer?.taken ?? []) {
      if (taken.status !== 'deferred' || taken.reason !== 'warmup_cap') continue;
      const read = evidence.messages.get(taken.id);
      if (read === undefined || read.status === 'dropped' || read.status === 'cancelled') continue;
      const left = firstSign(evidence.wire.get(taken.recipient));
      const end = left === null ? last : evidence.clock.day(left);
      for (let day = next(evidence.clock.day(answer!.t)); day < end; day = next(day)) {
        const key = `${request.domain} ${day}`;
        waiting.set(key, (waiting.get(key) ?? 0) + 1);
      }
    }
  return waiting;
}

function firstSign(transactions: Transaction[] | undefined): number | null {
  const first = transactions?.[0];
  return first ? (first.rcpt?.t ?? first.dataAt) : null;
}

function isQuietBefore({ faults }: Evidence, t: number): boolean {
  return !faults.some(({ from, to }) => from < t && to > t - FREE_WITHIN_MS);
}

function next(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}

function put(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set) set.add(value);
  else sets.set(key, new Set([value]));
}
