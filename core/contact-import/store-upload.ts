// Stores an upload of contacts while it streams in: in chunks, with back-pressure, so that 100 MiB cost the memory of
// one chunk, and so that the 202 is given for bytes that are committed. Nothing is imported here.
// Dies in here: the chunks are an upload that nobody finished; a sweep removes them (docs/crashes-audience.md, import.*).

import { createHash } from 'node:crypto';

import { z } from 'zod';

import type { Actor } from '../audit/actor.ts';
import { change } from '../audit/change.ts';
import { AppError, invalidField, notFound, problemSentence } from '../base/errors.ts';
import { checkValue } from '../base/field-problems.ts';
import { idInput } from '../base/id-input.ts';
import { newUuid, toId } from '../base/ids.ts';
import type { Database } from '../db/pool.ts';
import { isUniqueViolation } from '../db/sql-state.ts';
import { readCsvLayout, type CsvLayout, type LayoutOptions } from './csv-layout.ts';
import { MAX_JSON_CONTACTS, type ContactImport } from './contact-import.ts';
import { deleteUpload, finishUpload, insertChunk, insertUpload, selectImport } from './import-store.ts';
import { JsonProblem, readJsonContacts } from './json-contacts.ts';
import { toUtf8 } from './to-utf8.ts';
import { holdLists } from '../contact/list-store.ts';

/** What comes in. For JSON the options are in the body. */
export interface IncomingContacts {
  tenantId: string;
  format: 'csv' | 'json' | 'suppressions';
  /** UUID. */
  listId: string | null;
  updateExisting: boolean;
  /** How the columns of a CSV file are understood. */
  options?: LayoutOptions;
  chunks: AsyncIterable<Buffer>;
}

/** A stored upload: finish it or discard it. */
export interface StoredUpload {
  /** SHA-256 of all that was asked: what an Idempotency-Key stands for. */
  bodyHash: Buffer;
  /** Makes it an import; the same change id again gives the import that it made. Throws when the list does not exist. */
  finish(by: Actor, changeId: string): Promise<ContactImport>;
  discard(): Promise<void>;
}

const CHUNK_BYTES = 1_048_576; // a row that PostgreSQL compresses and stores in about 5 ms

const jsonShell = z.strictObject({
  contacts: z.array(z.literal(0)).min(1).max(MAX_JSON_CONTACTS),
  list_id: idInput('lst', 'is not a list id (lst_…)').optional(),
  update_existing: z.boolean().optional(),
});

/** Stores what comes in. Throws AppError for a file that cannot be an import; then nothing is left of it. */
export async function storeUpload(db: Database, incoming: IncomingContacts): Promise<StoredUpload> {
  const id = newUuid();
  const { tenantId, format } = incoming;
  const { mapping, suppress } = incoming.options ?? {};
  const asked = [format, incoming.listId, incoming.updateExisting, [...(mapping ?? [])], suppress ?? null];
  const hash = createHash('sha256').update(`${JSON.stringify(asked)}\n`);
  const writer = createChunkWriter(db, id, tenantId);
  try {
    await insertUpload(db.pool, { id, tenantId, format: format === 'json' ? 'json-lines' : format });
    const chunks = hashed(incoming.chunks, hash);
    const read =
      format === 'json' ? await storeJson(chunks, writer) : await storeCsv(chunks, writer, incoming.options);
    const sizeBytes = await writer.end();
    const upload = {
      id,
      tenantId,
      format,
      sizeBytes,
      listId: incoming.listId,
      updateExisting: incoming.updateExisting,
      ...read,
    };
    return {
      bodyHash: hash.digest(),
      finish: (by, changeId) => finish(db, by, { ...upload, changeId }),
      discard: () => deleteUpload(db.pool, tenantId, id),
    };
  } catch (error) {
    await deleteUpload(db.pool, tenantId, id).catch(() => {}); // the sweep does it otherwise
    throw error;
  }
}

interface ChunkWriter {
  write(piece: Buffer): Promise<void>;
  /** Writes what is left; returns the total number of bytes. */
  end(): Promise<number>;
}

interface ReadUpload {
  layout: CsvLayout | null;
  /** Given in the body. */
  listId?: string;
  updateExisting?: boolean;
}

async function storeCsv(
  chunks: AsyncIterable<Buffer>,
  writer: ChunkWriter,
  options: LayoutOptions | undefined,
): Promise<ReadUpload> {
  let head = Buffer.alloc(0);
  let layout: CsvLayout | null = null;
  for await (const piece of toUtf8(chunks)) {
    if (layout === null) {
      head = Buffer.concat([head, piece]);
      layout = layoutOf(head, false, options);
    }
    await writer.write(piece);
  }
  return { layout: layout ?? layoutOf(head, true, options) };
}

function layoutOf(head: Buffer, ended: boolean, options?: LayoutOptions): CsvLayout | null {
  const read = readCsvLayout(head, ended, options);
  if (read === 'more') return null;
  if (read.ok) return read.layout;
  throw invalidField('csv', read.reason);
}

async function storeJson(chunks: AsyncIterable<Buffer>, writer: ChunkWriter): Promise<ReadUpload> {
  const reader = readJsonContacts();
  let count = 0;
  try {
    for await (const piece of chunks) {
      for (const text of reader.push(piece)) {
        count += 1;
        if (count > MAX_JSON_CONTACTS)
          throw invalidField('contacts', `must have at most ${MAX_JSON_CONTACTS} items`);
        await writer.write(Buffer.from(`${JSON.stringify(parseContact(text))}\n`));
      }
    }
    return shellOf(reader.end());
  } catch (error) {
    if (error instanceof JsonProblem) throw new AppError('invalid_json', error.message);
    throw error;
  }
}

function parseContact(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new JsonProblem('The body is not valid JSON.');
  }
}

function shellOf(rest: unknown): ReadUpload {
  const checked = checkValue(jsonShell, rest);
  if (!checked.ok) {
    const message = problemSentence(checked.details);
    throw new AppError('validation_failed', message, { details: checked.details });
  }
  const { list_id: listId, update_existing } = checked.value;
  return {
    layout: null,
    ...(listId !== undefined && { listId }),
    ...(update_existing !== undefined && { updateExisting: update_existing }),
  };
}

async function finish(
  db: Database,
  by: Actor,
  upload: Parameters<typeof finishUpload>[1] & { format: string },
): Promise<ContactImport> {
  const { id, tenantId, listId, changeId, format, sizeBytes } = upload;
  try {
    await change({ db }, by, async (client, record) => {
      if (listId !== null && !(await holdLists(client, tenantId, [listId])).has(listId))
        throw invalidField('list_id', 'does not exist');
      await finishUpload(client, upload);
      const details = { format, size_bytes: sizeBytes };
      await record({ tenantId, action: 'import.created', subject: toId('imp', id), details });
    });
  } catch (error) {
    await deleteUpload(db.pool, tenantId, upload.id).catch(() => {});
    if (!isUniqueViolation(error)) throw error;
  }
  const made = await selectImport(db.pool, tenantId, { changeId });
  if (!made) throw notFound('import');
  return made;
}

async function* hashed(chunks: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>) {
  for await (const piece of chunks) {
    hash.update(piece);
    yield piece;
  }
}

function createChunkWriter(db: Database, importId: string, tenantId: string): ChunkWriter {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let firstByte = 0;
  let seq = 0;
  const flush = async () => {
    const bytes = Buffer.concat(waiting, waitingBytes);
    await insertChunk(db.pool, { importId, tenantId, seq, firstByte, bytes });
    seq += 1;
    firstByte += bytes.length;
    waiting = [];
    waitingBytes = 0;
  };
  return {
    async write(piece) {
      waiting.push(piece);
      waitingBytes += piece.length;
      if (waitingBytes >= CHUNK_BYTES) await flush();
    },
    async end() {
      if (waitingBytes > 0) await flush();
      return firstByte;
    },
  };
}
