// What receivers saw of each sending domain on each UTC day, by the start of DATA and the store's clock, and that day's cap.
// A message counts once on each day on which a receiver had it whole, however often it was tried on that day.

import type { CapRead } from '../facts/reads.ts';
import { addTo } from './by-key.ts';
import type { Evidence } from './evidence.ts';

/** What reached the sink from one domain on one day. */
export interface DomainDay {
  domain: string;
  day: string;
  /** Messages surely of this day. */
  seen: number;
  /** With those so near to midnight that they may be of the day beside it. */
  seenAtMost: number;
  /**
   * The day's cap: of a tier that is held the tier's own, else the highest that was read on it, as the ramp may raise it, or that
   * an operator had set for any of it; null when none was.
   */
  cap: number | null;
}

// By tier: docs/warmup.md.
const TIER_CAPS = [50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000];

/** The days of all domains, in order. */
export function domainDays(evidence: Evidence): DomainDay[] {
  const { sure, near } = messagesByDay(evidence);
  const read = capsByDay(evidence);
  const held = heldCaps(evidence);
  const keys = new Set([...sure.keys(), ...near.keys(), ...read.keys()]);
  return [...keys].sort().map((key) => {
    const [domain, day] = key.split(' ') as [string, string];
    const surely = sure.get(key) ?? new Set();
    const highest = Math.max(
      ...(read.get(key) ?? []).map(({ cap }) => cap),
      ...capsSet(evidence, domain, day),
    );
    return {
      domain,
      day,
      seen: surely.size,
      seenAtMost: new Set([...surely, ...(near.get(key) ?? [])]).size,
      cap: held.get(domain) ?? (highest > 0 ? highest : null),
    };
  });
}

/** What was read of each domain's cap, by `domain day`, in order. */
export function capsByDay({ caps }: Evidence): Map<string, (CapRead & { t: number })[]> {
  const byDay = new Map<string, (CapRead & { t: number })[]>();
  for (const cap of caps) addTo(byDay, `${cap.domain} ${cap.day}`, cap);
  return byDay;
}

/** The caps of the domains whose tier an operator holds. */
export function heldCaps({ run }: Evidence): Map<string, number> {
  const held = (run?.tenants ?? []).flatMap(({ domains }) => domains).filter((one) => one.held);
  return new Map(held.map(({ name, tier }) => [name, TIER_CAPS[tier]!]));
}

// Before the day began, the last one; and all of that day.
function capsSet({ changes, clock }: Evidence, domain: string, day: string): number[] {
  const set = (changes.get(domain) ?? []).filter(({ request }) => request.tier !== undefined);
  const last = set.findLast(({ request, answer }) => clock.day((answer ?? request).t) < day);
  const ofDay = set.filter(
    ({ request, answer }) => clock.day(request.t) <= day && clock.day((answer ?? request).t) >= day,
  );
  return [...(last ? [last] : []), ...ofDay].map(({ request }) => TIER_CAPS[request.tier!]!);
}

function messagesByDay({ wire, clock }: Evidence) {
  const sure = new Map<string, Set<string>>();
  const near = new Map<string, Set<string>>();
  for (const [recipient, transactions] of wire)
    for (const { dataAt, dot } of transactions) {
      if (dataAt === null || dot === null || dot.from === null) continue;
      const who = `${dot.messageId ?? recipient} ${recipient}`;
      const day = clock.sureDay(dataAt);
      if (day) put(sure, `${dot.from} ${day}`, who);
      else put(near, `${dot.from} ${clock.day(dataAt)}`, who);
    }
  return { sure, near };
}

function put(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set) set.add(value);
  else sets.set(key, new Set([value]));
}
