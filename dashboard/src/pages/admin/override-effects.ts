// The effect of an override on a domain, as sentences to read before it is made.

const figures = new Intl.NumberFormat('en');

/** Sends per UTC day at each tier, 0 to 10: the warm-up's own table, held equal to it by a test. */
export const TIER_CAPS: readonly number[] = [
  50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000,
];

/** The possible changes; `resume` only for a paused domain. */
export type OverrideAction = 'advance' | 'demote' | 'hold' | 'release' | 'set' | 'resume';

/** The domain's warm-up now. */
export interface Standing {
  tier: number;
  used: number;
  state: string;
}

/** The sentences, most important first. `warn`: the change can do harm. */
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
        `The domain stays at tier ${at.tier} until it is released.`,
        'Too many bounces on a day still pause it.',
      );
    case 'release':
      return calm(`The domain stays at tier ${at.tier} for now. It is re-evaluated at the next 02:00 UTC.`);
    case 'resume':
      return calm(
        `Sending resumes at tier ${at.tier}. ${releaseWords(at)}`,
        'If the tier was held before the pause, it is held again.',
      );
    default:
      return action satisfies never;
  }
}

function releaseWords({ tier, used }: Standing): string {
  const left = Math.max(0, (TIER_CAPS[tier] ?? 0) - used);
  return left === 0
    ? 'Today’s cap is used up: messages that wait are released from 00:00 UTC.'
    : `Messages that wait are released at once, up to today’s cap: ${figures.format(left)} are left.`;
}

function calm(...sentences: string[]): { sentences: string[]; warn: boolean } {
  return { sentences, warn: false };
}

function moved({ tier, used, state }: Standing, next: number): { sentences: string[]; warn: boolean } {
  const [before, after] = [TIER_CAPS[tier], TIER_CAPS[next]];
  if (before === undefined || after === undefined) {
    return {
      sentences: [`There is no tier ${next}. Tiers range from 0 to 10.`],
      warn: true,
    };
  }
  const steps = next - tier;
  const sentences = [
    steps === 0
      ? `The domain is already at tier ${tier}. Only the history changes.`
      : `Tier ${tier} changes to ${next}. Today’s cap ${steps > 0 ? 'rises' : 'falls'} immediately from ${figures.format(before)} to ${figures.format(after)} messages.`,
  ];
  if (used >= after)
    sentences.push(
      `${figures.format(used)} messages were sent today, so nothing more is sent until 00:00 UTC.`,
    );
  else if (steps > 0) sentences.push('Messages that wait for the cap are sent at once, before newer ones.');
  if (steps > 1) sentences.push('This skips tiers. Too high a cap on a new domain can harm its reputation.');
  if (state === 'paused') sentences.push('The domain stays paused. Nothing is sent until it is resumed.');
  return { sentences, warn: steps > 1 || used >= after };
}
