// The cap of a (tenant, domain) on a UTC day: never passed at the receiving side, wholly used while mail waits, and the
// tier's own as long as an operator holds the tier.

import { capsByDay, domainDays, heldCaps, type DomainDay } from './domain-days.ts';
import type { Evidence } from './evidence.ts';
import { meetsPostgres, meetsRedis, type FaultSpan } from './fault.ts';
import type { Finding } from './finding.ts';
import type { Transaction } from './transactions.ts';

const LAST_HOUR = 23;
const RELEASED_MS = 5_000; // after a change that makes room
const FREE_WITHIN_MS = 60_000; // contract section 7: no admission is lost for longer after a fault

/** Never more than the cap; and all of it on a day on which mail waited from begin to end. */
export function checkCap(evidence: Evidence): Finding[] {
  const days = domainDays(evidence);
  return [
    ...days.flatMap(over),
    ...days.flatMap((one) => unread(evidence, one)),
    ...wronglyTold(evidence),
    ...underUsed(evidence, days),
  ];
}

function over({ domain, day, seen, cap }: DomainDay): Finding[] {
  if (cap === null || seen <= cap) return [];
  const what = `receivers got ${seen} messages of ${domain} on ${day}, ${seen - cap} over its cap of ${cap}`;
  return [{ rule: 'cap', about: `${domain} ${day}`, what, t: null }];
}

// A cap that nobody read is none that was kept. The first and the last day may be too short to be read, and apis that were
// killed or stood still on the day or the one before may need all of it to come back.
function unread({ clock, faults, from, to }: Evidence, { domain, day, seen, cap }: DomainDay): Finding[] {
  if (cap !== null || seen === 0 || day <= clock.day(from) || day >= clock.day(to)) return [];
  const withoutApi = faults
    .filter((fault) => meetsPostgres(fault) || fault.target.startsWith('api'))
    .some((fault) => clock.day(fault.from) <= day && next(clock.day(fault.to)) >= day);
  if (withoutApi) return [];
  const what = `receivers got ${seen} messages of ${domain} on ${day}, and its cap could not be read on that day`;
  return [{ rule: 'cap', about: `${domain} ${day}`, what, t: null }];
}

// A tier that an operator holds is the same on every day. The first wrong reading of each domain.
function wronglyTold(evidence: Evidence): Finding[] {
  const held = heldCaps(evidence);
  const wrong = new Map<string, Finding>();
  for (const { domain, day, tier, cap, t } of evidence.caps) {
    const right = held.get(domain) ?? cap;
    if (cap === right || wrong.has(domain)) continue;
    const what = `the API says tier ${tier} and a cap of ${cap} for ${domain}, which is held at a tier with ${right}`;
    wrong.set(domain, { rule: 'cap', about: `${domain} ${day}`, what, t });
  }
  return [...wrong.values()];
}

// A day counts when the run saw all of it, with a reading in its last hour, a minute before that reading that was free of
// faults of the stores that count and of who sends and releases, and mail waited for the cap from before its begin to after its end. Then the API must
// say that all admissions are taken.
function underUsed(evidence: Evidence, days: DomainDay[]): Finding[] {
  const waited = waitingDays(evidence);
  const read = capsByDay(evidence);
  const faults = evidence.faults.filter(delaysAdmissions);
  return days.flatMap(({ domain, day, cap }): Finding[] => {
    const least = waited.get(`${domain} ${day}`) ?? 0;
    if (cap === null || least === 0) return [];
    const last = read.get(`${domain} ${day}`)?.at(-1);
    if (!last || last.state === 'paused' || last.used >= (evidence.changes.has(domain) ? last.cap : cap))
      return [];
    if (wasChanged(evidence, domain, last.asked)) return [];
    if (new Date(evidence.clock.at(last.asked)).getUTCHours() < LAST_HOUR) return [];
    if (faults.some(({ from, to }) => from < last.t && to > last.t - FREE_WITHIN_MS)) return [];
    const what = `${domain} used ${last.used} of its cap of ${cap} on ${day}, while ${least} messages waited all day`;
    return [{ rule: 'cap', about: `${domain} ${day}`, what, t: last.t }];
  });
}

// What a change makes room for is released within a second or two.
function wasChanged({ changes }: Evidence, domain: string, at: number): boolean {
  return (changes.get(domain) ?? []).some(
    ({ request, answer }) => request.t <= at && (answer?.t ?? Infinity) >= at - RELEASED_MS,
  );
}

function delaysAdmissions(fault: FaultSpan): boolean {
  return meetsPostgres(fault) || meetsRedis(fault) || /^(sender|scheduler)/.test(fault.target);
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

function next(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}
