// The header of mail made fit for mailparser, where that would lose text: octets above ASCII that are no UTF-8, and
// encoded words (RFC 2047) with such octets in them, cut within a character, or in a charset that is unknown or wrong.

import { isUtf8 } from 'node:buffer';

import { decodeText, decodeUnsure, isUnsure } from './charset.ts';

// Words of one charset that only blanks separate: the cut between two may be within a character.
const WORDS = /=\?([^?\s]{1,60})\?[bq]\?[^?\r\n]*\?=(?:[ \t\r\n]*=\?\1\?[bq]\?[^?\r\n]*\?=)*/gi;
const WORD = /=\?([^?\s]{1,60})\?([bq])\?([^?\r\n]*)\?=/gi;
const NOT_ASCII = /[\x80-\xff]/;

/** The message with its header repaired; the same buffer when there is nothing to repair, as in most mail. */
export function repairHeader(mail: Buffer): Buffer {
  const end = headerEnd(mail);
  const header = mail.toString('latin1', 0, end);
  if (!NOT_ASCII.test(header) && !header.includes('=?')) return mail;
  const charset = NOT_ASCII.test(header) ? bodyCharset(mail, header, end) : '';
  const repaired = header
    .replace(WORDS, (words, label: string) => repairWords(words, label.replace(/\*.*/s, '')))
    .replace(/[^\r\n]+/g, (line) => repairLine(line, charset));
  return repaired === header ? mail : Buffer.concat([Buffer.from(repaired, 'latin1'), mail.subarray(end)]);
}

function headerEnd(mail: Buffer): number {
  const ends = [mail.indexOf('\r\n\r\n'), mail.indexOf('\n\n')].filter((at) => at >= 0);
  return ends.length > 0 ? Math.min(...ends) : mail.length;
}

/** Text with its encoded words decoded, whatever their charset. What is no encoded word stays as it is. */
export function decodeWords(text: string): string {
  if (!text.includes('=?')) return text;
  return text.replace(WORDS, (words, charset: string) => {
    const label = charset.replace(/\*.*/s, '');
    return decodeText(readWords(words).octets, label);
  });
}

function readWords(words: string): { octets: Buffer; all: { base64: boolean; text: string }[] } {
  const all = [...words.matchAll(WORD)].map(([, , encoding = '', text = '']) => ({
    base64: encoding.toLowerCase() === 'b',
    text,
  }));
  const octets = Buffer.concat(
    all.map(({ base64, text }) => (base64 ? Buffer.from(text, 'base64') : fromQ(text))),
  );
  return { octets, all };
}

function repairWords(words: string, charset: string): string {
  const { octets, all } = readWords(words);
  const isMixed = all.some(({ base64 }) => base64 !== all[0]?.base64);
  const isWrong = isUnsure(charset) && !(isUtf8(octets) && /^utf-?8$/i.test(charset));
  if (!isMixed && !isWrong && !NOT_ASCII.test(words)) return words;
  return `=?utf-8?B?${Buffer.from(decodeText(octets, charset), 'utf8').toString('base64')}?=`;
}

function fromQ(text: string): Buffer {
  const octets = text
    .replaceAll('_', ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(octets, 'latin1');
}

// Programs that write octets above ASCII into the header write them as in the text: that of the message, or of its first part.
function bodyCharset(mail: Buffer, header: string, end: number): string {
  return charsetIn(header) ?? charsetIn(mail.toString('latin1', end, end + PART_OCTETS)) ?? '';
}

function charsetIn(fields: string): string | undefined {
  const type = fields.search(TYPE);
  return type < 0 ? undefined : CHARSET.exec(fields.slice(type, type + TYPE_CHARS))?.[1];
}

const PART_OCTETS = 4096; // of the body, in which the header of the first part is
const TYPE = /^content-type:/im;
const TYPE_CHARS = 1000; // of a field with its parameters
const CHARSET = /\bcharset[ \t]{0,9}=[ \t]{0,9}"?([\w.:-]{1,40})/i;

function repairLine(line: string, charset: string): string {
  const octets = Buffer.from(line, 'latin1');
  return isUtf8(octets)
    ? line
    : Buffer.from(isUnsure(charset) ? decodeUnsure(octets) : decodeText(octets, charset), 'utf8').toString(
        'latin1',
      );
}
