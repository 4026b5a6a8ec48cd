// The one reader of MIME: mailparser parses inbound mail, bounces and complaints (docs/adr/0011-one-mime-parser.md).
// Mail is untrusted input, so it runs in processes that can be killed.

import { Transform, type TransformCallback } from 'node:stream';
import { MailParser, type MimeNode, type ParsedMail, type ParsedPart, type ParserNode } from 'mailparser';

import { decodeText } from './charset.ts';
import { MAX_LINE_OCTETS } from './header.ts';
import { repairHeader } from './repair-header.ts';

// Parts of one message, mailparser's own bound. Those in each other cost the square of their depth: 5,000 took 1.4 s.
const MAX_PARTS = 1_000;

const TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}/; // RFC 6838 section 4.2
const UNKNOWN_TYPE = 'application/octet-stream';

const SPACE = 0x20;
const TAB = 0x09;
const RETURN = 0x0d;
const LINE_FEED = 0x0a;

/** A message in its parts. Returned messages and delivery reports are attachments. Rejects with what mailparser says. */
export async function parseMail(raw: Uint8Array): Promise<ParsedMail> {
  const parser = new Parser({
    ignoreEmbedded: true,
    keepDeliveryStatus: true,
    keepCidLinks: true,
    skipHtmlToText: true,
    skipTextToHtml: true,
    maxChildNodes: MAX_PARTS,
    Iconv: TextOf,
  });
  parser.end(
    repairHeader(trimDelimiters(cutBlanks(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)))),
  );
  const mail: ParsedMail = { attachments: [] };
  for await (const part of parser as AsyncIterable<ParsedPart>) {
    if (part.type === 'text') Object.assign(mail, { text: part.text, html: part.html });
    else {
      const pieces: Buffer[] = [];
      for await (const piece of part.content as AsyncIterable<Buffer>) pieces.push(piece);
      part.release();
      mail.attachments.push({ ...part, content: Buffer.concat(pieces) });
    }
  }
  const field = (name: string) => parser.headers && parser.headers.get(name);
  for (const name of ['subject', 'from', 'to', 'cc']) {
    if (field(name) !== undefined) Object.assign(mail, { [name]: field(name) });
  }
  return { ...mail, headerLines: parser.headerLines || [] };
}

// Where mailparser sees no type, or takes what follows one for a part of it, as in `text/plain (a)`, the type is corrected.
// A message without a type is text, which mailparser knows.
// mailparser reads text as UTF-8, whatever it is, when it says that or nothing: here that is left to TextOf.
class Parser extends MailParser {
  override createNode(node: MimeNode): ParserNode {
    if (node.contentType || !node.root)
      node.contentType = TYPE.exec(node.contentType || '')?.[0] ?? UNKNOWN_TYPE;
    const made = super.createNode(node);
    if (/^utf-?8$|^(?:us-?)?ascii$/i.test(made.charset ?? 'utf-8')) made.charset = 'default';
    return made;
  }
}

// The text of a part as UTF-8.
class TextOf extends Transform {
  readonly #charset: string;
  readonly #pieces: Buffer[] = [];

  constructor(charset: string) {
    super();
    this.#charset = charset;
  }

  override _transform(piece: Buffer, _encoding: string, done: TransformCallback): void {
    this.#pieces.push(piece);
    done();
  }

  override _flush(done: TransformCallback): void {
    done(null, Buffer.from(decodeText(Buffer.concat(this.#pieces), this.#charset), 'utf8'));
  }
}

// A run of blanks or carriage returns that is longer than a line may be (RFC 5322 section 2.1.1) is cut to that length:
// mailparser's readers of quoted-printable and of the header need time quadratic in a run's length. Other mail is passed on
// as it is, not copied.
function cutBlanks(mail: Buffer): Buffer {
  let cut: Buffer | null = null;
  let length = 0;
  let run = 0;
  for (let at = 0; at < mail.length; at++) {
    const byte = mail[at]!;
    run = byte === SPACE || byte === TAB || byte === RETURN ? run + 1 : 0;
    if (run > MAX_LINE_OCTETS) cut ??= Buffer.from(mail);
    else if (cut === null) length++;
    else cut[length++] = byte;
  }
  return cut?.subarray(0, length) ?? mail;
}

const BOUNDARY = /\bboundary[ \t]{0,9}=[ \t\r\n]{0,9}(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/gi;
const MAX_BOUNDARIES = 1_000; // of one message, as many as parts
const DASHES = Buffer.from('--');

// RFC 2046 section 5.1.1: blanks may follow a boundary on its line, which mailparser does not know. They are cut; other lines
// that begin with hyphens stay as they are.
function trimDelimiters(mail: Buffer): Buffer {
  const lines = blankLines(mail);
  if (lines.length === 0) return mail;
  const boundaries = new Set<string>();
  for (const [, quoted, token] of mail.toString('latin1').matchAll(BOUNDARY)) {
    if (boundaries.size < MAX_BOUNDARIES) boundaries.add((quoted ?? token ?? '').trimEnd());
  }
  const pieces: Buffer[] = [];
  let kept = 0;
  for (const { start, end, blanks } of lines) {
    const name = mail.toString('latin1', start + DASHES.length, end);
    if (!boundaries.has(name) && !(name.endsWith('--') && boundaries.has(name.slice(0, -2)))) continue;
    pieces.push(mail.subarray(kept, end));
    kept = blanks;
  }
  return kept === 0 ? mail : Buffer.concat([...pieces, mail.subarray(kept)]);
}

// The lines that begin with two hyphens, go on, and end in blanks: from `end` to `blanks`.
function blankLines(mail: Buffer): { start: number; end: number; blanks: number }[] {
  const lines: { start: number; end: number; blanks: number }[] = [];
  for (let start = mail.indexOf(DASHES); start >= 0;) {
    const feed = mail.indexOf(LINE_FEED, start);
    const next = feed < 0 ? mail.length : feed;
    const blanks = feed > 0 && mail[feed - 1] === RETURN ? feed - 1 : next;
    let end = blanks;
    while (end > start && (mail[end - 1] === SPACE || mail[end - 1] === TAB)) end -= 1;
    const isLine = start === 0 || mail[start - 1] === LINE_FEED;
    if (isLine && end < blanks && end > start + DASHES.length) lines.push({ start, end, blanks });
    start = feed < 0 ? -1 : mail.indexOf(DASHES, feed);
  }
  return lines;
}
