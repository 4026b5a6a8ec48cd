// Writes CSV (RFC 4180) that a spreadsheet shows and never runs.

/** One cell: null and undefined are empty, times are RFC 3339. */
export type CsvCell = string | number | boolean | Date | null | undefined;

/** What a file begins with: without it Excel reads UTF-8 as the code page of its machine. */
export const CSV_BOM = '\ufeff';

/** Media type of a file; CSV_BOM says that it is UTF-8. */
export const CSV_TYPE = 'text/csv';

// What a spreadsheet takes for the begin of a formula, also in its full-width form (OWASP, "CSV Injection"). A spreadsheet
// that separates cells by `;` or tab sees more cells than we wrote: the row `"a","b;=1"` has `=1"` in its second.
const FORMULA = /(^|[;\t\r\n]"*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const BLANK_START = /^[\t\r\n]/; // which spreadsheets drop

/**
 * One row with its line break, each cell in quotation marks. A text gets an apostrophe wherever a spreadsheet would see the
 * begin of a formula, and before a tab or line break at its start.
 */
export function csvRow(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => `"${csvText(cell).replaceAll('"', '""')}"`).join(',')}\r\n`;
}

function csvText(cell: CsvCell): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString();
  return typeof cell === 'string' ? escapeFormulas(cell) : String(cell);
}

function escapeFormulas(text: string): string {
  const escaped = text.replace(FORMULA, "$1'");
  return BLANK_START.test(text) ? `'${escaped}` : escaped;
}
