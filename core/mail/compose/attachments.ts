// Messages with attachments, through nodemailer's MIME composer: mixed, related and alternative parts in
// their order. Only the MIME tree is taken from it. It may open no file and no URL, and gets attachments as
// Buffers only.

import MailComposer from 'nodemailer/lib/mail-composer';
import { detectMimeType, parseHeaderValue } from 'nodemailer/lib/mime-funcs';
import type { MimeTree } from './skeleton.ts';
import type { Attachment } from './message-content.ts';
import { isMostlyAscii, toCrlf } from './transfer-encoding.ts';
import { toOneLine } from '../unsafe-text.ts';

/** Characters of a file name; common file systems take 255 octets. */
const MAX_FILENAME_CHARS = 200;

// The name is that of the file, and a boundary is none of a part's.
const PARAMETER = /^(?!name$|boundary$)[a-z0-9!#$&^_.+-]{1,64}$/;

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
    attachments: attachments.filter((one) => one.alternative !== true).map(toNodemailer),
    alternatives: attachments.filter((one) => one.alternative === true).map(toAlternative),
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
    filename: safeFilename(filename),
    contentType: typeOnWire(filename, contentType),
    content,
    contentTransferEncoding: 'base64',
    contentDisposition: cid === '' ? 'attachment' : 'inline',
    ...(cid !== '' && { cid }),
  };
}

// RFC 2046 section 5.1.4: after the html, since the last alternative that a reader knows is the one that it shows. With no name
// it is no file: calendars open an invitation from here, and it says its charset (RFC 6047 section 2.4).
function toAlternative({ filename, content, contentType }: Attachment) {
  return {
    contentType: typeOnWire(filename, contentType, { charset: 'utf-8' }),
    content,
    contentTransferEncoding: 'base64',
  };
}

function safeFilename(filename: string): string {
  const name = toOneLine(filename).replace(/[/\\]/g, '_').slice(0, MAX_FILENAME_CHARS).toWellFormed();
  return name === '' ? 'attachment' : name;
}

/** The name and the type of an attachment, without its parameters. Without a type it has that of the end of its name. */
export function describeAttachment(filename: string, contentType: string | undefined) {
  const { type } = readType(filename, contentType);
  return { filename: safeFilename(filename), contentType: type };
}

// With the parameters as they were given (RFC 2045 section 5.1): without its `method` an invitation is a file (RFC 6047
// section 2.4), and a text is read in its `charset`. nodemailer folds them and writes those above ASCII as RFC 2231 has them.
function typeOnWire(
  filename: string,
  contentType: string | undefined,
  defaults: Record<string, string> = {},
): string {
  const { type, params } = readType(filename, contentType);
  const given = Object.entries({ ...defaults, ...params });
  const kept = given.filter(([name, value]) => PARAMETER.test(name) && value !== '');
  return [type, ...kept.map(([name, value]) => `${name}="${value.replace(/["\\]/g, '\\$&')}"`)].join('; ');
}

// message/* and multipart/* may not be base64 (RFC 2046 section 5.2.1, RFC 2045 section 6.4), and raw parts
// could hold anything, so such files travel as plain octets.
function readType(filename: string, contentType: string | undefined) {
  const { value, params } = parseHeaderValue(toOneLine(contentType || detectMimeType(filename)));
  const type = value.trim().toLowerCase();
  return MIME_TYPE.test(type) && !/^(?:message|multipart)\//.test(type)
    ? { type, params }
    : { type: 'application/octet-stream', params: {} };
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
