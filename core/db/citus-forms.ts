// SQL that a Citus cluster takes in what it writes, and that means the same on one PostgreSQL and costs the same. Citus evaluates
// now() once, for all nodes, and only where no row is named beside it; it refuses what may depend on a setting of the session
// and on the row (docs/citus.md).

/** In FROM: the transaction's time as a column, `clock.now`, which may stand beside columns of rows. */
export const CLOCK = 'now() as clock(now)';

/** The same of the moment at which the statement runs, however long ago its transaction began. */
export const RUNNING_CLOCK = 'clock_timestamp() as clock(now)';

/** `time` + `interval`, both SQL. Without a time zone, so that no setting has a say; sums of days and months are those of UTC. */
export function later(time: string, interval: string): string {
  return `((${time} at time zone 'UTC' + ${interval}) at time zone 'UTC')`;
}
