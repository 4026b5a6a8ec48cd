// A run proves only what it did: it went to its end, nothing of the prover failed, and the calendar saw its days.

import type { Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';

const LONG_MINUTES = 20; // the whole proof
const DAYS_A_MINUTE = 1.4; // a day takes 39 s, and jumps wait while PostgreSQL is away: 28 of the 30 days of 20 minutes

/** What the run did not do that it should have. */
export function checkWhole(evidence: Evidence): Finding[] {
  const { troubles, phases } = evidence;
  const found = troubles.map(({ what, t }) => finding(what, t));
  if (!phases.some(({ phase }) => phase === 'end')) found.push(finding('did not go to its end', null));
  return [...found, ...tooFewDays(evidence)];
}

/** The days that the calendar saw, the first and the last one with them. */
export function countDays({ clock, from, to }: Evidence): number {
  return Math.round((Date.parse(clock.day(to)) - Date.parse(clock.day(from))) / 86_400_000) + 1;
}

// A machine that cannot move the calendar sees one day, and cannot make the whole proof.
function tooFewDays(evidence: Evidence): Finding[] {
  const minutes = evidence.run?.minutes ?? 0;
  const least = Math.floor(minutes * DAYS_A_MINUTE);
  const days = countDays(evidence);
  if (minutes < LONG_MINUTES || days >= least) return [];
  return [finding(`saw ${days} days of the calendar, and ${least} are wanted of ${minutes} minutes`, null)];
}

function finding(what: string, t: number | null): Finding {
  return { rule: 'whole', about: 'the run', what, t };
}
