// Reads that leave a row in the audit log: what a message says, and files of exported lists.
//
//   an actor who reads the same thing again from the same address leaves one row an hour in each process
//   nothing is shown before its row is committed: while the database cannot write, the read is refused with `unavailable`

import type { Queryable } from '../db/pool.ts';
import { createLookupCache } from '../base/lookup-cache.ts';
import { actorText, type Actor } from './actor.ts';
import { insertAudit, type AuditEntry } from './audit-store.ts';

/** Notes a read before it is answered. Throws when the row cannot be written: then nothing may be shown. */
export type NoteRead = (db: Queryable, by: Actor, entry: AuditEntry) => Promise<void>;

const ONE_ROW_MS = 3_600_000;
const MAX_REMEMBERED = 50_000; // reads, about 10 MB; one that is forgotten leaves a second row

/** Makes it, with the memory of one process. */
export function createNoteRead(): NoteRead {
  const noted = createLookupCache<void>({ maxAgeMs: ONE_ROW_MS, maxEntries: MAX_REMEMBERED });
  return (db, by, entry) => {
    const { tenantId, action, subject } = entry;
    const key = [tenantId, actorText(by), by.ip, action, subject].join(' ');
    return noted(key, () => insertAudit(db, by, entry));
  };
}
