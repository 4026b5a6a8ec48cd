// MIME as reports use it (RFC 2045, RFC 2046): a tree of parts with decoded text. Reports come from old and broken
// servers, so this reader takes any line ends, missing closing boundaries and wrong charsets, and never throws.
// Guarantee: linear in the input, which is cut at MAX_REPORT_BYTES; nesting is cut at MAX_DEPTH.

/** One part. `type` is lower case, such as `text/plain`; `text` is decoded, with LF line ends. */
export interface ReportPart {
  type: string;
  /** Values of each field by lower-case name, unfolded. */
  headers: Map<string, string[]>;
  text: string;
  children: ReportPart[];
}

/** Bytes of a report that are looked at. What a server says stands before the message that it returns. */
const MAX_REPORT_BYTES = 1024 * 1024;

const MAX_DEPTH = 8;
const MAX_PARTS = 200;
const MAX_HEADER_CHARS = 64 * 1024;

/** Reads a whole message. */
export function readReportParts(bytes: Buffer): ReportPart {
  const text = bytes
    .subarray(0, MAX_REPORT_BYTES)
    .toString('latin1')
    .replace(/\r\n|\r/g, '\n');
  return readPart(text, 0, { left: MAX_PARTS });
}

/** The first value of a field, or an empty string. */
export function headerOf(part: ReportPart, name: string): string {
  return part.headers.get(name)?.[0] ?? '';
}

/** All parts of a tree, parents before children. */
export function* walkParts(part: ReportPart): Generator<ReportPart> {
  yield part;
  for (const child of part.children) yield* walkParts(child);
}

/** Reads `Name: value` lines up to the first empty line, within MAX_HEADER_CHARS; continued lines are joined. */
export function readFields(text: string): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  let values: string[] = [];
  let pieces: string[] = []; // of the last field
  const finish = () => {
    if (pieces.length > 0) values.push(pieces.join(' ').trim());
    pieces = [];
  };
  for (const line of text.slice(0, MAX_HEADER_CHARS).split('\n')) {
    if (line.trim() === '') break;
    const field = /^([!-9;-~]{1,80})[ \t]*:(.*)$/.exec(line);
    if (field && !/^[ \t]/.test(line)) {
      finish();
      const name = (field[1] ?? '').toLowerCase();
      values = fields.get(name) ?? [];
      fields.set(name, values);
      pieces.push((field[2] ?? '').trim());
    } else if (pieces.length > 0 && /^[ \t]/.test(line)) pieces.push(line.trim());
  }
  finish();
  return fields;
}

function readPart(raw: string, depth: number, budget: { left: number }): ReportPart {
  budget.left--;
  // mbox files put a "From " line on top; some servers an empty line before the header.
  const source = raw.replace(/^\n{0,3}(?:From [^\n]*\n)?/, '');
  const split = splitHeader(source);
  const headers = readFields(split.header);
  const { type, params } = readContentType(headers.get('content-type')?.[0] ?? '');
  const part: ReportPart = { type, headers, text: '', children: [] };
  if (depth >= MAX_DEPTH || budget.left <= 0) return part;
  if (params.boundary !== undefined && type.startsWith('multipart/')) {
    const pieces = splitAtBoundary(split.body, params.boundary);
    // A boundary that never comes, or only comes once, leaves the text readable all the same.
    part.text = pieces.length === 0 ? split.body : '';
    for (const piece of pieces) {
      if (budget.left > 0) part.children.push(readPart(piece, depth + 1, budget));
    }
    return part;
  }
  part.text = decodeBody(split.body, headers.get('content-transfer-encoding')?.[0] ?? '', params.charset);
  return part;
}

// A part that starts with text instead of a header (a broken boundary, a missing empty line) is all body.
function splitHeader(source: string): { header: string; body: string } {
  if (source.startsWith('\n')) return { header: '', body: source.slice(1) };
  const end = source.indexOf('\n\n');
  const header = end < 0 ? source : source.slice(0, end);
  if (!/^[!-9;-~]{1,80}[ \t]*:/.test(header)) return { header: '', body: source };
  return { header, body: end < 0 ? '' : source.slice(end + 2) };
}

function readContentType(value: string): { type: string; params: { boundary?: string; charset?: string } } {
  const type = (/^\s*([\w.+-]+\/[\w.+-]+)/.exec(value)?.[1] ?? 'text/plain').toLowerCase();
  const param = (name: string) => {
    const match = new RegExp(`[;\\s]${name}\\s*=\\s*(?:"([^"]{1,200})"|([^\\s;"]{1,200}))`, 'i').exec(value);
    return match?.[1] ?? match?.[2];
  };
  const boundary = param('boundary');
  const charset = param('charset');
  return {
    type,
    params: {
      ...(boundary === undefined ? {} : { boundary }),
      ...(charset === undefined ? {} : { charset }),
    },
  };
}

function splitAtBoundary(body: string, boundary: string): string[] {
  const pieces: string[] = [];
  const mark = `--${boundary}`;
  let start = -1;
  let at = body.startsWith(mark) ? 0 : indexOfLine(body, mark, 0);
  while (at >= 0) {
    if (start >= 0) pieces.push(body.slice(start, Math.max(start, at - 1)));
    const lineEnd = body.indexOf('\n', at);
    if (body.startsWith('--', at + mark.length) || lineEnd < 0) return pieces;
    start = lineEnd + 1;
    at = body.startsWith(mark, start) ? start : indexOfLine(body, mark, start);
  }
  if (start >= 0) pieces.push(body.slice(start));
  return pieces;
}

function indexOfLine(body: string, mark: string, from: number): number {
  const found = body.indexOf(`\n${mark}`, from);
  return found < 0 ? -1 : found + 1;
}

function decodeBody(body: string, encoding: string, charset: string | undefined): string {
  const kind = encoding.toLowerCase().trim();
  const plain =
    kind === 'base64'
      ? Buffer.from(body.replace(/[^A-Za-z0-9+/]/g, ''), 'base64').toString('latin1')
      : kind === 'quoted-printable'
        ? fromQuotedPrintable(body)
        : body;
  return toText(plain, charset).replace(/\r\n?/g, '\n');
}

// By lines: a pattern that looks for blanks before `=` takes quadratic time for a line of blanks (64 kB: 25 s).
function fromQuotedPrintable(body: string): string {
  const lines = body.split('\n');
  const joined = lines.map((line, at) => {
    if (at === lines.length - 1) return line;
    const text = withoutBlanks(line);
    return text.endsWith('=') ? withoutBlanks(text.slice(0, -1)) : `${line}\n`;
  });
  return joined
    .join('')
    .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

// trimEnd would take 0xA0 too, which is half a character of UTF-8 here.
function withoutBlanks(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ' || line[end - 1] === '\t') end--;
  return line.slice(0, end);
}

// Most reports are ASCII whatever they claim; what cannot be decoded is read as Latin-1, which never fails.
function toText(latin1: string, charset: string | undefined): string {
  // oxlint-disable-next-line no-control-regex -- everything that is not plain ASCII, and ESC for ISO-2022
  if (!/[^\x00-\x1a\x1c-\x7f]/.test(latin1)) return latin1;
  for (const name of [charset ?? 'utf-8', 'utf-8']) {
    try {
      return new TextDecoder(name, { fatal: true }).decode(Buffer.from(latin1, 'latin1'));
    } catch {
      continue;
    }
  }
  return latin1;
}
