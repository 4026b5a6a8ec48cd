// What an act of an operator does to a domain, in words, before it is done.

const figures = new Intl.NumberFormat('en');

/** Sends per UTC day at each tier, 0 to 10: the warm-up's own table, held equal to it by a test. */
export const TIER_CAPS: readonly number[] = [
  50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000,
];

/** What can be done; `resume` only to a paused domain. */
export type OverrideAction = 'advance' | 'demote' | 'hold' | 'release' | 'set' | 'resume';

/** Where the domain stands. */
export interface Standing {
  tier: number;
  used: number;
  state: string;
}

/** The sentences, most important first. `warn`: the act can do harm. */
export function effectsOf(
  action: OverrideAction,
  at: Standing,
  chosenTier: number,
): { sentences: string[]; warn: boolean } {
  switch (action) {
    case 'advance':
      return moved(at, at.tier + 1);
    case 'demote':
      return moved(at, at.tier - 1);
    case 'set':
      return moved(at, chosenTier);
    case 'hold':
      return calm(
        `It stays at tier ${at.tier}: the ramp neither raises nor lowers it until it is released.`,
        'A day with too many bounces still pauses it.',
      );
    case 'release':
      return calm(`It stays at tier ${at.tier} for now. From the next 02:00 UTC on the ramp decides again.`);
    case 'resume':
      return calm(
        `Sends are taken again at tier ${at.tier}, and what waits goes to the gate at once.`,
        'If it was held before the pause, it is held again.',
      );
    default:
      return action satisfies never;
  }
}

function calm(...sentences: string[]): { sentences: string[]; warn: boolean } {
  return { sentences, warn: false };
}

function moved({ tier, used, state }: Standing, next: number): { sentences: string[]; warn: boolean } {
  const [before, after] = [TIER_CAPS[tier], TIER_CAPS[next]];
  if (before === undefined || after === undefined) {
    return {
      sentences: [`There is no tier ${next}: tiers go from 0 to 10. This will be refused.`],
      warn: true,
    };
  }
  const steps = next - tier;
  const sentences = [
    steps === 0
      ? `It is at tier ${tier} already: only the history gets a line.`
      : `Tier ${tier} becomes ${next}, and today’s cap ${steps > 0 ? 'rises' : 'falls'} at once from ${figures.format(before)} to ${figures.format(after)}.`,
  ];
  if (used >= after)
    sentences.push(`${figures.format(used)} are used today: no slot is left until tomorrow.`);
  if (steps > 1) sentences.push('It skips tiers: a cap too high for a young domain can ruin its name.');
  if (state === 'paused') sentences.push('It stays paused: nothing goes out until it is resumed.');
  return { sentences, warn: steps > 1 || used >= after };
}
