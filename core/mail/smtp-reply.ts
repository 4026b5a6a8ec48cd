// SMTP replies (RFC 5321 section 4.2) with their enhanced status codes (RFC 2034, RFC 3463).

/** Where in the dialogue a reply came; DOT is the answer to the end of DATA, CONNECT the greeting. */
export type SmtpCommand =
  | 'CONNECT'
  | 'EHLO'
  | 'STARTTLS'
  | 'AUTH'
  | 'MAIL'
  | 'RCPT'
  | 'DATA'
  | 'DOT'
  | 'RSET'
  | 'QUIT';

/**
 * One reply. `code` 200 to 599; `enhanced` such as `5.1.1` or null; `text` what it says on one line, without
 * codes; `lines` as received, codes and all, without line ends; `command` what it answers, null when that is
 * unknown.
 */
export type Reply = {
  code: number;
  enhanced: string | null;
  text: string;
  lines: string[];
  command: SmtpCommand | null;
};

/**
 * Characters of a reply that are looked at. RFC 5321 section 4.5.3.1.5 gives 512 a line; real refusals have
 * up to ten.
 */
const MAX_REPLY_CHARS = 8192;

const LINE = /^([2-5][0-9]{2})(?:([ -])([^]*))?$/;
const STARTING = /^([245]\.(?:0|[1-9][0-9]{0,2})\.(?:0|[1-9][0-9]{0,2}))(?:[:;]?(?:\s|$)|$)/;
// qmail, IronPort and relatives: "… (#5.1.1)", "#5.1.0 Address rejected".
const MARKED = /#([45]\.(?:0|[1-9][0-9]{0,2})\.(?:0|[1-9][0-9]{0,2}))(?![.0-9])/;

/**
 * Reads one whole reply, single or multi-line, with any line ends. null when the text does not start with a
 * reply code. Later lines without a code (broken servers, wrapped reports) count as text.
 */
export function parseReply(text: string, command: SmtpCommand | null = null): Reply | null {
  const lines = toLines(text);
  const first = LINE.exec(lines[0]?.trim() ?? '');
  if (!first) return null;
  const code = Number(first[1]);
  const bodies = lines.map((line) => stripCode(line.trim(), code));
  const enhanced = readEnhanced(code, bodies);
  const said = bodies.map((body) => stripEnhanced(body, enhanced)).join(' ');
  return { code, enhanced, text: said.replace(/\s+/g, ' ').trim(), lines, command };
}

// NUL and lone surrogates are replaced here, once: no text column of ours could store them.
function toLines(text: string): string[] {
  const clean = text.slice(0, MAX_REPLY_CHARS).replaceAll('\0', '\ufffd').toWellFormed();
  return clean.split(/\r\n|[\r\n]/).filter((line) => line.trim() !== '');
}

// Only at the very start of a line's text or behind a #: anywhere else "5.1.1" may be a version, and 5.1.1.2
// an IP. The first digit need not equal the reply's (Exchange says "550 4.4.7 QUEUE.Expired"), but 2.x.x
// never refuses.
function readEnhanced(code: number, bodies: readonly string[]): string | null {
  const success = code < 400;
  for (const body of bodies) {
    const found = STARTING.exec(body)?.[1];
    if (found !== undefined && found.startsWith('2') === success) return found;
  }
  if (success) return null;
  for (const body of bodies) {
    const found = MARKED.exec(body)?.[1];
    if (found !== undefined) return found;
  }
  return null;
}

function stripCode(line: string, code: number): string {
  const match = LINE.exec(line);
  return match && Number(match[1]) === code ? (match[3] ?? '').trim() : line;
}

function stripEnhanced(body: string, enhanced: string | null): string {
  return enhanced !== null && STARTING.exec(body)?.[1] === enhanced
    ? body.slice(enhanced.length).replace(/^[:;]?\s+/, '')
    : body;
}
