// The 11 tiers of the warm-up curve.

/** Sends per UTC day that a (tenant, domain) may make at each tier, 0 to 10. */
export const TIER_CAPS = [50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000] as const;

/** The highest tier: fully warm. */
export const TOP_TIER = TIER_CAPS.length - 1;

/** The daily cap of a tier. A tier outside 0 to 10 is a bug and throws. */
export function capOfTier(tier: number): number {
  const cap = TIER_CAPS[tier];
  if (cap === undefined) throw new Error(`there is no tier ${tier}`);
  return cap;
}

/**
 * The part of a day's cap that campaign mail may take, when `reservePercent` is kept for transactional mail; at most the limit
 * of the sender rules, where there is one.
 */
export function bulkCap(cap: number, reservePercent: number, limit: number | null = null): number {
  return Math.min(cap - Math.ceil((cap * reservePercent) / 100), limit ?? cap);
}

const SYSTEM_SHARE = 0.05; // of the cap: 5,000 resets and notices a day at tier 10
const LEAST_SYSTEM_MAIL = 10; // a share of the 50 messages of tier 0 would be two

/**
 * The part of a day's cap that is reserved for password resets and notices on the domain of SYSTEM_MAIL_FROM. All other mail
 * stops while so many admissions are left.
 */
export function systemReserve(cap: number): number {
  return Math.max(LEAST_SYSTEM_MAIL, Math.ceil(cap * SYSTEM_SHARE));
}
