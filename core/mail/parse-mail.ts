// The one reader of MIME: mailparser parses inbound mail, bounces and complaints (docs/adr/0011-one-mime-parser.md).
// Mail is untrusted input, so it runs in processes that can be killed.

import { simpleParser, type ParsedMail } from 'mailparser';

import { MAX_LINE_OCTETS } from './header.ts';

// Parts of one message, mailparser's own bound. Those in each other cost the square of their depth: 5,000 took 1.4 s.
const MAX_PARTS = 1_000;

const SPACE = 0x20;
const TAB = 0x09;

/** A message in its parts. Returned messages and delivery reports are attachments. Rejects with what mailparser says. */
export function parseMail(raw: Uint8Array): Promise<ParsedMail> {
  return simpleParser(cutBlanks(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)), {
    ignoreEmbedded: true,
    keepDeliveryStatus: true,
    keepCidLinks: true,
    skipHtmlToText: true,
    skipTextToHtml: true,
    maxChildNodes: MAX_PARTS,
  });
}

// A run of blanks that is longer than a line may be (RFC 5322 section 2.1.1) is cut to that length: mailparser's reader of
// quoted-printable needs time quadratic in a run's length. Other mail is passed on as it is, not copied.
function cutBlanks(mail: Buffer): Buffer {
  let cut: Buffer | null = null;
  let length = 0;
  let run = 0;
  for (let at = 0; at < mail.length; at++) {
    const byte = mail[at]!;
    run = byte === SPACE || byte === TAB ? run + 1 : 0;
    if (run > MAX_LINE_OCTETS) cut ??= Buffer.from(mail);
    else if (cut === null) length++;
    else cut[length++] = byte;
  }
  return cut?.subarray(0, length) ?? mail;
}
