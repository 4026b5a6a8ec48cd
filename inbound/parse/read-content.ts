// What people see of a message: addresses, subject, text, HTML, attachments. mailparser parses it; here it is made fit
// for PostgreSQL (no NUL, no lone surrogates, bounded).

import type { ParsedAddresses, ParsedAttachment } from 'mailparser';

import type { AttachmentInfo, InboundContent } from '../../core/inbound/work-store.ts';
import { parseMail } from '../../core/mail/parse-mail.ts';
import { isAutoSubmitted } from '../../core/mail/report/auto-submitted.ts';
import { NO_AUTH } from './parse-job.ts';

const MAX_BODY_CHARS = 2 * 1024 * 1024; // of text and of HTML; the raw message has all of it
const MAX_HEADERS = 1000;
const MAX_HEADER_CHARS = 16 * 1024;
const MAX_ADDRESSES = 500;
const MAX_NAME_CHARS = 255;
const MAX_ATTACHMENTS = 500;

/** The content and its attachments' bytes. Throws what the parser throws. */
export async function readContent(
  raw: Uint8Array,
): Promise<{ content: InboundContent; bodies: { index: number; bytes: Uint8Array }[] }> {
  const mail = await parseMail(raw);
  const files = mail.attachments.slice(0, MAX_ATTACHMENTS).map(toFile);
  const headers = (mail.headerLines ?? []).map(({ line }) => readHeader(line));
  const all = (name: string) => headers.filter((header) => header.name.toLowerCase() === name);
  const first = (name: string) => all(name)[0]?.value;
  const authors = all('from').length;
  return {
    content: {
      headerFrom: addressList(mail.from)[0] ?? null,
      headerTo: addressList(mail.to),
      headerCc: addressList(mail.cc),
      subject: mail.subject === undefined ? null : clean(mail.subject, MAX_HEADER_CHARS),
      date: readDate(first('date')),
      text: mail.text ? clean(mail.text, MAX_BODY_CHARS) : null,
      html: mail.html ? clean(mail.html, MAX_BODY_CHARS) : null,
      headers: headers.slice(0, MAX_HEADERS).map(({ name, value }) => ({
        name: clean(name, MAX_NAME_CHARS),
        value: clean(value, MAX_HEADER_CHARS),
      })),
      attachments: files.map(({ info }) => info),
      auth: NO_AUTH,
      autoSubmitted: isAutoSubmitted((name) => first(name) ?? ''),
      parseError: authors > 1 ? `it has ${authors} From fields, so nobody can say who wrote it` : null,
    },
    bodies: files.map(({ info, bytes }) => ({ index: info.index, bytes })),
  };
}

function toFile(attachment: ParsedAttachment, index: number): { info: AttachmentInfo; bytes: Uint8Array } {
  const { content, filename, contentType } = attachment;
  return {
    info: {
      index,
      filename: filename === undefined ? null : clean(filename, MAX_NAME_CHARS),
      content_type: clean(contentType, MAX_NAME_CHARS),
      size_bytes: content.byteLength,
    },
    bytes: content,
  };
}

// A field as it stands in the message, unfolded (RFC 5322 section 2.2.3); encoded words stay encoded.
function readHeader(line: string): { name: string; value: string } {
  const colon = line.indexOf(':');
  const bytes = Buffer.from(line.slice(colon + 1).replace(/\r?\n/g, ''), 'latin1');
  return { name: line.slice(0, Math.max(colon, 0)).trim(), value: bytes.toString('utf8').trim() };
}

function addressList(fields: ParsedAddresses | ParsedAddresses[] | undefined): string[] {
  return [fields ?? []]
    .flat()
    .flatMap(({ value }) => value)
    .flatMap((one) => one.group ?? [one])
    .slice(0, MAX_ADDRESSES)
    .map(({ name, address = '' }) => clean(name === '' ? address : `${name} <${address}>`, MAX_HEADER_CHARS));
}

// mailparser would take a date that is none for today.
function readDate(value: string | undefined): Date | null {
  if (value === undefined) return null;
  const date = new Date(value);
  const year = date.getUTCFullYear(); // NaN for no date at all
  return year >= 1970 && year <= 9999 ? date : null;
}

function clean(text: string, limit: number): string {
  return text.slice(0, limit).replaceAll('\0', '').toWellFormed();
}
