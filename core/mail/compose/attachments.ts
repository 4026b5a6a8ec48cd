// Messages with attachments, through nodemailer's MIME composer: mixed, related and alternative parts in
// their order. Only the MIME tree is taken from it. It may open no file and no URL, and gets attachments as
// Buffers only.

import MailComposer from 'nodemailer/lib/mail-composer';
import { detectMimeType } from 'nodemailer/lib/mime-funcs';
import type { MimeTree } from './skeleton.ts';
import type { Attachment } from './message-content.ts';
import { isMostlyAscii, toCrlf } from './transfer-encoding.ts';
import { toOneLine } from '../unsafe-text.ts';

/** Characters of a file name; common file systems take 255 octets. */
const MAX_FILENAME_CHARS = 200;

const MIME_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$/;

/** Composes text, html and attachments into a MIME tree whose parts are all quoted-printable or base64. */
export async function composeWithAttachments(
  text: string | undefined,
  html: string | undefined,
  attachments: readonly Attachment[],
  boundary: string,
): Promise<MimeTree> {
  const composer = new MailComposer({
    ...(text !== undefined && { text: textPart(text) }),
    ...(html !== undefined && { html: textPart(html) }),
    attachments: attachments.map(toNodemailer),
    boundaryPrefix: boundary,
    baseBoundary: 'p',
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'win',
    // Never written: the top headers are ours. Without them nodemailer would call the clock and the random
    // source.
    messageId: '<unused@localhost>',
    date: 'unused',
  });
  return splitTree(await composer.compile().build());
}

function textPart(text: string): { content: Buffer; contentTransferEncoding: string } {
  const content = Buffer.from(toCrlf(text), 'utf8');
  return { content, contentTransferEncoding: isMostlyAscii(content) ? 'quoted-printable' : 'base64' };
}

function toNodemailer({ filename, content, contentType, contentId }: Attachment) {
  const cid = contentId?.replace(/[^A-Za-z0-9!#$%&'*+/=?^_`{|}~.@-]/g, '').slice(0, 200) ?? '';
  return {
    ...describeAttachment(filename, contentType),
    content,
    contentTransferEncoding: 'base64',
    contentDisposition: cid === '' ? 'attachment' : 'inline',
    ...(cid !== '' && { cid }),
  };
}

function safeFilename(filename: string): string {
  const name = toOneLine(filename).replace(/[/\\]/g, '_').slice(0, MAX_FILENAME_CHARS).toWellFormed();
  return name === '' ? 'attachment' : name;
}

/** The name and the type under which an attachment travels. Without a type it has that of the end of its name. */
export function describeAttachment(filename: string, contentType: string | undefined) {
  return { filename: safeFilename(filename), contentType: safeType(contentType || detectMimeType(filename)) };
}

// message/* and multipart/* may not be base64 (RFC 2046 section 5.2.1, RFC 2045 section 6.4), and raw parts
// could hold anything, so such files travel as plain octets. Parameters are dropped; the reader's own charset
// guess must do.
function safeType(contentType: string): string {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  return MIME_TYPE.test(type) && !/^(?:message|multipart)\//.test(type) ? type : 'application/octet-stream';
}

function splitTree(message: Buffer): MimeTree {
  const end = message.indexOf('\r\n\r\n');
  const fields = message.toString('latin1', 0, end).split(/\r\n(?![ \t])/);
  const mime = fields.filter((field) => /^content-/i.test(field)).map((field) => `${field}\r\n`);
  const body = message.subarray(end + 4);
  const whole = body.subarray(-2).equals(Buffer.from('\r\n'))
    ? body
    : Buffer.concat([body, Buffer.from('\r\n')]);
  return { fields: mime.join(''), body: whole };
}
