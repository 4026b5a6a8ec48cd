// What the same-day brake of a domain holds. When it goes on and off: core/warmup/brake.ts.

/** `bulk`: campaign mail waits; `all`: transactional mail too, but for a trickle. */
export const BRAKE_STATES = ['off', 'bulk', 'all'] as const;

/** How far the brake of a domain is on. */
export type BrakeState = (typeof BRAKE_STATES)[number];

/** SQL of the state of the domain `d` at `now`: a brake ends with its UTC day, and with the setting. */
export function brakeStateAt(now: string): string {
  return `(case when d.brake_enabled
  and d.brake_since >= date_trunc('day', ${now} at time zone 'UTC') at time zone 'UTC' then d.brake_state else 'off' end)`;
}

/** The same now, for what only reads. */
export const BRAKE_STATE = brakeStateAt('now()');

/** SQL of what moved the brake of the domain `d` last, and when; null while it is off. */
export const BRAKE_CAUSE = `(case when ${BRAKE_STATE} <> 'off'
  then d.brake_numbers || jsonb_build_object('since', d.brake_since) end)`;
