// Works an import off, batch by batch, from where it stands.
// Guarantee: contacts, counts and cursor of a batch commit together and only while the claim holds, so that a crash,
// or a second scheduler that thinks the first one dead, imports and counts every row once.
// Dies anywhere in here: docs/crashes-audience.md, rows import.*.

import type pg from 'pg';

import { monotonicMs } from '../base/clock.ts';
import type { Slice } from '../base/slice.ts';
import { csvRow } from '../base/csv.ts';
import { newUuid } from '../base/ids.ts';
import type { Database } from '../db/pool.ts';
import { sqlState } from '../db/sql-state.ts';
import { inTransaction } from '../db/transaction.ts';
import { MAX_ROW_BYTES, UnreadableRow } from './csv-rows.ts';
import { advanceImport, endImport, insertFailedRows } from './import-store.ts';
import type { ImportClaim, ImportCounts, ImportError } from './contact-import.ts';
import { overlay, type ImportedContact } from './read-row.ts';
import { findLineEnd, readImportRows, type ImportRow } from './stored-rows.ts';
import { holdLists } from '../contact/list-store.ts';
import { addSuppressions } from '../suppression/suppression-store.ts';
import { putContacts, type PutOutcome } from './put-store.ts';

const BATCH_ROWS = 1_000; // 20 ms of PostgreSQL: rows cost the same from 1,000 on, and others wait for the locks
const BATCH_BYTES = 262_144; // of the file: without it long rows held the event loop for 260 ms, with it for 50
const MAX_UNREADABLE = 100; // each costs a look at up to 128 KiB; a file with more of them is no CSV

class ClaimLost extends Error {}
class ListGone extends Error {}

/** Works until the end of the file or of the slice. `ended`: nothing is left to do. Throws when the database is unavailable. */
export async function runImport(db: Database, claim: ImportClaim, slice: Slice): Promise<'ended' | 'more'> {
  const until = monotonicMs() + slice.sliceMs;
  const work = { db, claim, slice, cursor: claim.cursorBytes, nextRow: claim.nextRow };
  const isOver = () => slice.signal.aborted || monotonicMs() > until;
  let unreadable = 0;
  try {
    for (;;) {
      const end = await runBatches(work, isOver);
      if (end === 'over') return 'more';
      if (end === 'file') break;
      unreadable += 1;
      if (unreadable > MAX_UNREADABLE || !(await skipUnreadable(work, end))) {
        await endImport(db.pool, claim, { row: work.nextRow, email: '', message: sayUnreadable(end) });
        return 'ended';
      }
    }
    await endImport(db.pool, claim, null);
    return 'ended';
  } catch (error) {
    if (error instanceof ClaimLost) return 'ended';
    if (!(error instanceof ListGone)) throw error;
    await endImport(db.pool, claim, { row: 0, email: '', message: 'the list was deleted' });
    return 'ended';
  }
}

interface Work {
  db: Database;
  claim: ImportClaim;
  slice: Slice;
  /** What is committed or under way to be: the next batch begins here. */
  cursor: number;
  nextRow: number;
}

// While PostgreSQL writes one batch, the next is parsed and checked.
async function runBatches(work: Work, isOver: () => boolean): Promise<'file' | 'over' | UnreadableRow> {
  let writing: Promise<void> = Promise.resolve();
  let batch: ImportRow[] = [];
  let batchFrom = work.cursor;
  const flush = async () => {
    const rows = batch;
    batch = [];
    batchFrom = rows.at(-1)?.endByte ?? batchFrom;
    await writing;
    if (rows.length > 0) writing = writeBatch(work, rows);
    writing.catch(() => {}); // seen by whoever awaits it next
  };
  try {
    for await (const rows of readImportRows(work.db.pool, work.claim, work.cursor)) {
      for (const row of rows) {
        batch.push(row);
        if (batch.length === BATCH_ROWS || row.endByte - batchFrom >= BATCH_BYTES) await flush();
      }
      if (isOver()) {
        await flush();
        await writing;
        return 'over';
      }
    }
  } catch (error) {
    if (!(error instanceof UnreadableRow)) throw error;
    await flush();
    await writing;
    return error;
  }
  await flush();
  await writing;
  return 'file';
}

/** A contact to put, and the first row that contained it. */
type Numbered = ImportedContact & { id: string; row: number };

/** What a batch comes to before it meets the database. */
interface Folded {
  /** Each address once. */
  contacts: Map<string, Numbered>;
  counts: ImportCounts;
  errors: ImportError[];
}

function fold(rows: ImportRow[], firstRow: number, updateExisting: boolean): Folded {
  const contacts: Folded['contacts'] = new Map();
  const counts: ImportCounts = { total: 0, created: 0, updated: 0, skipped: 0, failed: 0 };
  const errors: ImportError[] = [];
  for (const [at, { read }] of rows.entries()) {
    if (read === null) continue;
    counts.total += 1;
    if (!read.ok) {
      counts.failed += 1;
      errors.push({ row: firstRow + at, email: read.email, message: read.message });
      continue;
    }
    const { contact } = read;
    const earlier = contacts.get(contact.emailKey);
    if (!earlier) contacts.set(contact.emailKey, { ...contact, id: newUuid(), row: firstRow + at });
    else if (!updateExisting) counts.skipped += 1;
    else {
      counts.updated += 1;
      contacts.set(contact.emailKey, { ...earlier, ...overlay(earlier, contact) });
    }
  }
  return { contacts, counts, errors };
}

async function writeBatch(work: Work, rows: ImportRow[]): Promise<void> {
  const { claim, slice } = work;
  const { contacts, counts, errors } = fold(rows, work.nextRow, claim.updateExisting);
  const cursorBytes = rows.at(-1)!.endByte;
  const firstRow = work.nextRow;
  const nextRow = firstRow + rows.length;
  work.cursor = cursorBytes;
  work.nextRow = nextRow;
  await inTransaction(work.db.pool, async (client) => {
    await holdList(client, claim);
    const put = claim.layout?.suppress
      ? { outcome: await suppressAll(client, claim, contacts.values()), refused: 0 }
      : await putAll(client, claim, [...contacts.values()], errors);
    if (!claim.layout?.suppress) await suppressAll(client, claim, contacts.values());
    await keepFailed(client, claim, rows, firstRow, errors);
    for (const kind of put.outcome.values()) counts[kind] += 1;
    counts.failed += put.refused;
    counts.skipped += contacts.size - put.outcome.size - put.refused;
    const step = { cursorBytes, nextRow, counts, errors, leaseMs: slice.leaseMs };
    if (!(await advanceImport(client, claim, step))) throw new ClaimLost();
    slice.fail('import.before-commit');
  });
  slice.fail('import.after-commit');
}

// Whom another service no longer sends to, as after a bounce: also a contact that stays as it is.
async function suppressAll(
  client: pg.ClientBase,
  { tenantId, layout }: ImportClaim,
  contacts: Iterable<Numbered>,
): Promise<PutOutcome> {
  const stream = layout?.suppress?.stream ?? undefined;
  const entries = [...contacts].flatMap(({ emailKey, suppress, suppressedAt }) =>
    suppress === null
      ? []
      : [
          {
            tenantId,
            email: emailKey,
            reason: suppress,
            stream,
            sourceMessageId: null,
            createdAt: suppressedAt,
          },
        ],
  );
  const written = entries.length > 0 ? await addSuppressions(client, entries) : [];
  return new Map(written.filter(({ isNew }) => isNew).map(({ email }) => [email, 'created']));
}

// Rows that failed, as a file that can be corrected and imported again.
async function keepFailed(
  client: pg.ClientBase,
  claim: ImportClaim,
  rows: ImportRow[],
  firstRow: number,
  errors: ImportError[],
): Promise<void> {
  if (errors.length === 0) return;
  const lines = errors.map(({ row, email, message }) =>
    csvRow([...(rows[row - firstRow]?.cells ?? [email]), message]),
  );
  await insertFailedRows(client, claim, firstRow, Buffer.from(lines.join('')));
}

async function holdList(client: pg.ClientBase, { tenantId, listId }: ImportClaim): Promise<void> {
  if (listId !== null && !(await holdLists(client, tenantId, [listId])).has(listId)) throw new ListGone();
}

// A value that PostgreSQL itself refuses (class 22) was not foreseen by our checks: it must fail alone, not the file.
async function putAll(
  client: pg.ClientBase,
  claim: ImportClaim,
  contacts: Numbered[],
  errors: ImportError[],
): Promise<{ outcome: PutOutcome; refused: number }> {
  const { tenantId, updateExisting, listId } = claim;
  if (contacts.length === 0) return { outcome: new Map(), refused: 0 };
  await client.query('savepoint put');
  try {
    return { outcome: await putContacts(client, { tenantId, contacts, updateExisting, listId }), refused: 0 };
  } catch (error) {
    if (!sqlState(error)?.startsWith('22')) throw error;
    await client.query('rollback to savepoint put');
    const [first] = contacts;
    if (contacts.length === 1) {
      const { row, email } = first!;
      errors.push({ row, email, message: 'has a value that cannot be stored' });
      return { outcome: new Map(), refused: 1 };
    }
    const half = contacts.length >> 1;
    const left = await putAll(client, claim, contacts.slice(0, half), errors);
    const right = await putAll(client, claim, contacts.slice(half), errors);
    return {
      outcome: new Map([...left.outcome, ...right.outcome]),
      refused: left.refused + right.refused,
    };
  }
}

// Only the row fails: work continues after the next line break. False when there is none near.
async function skipUnreadable(work: Work, problem: UnreadableRow): Promise<boolean> {
  const { db, claim, slice } = work;
  const cursorBytes = await findLineEnd(db.pool, claim, work.cursor, MAX_ROW_BYTES);
  if (cursorBytes === null) return false;
  const counts = { total: 1, created: 0, updated: 0, skipped: 0, failed: 1 };
  const errors = [{ row: work.nextRow, email: '', message: sayUnreadable(problem) }];
  const step = { cursorBytes, nextRow: work.nextRow + 1, counts, errors, leaseMs: slice.leaseMs };
  const kept = await inTransaction(db.pool, (client) => advanceImport(client, claim, step));
  if (!kept) throw new ClaimLost();
  work.cursor = cursorBytes;
  work.nextRow += 1;
  return true;
}

function sayUnreadable(problem: UnreadableRow): string {
  if (problem.message === 'CSV_QUOTE_NOT_CLOSED') return 'a quote is opened and never closed';
  if (problem.message === 'CSV_MAX_RECORD_SIZE')
    return `is longer than ${MAX_ROW_BYTES / 1024} KiB; is a quote left open, or are line breaks missing?`;
  return `cannot be read (${problem.message})`;
}
