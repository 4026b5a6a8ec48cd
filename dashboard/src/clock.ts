// The one place of the dashboard that reads a clock.

let aheadMs = 0; // of the server's clock over this computer's

/** Milliseconds since 1970, for showing how long ago something was, never for deciding. */
export function nowMs(): number {
  return Date.now() + aheadMs;
}

/** Takes the server's time (seconds since 1970) from something that it just made: times that it gives are shown by its clock. */
export function followServerClock(seconds: number): void {
  const ahead = seconds * 1000 - Date.now();
  aheadMs = Math.abs(ahead) < 5_000 ? 0 : ahead; // full seconds, and the way here
}

/** Milliseconds since 1970 by this computer's clock, for what its own pages tell each other. */
export function ownClockMs(): number {
  return Date.now();
}

/** Milliseconds of a clock that never jumps. */
export function monotonicMs(): number {
  return performance.now();
}
