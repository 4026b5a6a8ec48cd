// Writes CSV (RFC 4180) that a spreadsheet shows and never runs.

/** One cell: null and undefined are empty, times are RFC 3339. */
export type CsvCell = string | number | boolean | Date | null | undefined;

/** What a file begins with: without it Excel reads UTF-8 as the code page of its machine. */
export const CSV_BOM = '\ufeff';

/** Media type of a file; CSV_BOM says that it is UTF-8. */
export const CSV_TYPE = 'text/csv';

// What a spreadsheet takes for the begin of a formula, also in its full-width form (OWASP, "CSV Injection").
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const QUOTED = /[",\r\n]/;

/** One row with its line break. A text that a spreadsheet would run as a formula gets an apostrophe before it. */
export function csvRow(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: CsvCell): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell !== 'string') return String(cell);
  const text = escapeFormula(cell);
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}
