// The one place of the dashboard that reads a clock.

/** Milliseconds since 1970 by this computer's clock: for showing how long ago something was, never for deciding. */
export function nowMs(): number {
  return Date.now();
}

/** Milliseconds of a clock that never jumps. */
export function monotonicMs(): number {
  return performance.now();
}
