// The rows of a stored import, from its cursor on, checked and with their byte positions, whatever the format.

import { readCsvRows } from './csv-rows.ts';
import { findChunk, readChunk } from './import-store.ts';
import type { ImportClaim } from './contact-import.ts';
import type { CsvLayout } from './csv-layout.ts';
import { readCells, readJsonContact, type ReadRow } from './read-row.ts';
import { readSuppression } from './read-suppression.ts';
import type { Queryable } from '../db/pool.ts';

/** One row: what it says, or null for an empty line, and the byte at which the next one begins. */
export interface ImportRow {
  read: ReadRow | null;
  /** Of a row in CSV. */
  cells: string[] | null;
  endByte: number;
}

const PIECE_BYTES = 65_536; // parsed in about 3 ms: the event loop is free again after each
const LINE_FEED = 0x0a;

/** Reads the rows from a byte on. Throws UnreadableRow. */
export async function* readImportRows(
  db: Queryable,
  claim: ImportClaim,
  fromByte: number,
): AsyncGenerator<ImportRow[]> {
  const pieces = readPieces(db, claim, fromByte);
  if (claim.layout === null) {
    yield* readLines(pieces, fromByte);
    return;
  }
  const { layout } = claim;
  for await (const rows of readCsvRows(pieces, layout, fromByte)) {
    yield rows.map(({ cells, endByte }) => ({ read: cells && readRow(cells, layout), cells, endByte }));
  }
}

function readRow(cells: string[], { columns, suppress }: CsvLayout): ReadRow {
  return suppress ? readSuppression(cells, columns, suppress) : readCells(cells, columns);
}

/** The byte after the first line break at or after `fromByte`, looked for in so many octets; null without one. */
export async function findLineEnd(
  db: Queryable,
  claim: ImportClaim,
  fromByte: number,
  withinBytes: number,
): Promise<number | null> {
  let seen = 0;
  for await (const piece of readPieces(db, claim, fromByte)) {
    const at = piece.indexOf(LINE_FEED);
    if (at >= 0) return fromByte + seen + at + 1;
    seen += piece.length;
    if (seen > withinBytes) return null;
  }
  return null;
}

async function* readPieces(db: Queryable, claim: ImportClaim, fromByte: number): AsyncGenerator<Buffer> {
  const first = await findChunk(db, claim, fromByte);
  if (first === null) return;
  for (let seq = first; ; seq++) {
    const chunk = await readChunk(db, claim, seq);
    if (chunk === null) return;
    const start = Math.max(0, fromByte - chunk.firstByte);
    for (let at = start; at < chunk.bytes.length; at += PIECE_BYTES) {
      yield chunk.bytes.subarray(at, at + PIECE_BYTES);
    }
  }
}

// We wrote these lines ourselves (store-upload.ts): each is one JSON text and ends in a line feed.
async function* readLines(pieces: AsyncIterable<Buffer>, fromByte: number): AsyncGenerator<ImportRow[]> {
  let rest = Buffer.alloc(0);
  let restByte = fromByte;
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece]);
    const rows: ImportRow[] = [];
    let at = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, at)) {
      const read = readJsonContact(JSON.parse(bytes.toString('utf8', at, end)));
      at = end + 1;
      rows.push({ read, cells: null, endByte: restByte + at });
    }
    rest = Buffer.from(bytes.subarray(at));
    restByte += at;
    if (rows.length > 0) yield rows;
  }
}
