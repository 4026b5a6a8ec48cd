// What an import would make of a CSV file: its columns and its first rows.

import { invalidField } from '../base/errors.ts';
import { readCsvLayout, type LayoutOptions } from './csv-layout.ts';
import { readCsvRows, UnreadableRow } from './csv-rows.ts';
import { targetOf } from './mapping-input.ts';
import { toUtf8 } from './to-utf8.ts';

/** The columns with what they hold, as a mapping has it, and the cells of the first rows. */
export interface CsvPreview {
  columns: { name: string; target: string }[];
  rows: string[][];
}

const PREVIEW_ROWS = 5; // fit on a page beside their columns

/** Reads the beginning of a file; its last row may be cut. Throws AppError for what is no CSV file. */
export async function previewCsv(chunks: AsyncIterable<Buffer>, options: LayoutOptions): Promise<CsvPreview> {
  const pieces: Buffer[] = [];
  for await (const piece of toUtf8(chunks)) pieces.push(piece);
  const file = Buffer.concat(pieces);
  const read = readCsvLayout(file, true, options);
  if (read === 'more' || !read.ok)
    throw invalidField('csv', read === 'more' ? 'has no header row' : read.reason);
  const { layout } = read;
  const names = layout.names ?? [];
  return {
    columns: layout.columns.map((column, at) => ({ name: names[at]!.trim(), target: targetOf(column) })),
    rows: await firstRows(file.subarray(layout.headerBytes), layout),
  };
}

async function firstRows(bytes: Buffer, layout: Parameters<typeof readCsvRows>[1]): Promise<string[][]> {
  const rows: string[][] = [];
  try {
    for await (const some of readCsvRows(toStream(bytes), layout, 0))
      for (const { cells } of some) if (cells && rows.length < PREVIEW_ROWS) rows.push(cells);
  } catch (error) {
    if (!(error instanceof UnreadableRow)) throw error; // the rows before it are shown
  }
  return rows;
}

async function* toStream(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
