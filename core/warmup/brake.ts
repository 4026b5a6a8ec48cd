// What today's outcomes of a domain mean for its same-day brake. Pure; the numbers are those of brake-test.ts.
//
//   off → bulk   its mail is bad: campaign mail waits
//   bulk → all   its transactional mail alone is bad: that waits too, but for a trickle that goes on being counted
//   all → bulk   what the trickle came to is good
//   any → off    the UTC day ends, or somebody releases it; the test then goes on with the outcomes after that
//
// Campaign mail that waits cannot show that it got better, so nothing but a person or the next day lets it go.

import type { BrakeNumbers, BrakeStart, Outcomes } from '../db/schema/domain.ts';
import { BAD_WORDS, badOf, countedMail } from '../message/brake-cause.ts';
import type { BrakeState } from '../message/brake-state.ts';
import {
  addOutcomes,
  HYPOTHESES,
  LEAST_ATTEMPTS,
  MEASURES,
  RECOVERED_SCORE,
  TRIP_SCORE,
  type Measure,
} from './brake-test.ts';

/** A domain as the brake sees it. */
export interface BrakedDomain {
  tenantId: string;
  domainId: string;
  name: string;
  tier: number;
  enabled: boolean;
  state: BrakeState;
  /** What tripped it last; null when nothing did. */
  numbers: BrakeNumbers | null;
  /** The outcomes of today that are no longer tested. */
  start: BrakeStart | null;
  /** Today's outcomes. */
  counts: BrakeStart;
}

type Scope = 'all' | 'transactional';

/** What a process remembers of a domain between two looks: scores, and the counts that they include. */
export interface BrakeMemory {
  /** Names the test: another one begins anew. */
  key: string;
  seen: BrakeStart;
  scores: Record<Scope, Record<Measure, number>>;
}

/** A change of the brake. */
export interface BrakeMove {
  to: BrakeState;
  reason: string;
  numbers: BrakeNumbers;
}

/** Judges a domain by what came since the last look; `before` null starts at the beginning of the test. */
export function judgeBrake(
  domain: BrakedDomain,
  before: BrakeMemory | null,
): { memory: BrakeMemory; move: BrakeMove | null } {
  const memory = remember(domain, before);
  return { memory, move: domain.enabled ? moveOf(domain, memory) : null };
}

function moveOf(domain: BrakedDomain, { scores }: BrakeMemory): BrakeMove | null {
  const { state, numbers } = domain;
  switch (state) {
    case 'off':
    case 'bulk': {
      const scope = state === 'off' ? 'all' : 'transactional';
      const since = outcomesSince(domain, scope);
      if (since.attempted < LEAST_ATTEMPTS) return null;
      const measure = MEASURES.find((one) => scores[scope][one] >= TRIP_SCORE);
      return measure ? trip(state === 'off' ? 'bulk' : 'all', measure, since, scope) : null;
    }
    case 'all': {
      const measure = numbers?.measure ?? 'bounces';
      if (scores.transactional[measure] > RECOVERED_SCORE) return null;
      const since = outcomesSince(domain, 'transactional');
      const reason = `The last ${since.attempted} transactional messages went well. Campaign mail waits until 00:00 UTC, or until the brake is released.`;
      return { to: 'bulk', reason, numbers: { ...since, measure, transactional_only: true } };
    }
    default:
      return state satisfies never;
  }
}

function trip(to: 'bulk' | 'all', measure: Measure, since: Outcomes, scope: Scope): BrakeMove {
  const [bad, of] = badOf(measure, since);
  const what = `${BAD_WORDS[measure](`${bad} of ${of}`, countedMail(scope === 'transactional'))} (${percent(bad / Math.max(of, 1))}; a good list has less than ${percent(HYPOTHESES[measure].good)})`;
  const waits =
    to === 'bulk'
      ? 'Campaign mail waits'
      : 'Campaign mail waits, and transactional mail but for one message a minute, until these go well again;';
  const numbers = { ...since, measure, transactional_only: scope === 'transactional' };
  return {
    to,
    reason: `${what}. ${waits} ${to === 'bulk' ? '' : 'at most '}until 00:00 UTC, or until the brake is released.`,
    numbers,
  };
}

// Each score with what was added to its counts since the last look.
function remember(domain: BrakedDomain, before: BrakeMemory | null): BrakeMemory {
  const { counts, start } = domain;
  const isToday = start?.day === counts.day;
  const from = isToday ? start : { ...NOTHING, day: counts.day };
  const key = JSON.stringify(from);
  const known =
    before?.key === key ? before : { key, seen: from, scores: { all: ZERO, transactional: ZERO } };
  const scoresOf = (scope: Scope) =>
    Object.fromEntries(
      MEASURES.map((measure) => {
        const [badBefore, ofBefore] = badOf(measure, known.seen[scope]);
        const [bad, of] = badOf(measure, counts[scope]);
        return [measure, addOutcomes(measure, known.scores[scope][measure], of - ofBefore, bad - badBefore)];
      }),
    ) as Record<Measure, number>;
  return { key, seen: counts, scores: { all: scoresOf('all'), transactional: scoresOf('transactional') } };
}

function outcomesSince({ counts, start }: BrakedDomain, scope: Scope): Outcomes {
  if (start?.day !== counts.day) return counts[scope];
  const since = { ...counts[scope] };
  for (const key of Object.keys(since) as (keyof Outcomes)[]) since[key] -= start[scope][key];
  return since;
}

const NONE: Outcomes = { attempted: 0, delivered: 0, bounced: 0, unknown: 0, blocked: 0, complained: 0 };
const NOTHING = { all: NONE, transactional: NONE };
const ZERO: Record<Measure, number> = { bounces: 0, blocks: 0, complaints: 0 };

function percent(fraction: number): string {
  return `${Number((fraction * 100).toFixed(1))} %`;
}
