// What the prover does: the run and its parts, faults, the calendar, and what it could not do.

/**
 * A fault begins or ends, or cannot be made on this machine (`skipped`; `detail` says why). One without duration (a kill)
 * ends at once; its process is back when the target is ready.
 */
export interface Fault {
  kind: 'fault';
  phase: 'begun' | 'ended' | 'skipped';
  /** Unique in the run. */
  fault: string;
  /** What it is, for example `kill`, `freeze`, `postgres-read-only`. */
  name: string;
  /** What it meets, for example `sender-2`, `redis`. */
  target: string;
  pid: number | null;
  detail: string | null;
}

/** At `t` the store's clock says `storeMs`. It was moved, if at all, between `since` and `t`; it runs on from there. */
export interface CalendarSet {
  kind: 'calendar';
  /** Milliseconds since the epoch. */
  storeMs: number;
  since: number;
}

/** The head of the journal. */
export interface RunBegun {
  kind: 'run';
  run: string;
  seed: number;
  minutes: number;
  commit: string;
  /** Name of the planted bug, null for what ships. */
  bug: string | null;
  startedAt: string;
  /** `owner` is the address that the service writes to by itself. */
  tenants: { id: string; name: string; owner: string; domains: DomainMade[] }[];
}

/** A sending domain of the run. */
interface DomainMade {
  id: string;
  name: string;
  /** The tier at the start of the run. */
  tier: number;
  /** Whether an operator holds it there, so that its cap is the tier's on every day. */
  held: boolean;
}

/** Something that this machine cannot do, so that a part of the proof is not there. */
export interface LeftOut {
  kind: 'left_out';
  /** One sentence: what, and what to install for it. */
  what: string;
}

/** The prover itself met what it should not: an answer that it does not understand, or work that it had to give up. */
export interface Trouble {
  kind: 'trouble';
  /** One sentence. */
  what: string;
}

/** The run goes over to another part. */
export interface PhaseBegun {
  kind: 'phase';
  /** `load` with faults, `settle` without both until nothing moves, `read`, `end`. */
  phase: 'load' | 'settle' | 'read' | 'end';
  /** Of `read`: whether the end state was reached in time. */
  settled: boolean | null;
}
