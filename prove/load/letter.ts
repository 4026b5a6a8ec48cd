// What is written in the mail of a run: small, different each time, with lines that begin with a dot.

import { hashContent, MARK, sha256 } from '../content.ts';

/** A message before it is sent. */
export interface Letter {
  /** `Shop <shop@…>` */
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string | null;
  /** A file, where the way to send takes one. */
  attachment: { filename: string; type: string; content: string } | null;
  /** A header of its own, where the way to send takes one. */
  mark: string | null;
}

const WORDS = 'receipt order parcel invoice reminder welcome code summary'.split(' ');

/** Writes one. `random` decides about its length and whether it has HTML. */
export function writeLetter(domain: string, to: string[], name: string, random: () => number): Letter {
  const word = WORDS[Math.floor(random() * WORDS.length)]!;
  const text = linesOf(1 + Math.floor(random() * 20), random).join('\n');
  return {
    from: `Shop <shop@${domain}>`,
    to,
    subject: `Your ${word} ${name}`,
    text,
    html: random() < 0.3 ? `<h1>Your ${word}</h1><p>${text.replaceAll('\n', '<br>')}</p>` : null,
    attachment:
      random() < 0.1 ? { filename: `${word}.csv`, type: 'text/csv', content: `${name};${random()}\n` } : null,
    mark: name,
  };
}

/** What each of its recipients reads, as a hash. */
export function hashLetter({ attachment, ...letter }: Letter): string {
  const attachments = attachment
    ? [{ filename: attachment.filename, type: attachment.type, sha256: sha256(attachment.content) }]
    : [];
  return hashContent({ ...letter, attachments });
}

/** The same as it is submitted over SMTP: every line ends with CR LF. */
export function toMime(
  { from, to, subject, text, mark }: Omit<Letter, 'html' | 'attachment'>,
  more: string[] = [],
): Buffer {
  const marks = mark === null ? [] : [`${MARK}: ${mark}`];
  const head = [`From: ${from}`, `To: ${to.join(', ')}`, `Subject: ${subject}`, ...marks, ...more];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text.replaceAll('\n', '\r\n')}\r\n`);
}

/** Lines of text, some of which begin with a dot (RFC 5321 section 4.5.2). */
export function linesOf(count: number, random: () => number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const dots = random() < 0.1 ? '.'.repeat(1 + Math.floor(random() * 3)) : '';
    return `${dots}${n} ${'abcdefghijklmnopqrstuvwxyz'.repeat(2).slice(0, Math.floor(random() * 50))}`;
  });
}
