// Mail to postmaster and abuse addresses of ours (RFC 5321 section 4.5.1): kept for the operators, who get a notice.

import type pg from 'pg';

import { networkOf } from '../core/base/address-range.ts';
import { newUuid } from '../core/base/ids.ts';
import { decodeEncodedWords } from '../core/mail/compose/encoded-word.ts';
import { keepPostmasterMail } from '../core/operations/postmaster-store.ts';

const MAX_SUBJECT_CHARS = 200;
const HEADER_BYTES = 64 * 1024; // of the message, in which its subject is looked for

/** Keeps a message; false when there are too many of its network. */
export async function keepForOperators(
  pool: pg.Pool,
  mail: { recipient: string; mailFrom: string; peer: string; raw: Buffer },
): Promise<boolean> {
  const subject = readSubject(mail.raw);
  const notice =
    `Mail for ${mail.recipient} from <${mail.mailFrom}> (${mail.peer}): "${subject}". ` +
    'Read it with GET /api/v1/admin/postmaster-mail; further mail of this hour is there too.';
  return keepPostmasterMail(
    pool,
    { ...mail, id: newUuid(), network: networkOf(mail.peer), subject },
    notice.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? ''), // Slack's escapes
  );
}

function readSubject(raw: Buffer): string {
  const text = `\n${raw.toString('utf8', 0, HEADER_BYTES)}`;
  const end = text.search(/\n\r?\n/);
  const field = /\nsubject:([^\n]*(?:\n[ \t][^\n]*)*)/i.exec(end < 0 ? text : text.slice(0, end))?.[1] ?? '';
  const unfolded = field
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 4 * MAX_SUBJECT_CHARS);
  const words = decodeEncodedWords(unfolded) ?? unfolded;
  return words
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .slice(0, MAX_SUBJECT_CHARS)
    .toWellFormed();
}
