// The time that the API shows for a message that waits comes true: the message does not wait for a time that has passed, and mail
// that waits for its cap does not leave before, unless somebody changed what it waits for, or the cap has room again.

import type { WaitingRead } from '../facts/reads.ts';
import type { Evidence } from './evidence.ts';
import { meetsPostgres, overlaps, type FaultSpan } from './fault.ts';
import type { Finding } from './finding.ts';

type Read = WaitingRead & { t: number };

const LATE_MS = 15_000; // releases and deliveries look once a second, under load; it is less than a day of the calendar
const CLOCK_MS = 1_000;
const CHANGED_MS = 8_000; // a change that the caps show, which are read every four seconds

/** Every time that was shown. One finding for a message. */
export function checkWhy(evidence: Evidence): Finding[] {
  return [...evidence.waiting.values()].flatMap((reads) =>
    [...stillWaiting(evidence, reads), ...leftBefore(evidence, reads)].slice(0, 1),
  );
}

function stillWaiting({ clock, faults }: Evidence, reads: Read[]): Finding[] {
  return reads.flatMap(({ id, until, reason, asked }) => {
    if (until === null || clock.at(asked - LATE_MS) <= Date.parse(until)) return [];
    if (faults.some((fault) => delays(fault) && overlaps(fault, asked - 2 * LATE_MS, asked))) return [];
    const what = `waits (${reason}) until ${until}, which the API still says at ${iso(clock.at(asked))}`;
    return [finding(id, what, asked)];
  });
}

// Whoever sends, releases, or keeps the record of it.
function delays(fault: FaultSpan): boolean {
  return meetsPostgres(fault) || /^(sender|scheduler|redis|nats)/.test(fault.target);
}

function leftBefore(evidence: Evidence, reads: Read[]): Finding[] {
  const { recipient, id, domain } = reads[0]!;
  if ((evidence.messagesTo.get(recipient)?.length ?? 0) > 1) return []; // which of them it was cannot be seen
  const left = evidence.wire.get(recipient)?.find(({ rcpt }) => rcpt !== null)?.rcpt?.t;
  if (left === undefined) return [];
  const shown = reads.findLast(({ t }) => t < left);
  if (!shown || shown.until === null || shown.reason !== 'warmup_cap') return [];
  if (evidence.clock.latest(left) >= Date.parse(shown.until) - CLOCK_MS) return [];
  if (isChanged(evidence, domain, shown.asked, left) || hasRoom(evidence, domain, left)) return [];
  const what = `left at ${iso(evidence.clock.at(left))}, and the API had said that it waits (${shown.reason}) until ${shown.until}`;
  return [finding(id, what, left)];
}

// By an operator, or by the ramp: then the API shows another cap or state.
function isChanged({ changes, caps }: Evidence, domain: string, from: number, to: number): boolean {
  const byHand = (changes.get(domain) ?? []).some(
    ({ request, answer }) => request.t <= to && (answer?.t ?? Infinity) >= from,
  );
  const near = caps.filter(
    (cap) => cap.domain === domain && cap.t >= from - CHANGED_MS && cap.t <= to + CHANGED_MS,
  );
  return byHand || new Set(near.map(({ cap, state }) => `${cap} ${state}`)).size > 1;
}

// Admissions that were kept for older mail which has ended since.
function hasRoom({ caps }: Evidence, domain: string, at: number): boolean {
  const last = caps.findLast((cap) => cap.domain === domain && cap.t <= at);
  return last !== undefined && last.used < last.cap;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function finding(about: string, what: string, t: number): Finding {
  return { rule: 'why', about, what, t };
}
