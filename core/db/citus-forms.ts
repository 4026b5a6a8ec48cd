// SQL that a Citus cluster takes in what it writes, and that means the same on one PostgreSQL and costs the same. Citus evaluates
// now() once, for all nodes, and only where no row is named beside it; it refuses what may depend on a setting of the session
// and on the row (docs/citus.md).

/** In FROM: the transaction's time as a column, `clock.now`, which may stand beside columns of rows. */
export const CLOCK = 'now() as clock(now)';

/** The same of the moment at which the statement runs, however long ago its transaction began. */
export const RUNNING_CLOCK = 'clock_timestamp() as clock(now)';

/**
 * One row of a table of the bucket, for the FROM of an INSERT that stands in a WITH or has one. With it Citus sends the INSERT to
 * the node of the bucket, if the INSERT calls neither now() nor anything VOLATILE, also not by the default of a column that it leaves
 * out. Without it Citus sends what the rows are made of to every node and commits on all of them, so that one node that is away
 * stops all buckets (test/nightly/citus-statements.test.ts).
 */
export const HERE = '(select count(*) from shared_looks) as here(looks)';

/** `time` + `interval`, both SQL. Without a time zone, so that no setting has a say; sums of days and months are those of UTC. */
export function later(time: string, interval: string): string {
  return `((${time} at time zone 'UTC' + ${interval}) at time zone 'UTC')`;
}
