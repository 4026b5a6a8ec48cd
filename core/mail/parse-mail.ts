// The one reader of MIME: mailparser takes apart the mail that people get, bounces and complaints
// (docs/adr/0010-one-mime-parser.md). Mail is written by strangers, so it runs in processes that can be killed.

import { simpleParser, type ParsedMail } from 'mailparser';

// Parts of one message. 10,000 small ones take 2 s and 140 MB; more are made to hurt parsers, not to be read.
const MAX_PARTS = 10_000;

/** A message in its parts. Returned messages and delivery reports are attachments. Rejects with what mailparser says. */
export function parseMail(raw: Uint8Array): Promise<ParsedMail> {
  return simpleParser(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), {
    ignoreEmbedded: true,
    keepDeliveryStatus: true,
    keepCidLinks: true,
    skipHtmlToText: true,
    skipTextToHtml: true,
    maxChildNodes: MAX_PARTS,
  });
}
