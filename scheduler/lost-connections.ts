// A database connection that breaks while a transaction waits for something else (a job's work, a chat's answer) has
// no statement to fail: pg tells its `error` listeners, and without one Node ends the process. The next statement of
// that transaction fails as it should; so the event itself needs an ear and no more.

import type { Database } from '../core/db/pool.ts';

/** Lets the process outlive connections that break between two statements. */
export function surviveLostConnections(db: Database): void {
  db.pool.on('connect', (client) => void client.on('error', () => {}));
}
