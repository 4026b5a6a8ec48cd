// Watches what messages do in a story: a trigger, of the test alone, keeps every change of a state.

import type pg from 'pg';

import { MOVES, type MessageState } from '../../core/message/states.ts';

// One by one, and with the schema named for the function: so a Citus cluster takes them, too (docs/citus.md).
const WATCH = [
  'create table watched_moves (old text, new text, primary key (old, new))',
  `create function watch_move() returns trigger language plpgsql as $$
   begin
     insert into watched_moves values (old.state, new.state) on conflict do nothing;
     return null;
   end $$`,
  `do $$ begin execute format('alter function watch_move() set search_path = %I', current_schema()); end $$`,
  `create trigger watch_moves after update of state on messages
     for each row when (old.state <> new.state) execute function watch_move()`,
];

/** Begins to watch; the function returned gives every (old, new) pair that was seen and that no move allows. */
export async function watchMoves(pool: pg.Pool): Promise<() => Promise<string[]>> {
  for (const statement of WATCH) await pool.query(statement);
  return async () => {
    const { rows } = await pool.query<{ old: MessageState; new: MessageState }>(
      'select * from watched_moves',
    );
    if (rows.length === 0) throw new Error('no message moved: the trigger does not work');
    return rows.filter((row) => !isAllowed(row.old, row.new)).map((row) => `${row.old} → ${row.new}`);
  };
}

function isAllowed(from: MessageState, to: MessageState): boolean {
  return MOVES.some(
    (move) =>
      (move.from as readonly MessageState[]).includes(from) &&
      (move.to as readonly MessageState[]).includes(to),
  );
}
