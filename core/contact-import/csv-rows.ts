// The rows of a stored file, from any byte on: each with the byte at which the next one begins, so that work on the
// file can stop and go on anywhere. Chunks are read one ahead of the parser, never more.

import { CsvError, parse, type Options, type Parser } from 'csv-parse';

import type { CsvLayout } from './csv-layout.ts';

/** One row: its cells, or null for an empty line, and where the next one begins. */
export interface CsvRow {
  cells: string[] | null;
  endByte: number;
}

/** The end of the row that begins at `fromByte` cannot be found. */
export class UnreadableRow extends Error {}

/** Octets of one row; a file without line breaks, or with a quote that is never closed, is noticed after this. */
export const MAX_ROW_BYTES = 131_072;

/** Reads rows. `pieces` are the file's bytes from `fromByte` on. Throws UnreadableRow after the last good row. */
export async function* readCsvRows(
  pieces: AsyncIterable<Buffer>,
  layout: CsvLayout,
  fromByte: number,
): AsyncGenerator<CsvRow[]> {
  const parser = parse({
    delimiter: layout.delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true, // a quote inside a cell is part of it
    relax_column_count: true, // a row with too few or too many cells fails alone
    max_record_size: MAX_ROW_BYTES,
    info: true,
    // The rows of one piece are read when it is parsed whole: what bounds them is the piece.
    readableHighWaterMark: Number.MAX_SAFE_INTEGER,
  } as Options);
  let failure: Error | null = null;
  parser.on('error', (error) => {
    failure = error;
  });
  for await (const piece of pieces) {
    await write(parser, piece);
    const rows = drain(parser, fromByte);
    if (rows.length > 0) yield rows;
    if (failure) throw unreadable(failure);
  }
  await end(parser);
  const rows = drain(parser, fromByte);
  if (rows.length > 0) yield rows;
  if (failure) throw unreadable(failure);
}

// Called back when the piece is parsed whole, or has failed: either way its good rows can be read.
function write(parser: Parser, piece: Buffer): Promise<void> {
  return new Promise((resolve) => {
    parser.write(piece, () => resolve());
  });
}

function end(parser: Parser): Promise<void> {
  return new Promise((resolve) => {
    if (parser.destroyed) return resolve();
    parser.once('error', () => resolve());
    parser.end(() => resolve());
  });
}

function drain(parser: Parser, fromByte: number): CsvRow[] {
  const rows: CsvRow[] = [];
  for (;;) {
    const row = parser.read() as { record: string[]; info: { bytes: number } } | null;
    if (row === null) return rows;
    const blank = row.record.length === 1 && row.record[0]!.trim() === '';
    rows.push({ cells: blank ? null : row.record, endByte: fromByte + row.info.bytes });
  }
}

function unreadable(error: Error): Error {
  return error instanceof CsvError ? new UnreadableRow(error.code) : error;
}
