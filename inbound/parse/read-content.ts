// What people see of a message: addresses, subject, text, HTML, attachments. postal-mime takes it apart; here it is made
// fit for PostgreSQL (no NUL, no lone surrogates, bounded).

import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';

import type { AttachmentInfo, InboundContent } from '../../core/inbound/work-store.ts';
import { isAutoSubmitted } from '../../core/mail/report/auto-submitted.ts';
import { NO_AUTH } from './parse-job.ts';

const MAX_BODY_CHARS = 2 * 1024 * 1024; // of text and of HTML; the raw message has all of it
const MAX_HEADERS = 1000;
const MAX_HEADER_CHARS = 16 * 1024;
const MAX_ADDRESSES = 500;
const MAX_NAME_CHARS = 255;
const MAX_ATTACHMENTS = 500;
const MAX_NESTING = 50; // deeper MIME is made to hurt parsers, not to be read

/** The content and its attachments' bytes. Throws what the parser throws. */
export async function readContent(
  raw: Uint8Array,
): Promise<{ content: InboundContent; bodies: { index: number; bytes: Uint8Array }[] }> {
  const email = await PostalMime.parse(raw, {
    maxNestingDepth: MAX_NESTING,
    forceRfc822Attachments: true,
    attachmentEncoding: 'arraybuffer',
  });
  const files = email.attachments.slice(0, MAX_ATTACHMENTS).map(toFile);
  const headers = email.headers.slice(0, MAX_HEADERS);
  return {
    content: {
      headerFrom: email.from ? addressText(email.from) : null,
      headerTo: addressList(email.to),
      headerCc: addressList(email.cc),
      subject: email.subject === undefined ? null : clean(email.subject, MAX_HEADER_CHARS),
      date: readDate(email),
      text: email.text === undefined ? null : clean(email.text, MAX_BODY_CHARS),
      html: email.html === undefined ? null : clean(email.html, MAX_BODY_CHARS),
      headers: headers.map(({ originalKey, value }) => ({
        name: clean(originalKey, MAX_NAME_CHARS),
        value: clean(value, MAX_HEADER_CHARS),
      })),
      attachments: files.map(({ info }) => info),
      auth: NO_AUTH,
      autoSubmitted: isAutoSubmitted((name) => email.headers.find(({ key }) => key === name)?.value ?? ''),
      parseError: null,
    },
    bodies: files.map(({ info, bytes }) => ({ index: info.index, bytes })),
  };
}

function toFile(attachment: Attachment, index: number): { info: AttachmentInfo; bytes: Uint8Array } {
  const { content, filename, mimeType } = attachment;
  const bytes =
    typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content as ArrayBuffer);
  return {
    info: {
      index,
      filename: filename === null ? null : clean(filename, MAX_NAME_CHARS),
      content_type: clean(mimeType, MAX_NAME_CHARS) || 'application/octet-stream',
      size_bytes: bytes.byteLength,
    },
    bytes,
  };
}

function addressList(addresses: Address[] | undefined): string[] {
  return (addresses ?? [])
    .flatMap((one) => (one.group ? one.group : [one]))
    .slice(0, MAX_ADDRESSES)
    .map(addressText);
}

function addressText(one: Address): string {
  if (one.group) return clean(one.name, MAX_HEADER_CHARS);
  const text = one.name === '' ? one.address : `${one.name} <${one.address}>`;
  return clean(text, MAX_HEADER_CHARS);
}

function readDate(email: Email): Date | null {
  if (email.date === undefined) return null;
  const date = new Date(email.date);
  const year = date.getUTCFullYear(); // NaN for no date at all
  return year >= 1970 && year <= 9999 ? date : null;
}

function clean(text: string, limit: number): string {
  return text.slice(0, limit).replaceAll('\0', '').toWellFormed();
}
