// The outcomes that moved the same-day brake of a domain, and their words: for the domain itself and for each message that waits.

import type { BrakeNumbers, Outcomes } from '../db/schema/domain.ts';
import type { BrakeState } from './brake-state.ts';
import { countWords, textOf, timeOf, utc, type DecisionInputs } from './explain-words.ts';

/** What moved a brake that is on, and since when (ISO 8601). */
export type BrakeCause = BrakeNumbers & { since: string };

/** Bad outcomes by a measure, and of how many. */
export function badOf(measure: BrakeNumbers['measure'], counts: Outcomes): [bad: number, of: number] {
  switch (measure) {
    case 'bounces':
      return [counts.bounced, counts.attempted];
    case 'blocks':
      return [counts.blocked, counts.attempted];
    case 'complaints':
      return [counts.complained, counts.delivered];
    default:
      return measure satisfies never;
  }
}

/** "24 of 118 messages tried today bounced", by each measure. */
export const BAD_WORDS: Record<BrakeNumbers['measure'], (counts: string, mail: string) => string> = {
  bounces: (counts, mail) => `${counts} ${mail} tried today bounced`,
  blocks: (counts, mail) => `${counts} ${mail} tried today were blocked by policy or reputation`,
  complaints: (counts, mail) => `${counts} ${mail} delivered today brought a complaint`,
};

/** The mail that a brake counted. */
export const countedMail = (transactionalOnly: boolean) =>
  transactionalOnly ? 'transactional messages' : 'messages';

/** The numbers of a message that waits for a brake; nothing but its state when no cause is known. */
export function brakeInputs(brake: BrakeState, cause: BrakeCause | null): DecisionInputs {
  if (cause === null) return { brake };
  const [bad, of] = badOf(cause.measure, cause);
  const { since, measure, transactional_only: transactionalOnly } = cause;
  return { brake, since, measure, bad, of, ...(transactionalOnly && { transactional_only: true }) };
}

/** "the same-day brake of the sending domain holds campaign mail since 2026-11-23 10:04 UTC: 24 of 118 …". */
export function brakeWords(inputs: DecisionInputs): string {
  const isAll = inputs['brake'] === 'all';
  const holds = `the same-day brake of the sending domain holds ${isAll ? 'all mail' : 'campaign mail'}`;
  const measure = textOf(inputs, 'measure');
  if (!(measure in BAD_WORDS)) return holds;
  const since = `${holds} since ${utc(timeOf(inputs, 'since'))}`;
  const transactionalOnly = inputs['transactional_only'] === true;
  // Transactional mail that went well ends a stop of all mail, never that of campaign mail.
  if (transactionalOnly && !isAll) return `${since}, when it let transactional mail go again`;
  const counts = countWords(inputs, 'bad', 'of');
  return `${since}: ${BAD_WORDS[measure as BrakeNumbers['measure']](counts, countedMail(transactionalOnly))}`;
}
