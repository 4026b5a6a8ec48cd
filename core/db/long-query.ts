// Statements that may take longer than those of their pool (core/base/time-limits.ts).

import type pg from 'pg';

const ANSWER_MS = 5_000; // for the server's own refusal to arrive

/**
 * Runs a statement without a name, planned for these values, in the caller's transaction. Throws PostgreSQL's 57014 when it takes
 * longer than `limitMs`.
 */
export async function longQuery<Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  limitMs: number,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  await client.query(`set local statement_timeout = ${limitMs}`);
  // The driver's limit of the pool holds for each statement unless it has its own.
  const statement = { text, values, query_timeout: limitMs + ANSWER_MS };
  return (await client.query<Row>(statement)).rows;
}
