// One line of a CSV file (RFC 4180) that people open in a spreadsheet. Pure.

// A spreadsheet runs a cell that begins so as a formula, and its author may be anybody who has an address. An apostrophe
// before it makes it text: https://owasp.org/www-community/attacks/CSV_Injection
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** The cells as a line with its end, each in quotes where it needs them. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
