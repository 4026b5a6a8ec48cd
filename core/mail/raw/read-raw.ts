// Reads ready-made mail as far as submitting it needs: whether it can be sent as it is, whose it is, and its subject. The
// body is only searched for octets that cannot travel.

import { isAscii, isUtf8 } from 'node:buffer';

import { MAX_HOPS } from '../header-fields.ts';
import type { Address } from '../address.ts';
import { decodeWords } from '../repair-header.ts';
import { toOneLine } from '../unsafe-text.ts';
import { readAuthor } from './author.ts';
import { fieldsNamed, fieldValue, readHeaderSection, type HeaderSection } from './header-section.ts';
import { lineProblem } from './lines.ts';

/** Octets of ready-made mail. Most receivers take 25 MB; the contract's number for submission. */
export const MAX_RAW_OCTETS = 25 * 1024 * 1024;

/** Mail that can be sent as it is. */
interface RawMail {
  section: HeaderSection;
  /** The one address of From, and the field as text that parseMailbox reads. */
  from: { text: string; address: Address };
  /** Decoded, on one line; empty without one. */
  subject: string;
  /** The domain of Sender; empty if that is not one address, null without one. */
  senderDomain: string | null;
}

/** The mail, or what is wrong with it as the end of a sentence. */
export type RawResult = { ok: true; mail: RawMail } | { ok: false; problem: string };

/** Checks and reads ready-made mail. Pure; linear in its size. */
export function readRaw(raw: Buffer): RawResult {
  if (raw.length === 0) return refuse('must not be empty');
  if (raw.length > MAX_RAW_OCTETS)
    return refuse(`must be at most ${MAX_RAW_OCTETS / 1_048_576} MiB, decoded`);
  const lines = lineProblem(raw);
  if (lines !== null) return refuse(lines);
  const read = readHeaderSection(raw);
  if (!read.ok) return read;
  const { section } = read;
  const header = raw.subarray(0, section.bodyStart);
  if (!isAscii(header) && !isUtf8(header)) return refuse(NOT_UTF8);
  const [from, another] = fieldsNamed(section, 'from');
  if (!from) return refuse('has no From');
  if (another) return refuse('has more than one From');
  const author = readAuthor(fieldValue(raw, from));
  if (!author.ok) return refuse(`has a From that cannot be used: ${author.reason}`);
  if (isInLoop(section)) return refuse(LOOP);
  const [subject] = fieldsNamed(section, 'subject');
  return {
    ok: true,
    mail: {
      section,
      from: { text: mailboxText(author.address), address: author.address },
      subject: subject ? toOneLine(decodeWords(fieldValue(raw, subject))) : '',
      senderDomain: readSenderDomain(raw, section),
    },
  };
}

/** Whether mail has passed so many servers that it must be in a loop (RFC 5321 section 6.3). */
export function isInLoop(section: HeaderSection): boolean {
  return fieldsNamed(section, 'received').length > MAX_HOPS;
}

const LOOP = `has more than ${MAX_HOPS} Received fields: it is in a loop`;

const NOT_UTF8 =
  'has octets in its header that are neither ASCII nor UTF-8: write them as encoded words (RFC 2047)';

function readSenderDomain(raw: Buffer, section: HeaderSection): string | null {
  const [sender, another] = fieldsNamed(section, 'sender');
  if (!sender) return null;
  const read = another ? null : readAuthor(fieldValue(raw, sender));
  return read?.ok ? read.address.domain : '';
}

function mailboxText({ email, display }: Address): string {
  if (display === undefined) return email;
  const isPhrase = /^[\p{L}\p{M}\p{N} _-]+$/u.test(display);
  return `${isPhrase ? display : `"${display.replace(/["\\]/g, '\\$&')}"`} <${email}>`;
}

function refuse(problem: string): RawResult {
  return { ok: false, problem };
}
