// Mail with one odd line in a header, and how it should be read: for the lane of readers and for the matrix in `npm test`.

import type { ParseResult } from '../../inbound/parse/parse-job.ts';
import { arfReport, dsnReport } from './report-mail.ts';

/** Names of header fields that a reader looks at, and three that are keys of every JavaScript object. */
export const ODD_FIELDS = [
  ...(['Content-Type', 'Content-Disposition', 'Content-Transfer-Encoding', 'Content-ID'] as const),
  ...(['MIME-Version', 'From', 'To', 'Cc', 'Reply-To', 'Return-Path', 'Subject', 'Date'] as const),
  ...(['Message-ID', 'References', 'List-Unsubscribe', 'X-Priority', 'DKIM-Signature'] as const),
  ...(['Auto-Submitted', '__proto__', 'constructor', 'List-__proto__', ''] as const),
] as const;

/** Values that no such field should have; each character is an octet. */
export const ODD_VALUES = [
  ...([
    '',
    ' ',
    ';',
    ';;',
    '; name=x',
    '"',
    '\\',
    '""',
    '";"',
    '=',
    '=;=',
    '/',
    'a/',
    '/a',
    'a',
    'a/b/c',
  ] as const),
  ...(['text', 'text/plain; charset', 'text/plain; charset=""', 'text/plain; charset=__proto__'] as const),
  ...(['text/plain; charset=hex', 'text/plain; charset=iso-2022-jp', 'text/html', 'TEXT/HTML; a'] as const),
  ...(['text/plain; format', 'text/plain; format=flowed; delsp=yes', 'text/plain (a)', 'multipart'] as const),
  ...([
    'multipart/',
    'multipart/mixed',
    'multipart/mixed; boundary',
    'multipart/mixed; boundary=""',
  ] as const),
  ...(['multipart/mixed; boundary=x', 'multipart/mixed; boundary="x', 'message/rfc822'] as const),
  ...(['message/partial; id=a; number=1', 'message/delivery-status', 'message/feedback-report'] as const),
  ...([
    'application/octet-stream; name="a.__proto__"',
    'attachment; filename',
    'inline; filename=a',
  ] as const),
  ...(['attachment; filename="\\', "attachment; filename*=x'y'%", 'attachment; __proto__=x'] as const),
  ...(["attachment; filename*0*=utf-8''%FF; filename*2=b", '=?utf-8?q?attachment?=', '=?x?q?=ff?='] as const),
  ...(['=?utf-8?b?////?=', '=?utf-8?b?IjxhQGI+LDxjQGQ+Og==?=', 'base64', 'BASE64 (', 'x-uuencode'] as const),
  ...([
    '<>',
    '<',
    '@',
    'a@',
    'a:;',
    ':',
    'a@xn--',
    '(((',
    '<mailto:>',
    '0',
    'NaN',
    '\xff\x80',
    '\0',
  ] as const),
] as const;

/** Where the odd line is. */
export const ODD_PLACES = ['message', 'part', 'returned', 'status', 'complaint'] as const;

/** Mail with the lines, which must not be empty, at a place. The content of the part is `QUJD`. */
export function oddMail(place: (typeof ODD_PLACES)[number], lines: readonly string[]): Buffer {
  const line = lines.join('\r\n');
  return Buffer.from(MAKERS[place](line), 'latin1');
}

const part = (line: string) =>
  [
    ...['From: Ann <ann@sender.test>', 'Subject: Hello', 'Content-Type: multipart/mixed; boundary=b', ''],
    ...['--b', '', 'Text', '--b', line, '', 'QUJD', '--b--', ''],
  ].join('\r\n');

const MAKERS: Record<(typeof ODD_PLACES)[number], (line: string) => string> = {
  message: (line) => `From: Ann <ann@sender.test>\r\nSubject: Hello\r\n${line}\r\n\r\nText\r\n`,
  part,
  returned: (line) => part(`Content-Type: message/rfc822\r\n\r\n${line}`),
  status: (line) => STATUS.replace('Content-Type: message/delivery-status', () => line),
  complaint: (line) => COMPLAINT.replace('Content-Type: text/plain', () => line),
};

const STATUS = dsnReport('ann@sink.test', '5.1.1', '550 5.1.1 User unknown');
const COMPLAINT = arfReport('ann@sender.test', 'abuse');

const TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;

/** What is wrong with how a message was read that has one From; null when nothing is. */
export function misread({ content, report, aggregate }: ParseResult): string | null {
  if (report?.kind === 'unreadable') return 'a report is unreadable';
  if (aggregate && /parser|cannot be read/.test(aggregate.problem ?? '')) return aggregate.problem;
  if (!content) return null;
  const { parseError, subject, text, html, headerFrom, headerTo, headerCc, attachments } = content;
  if (parseError !== null && !parseError.includes('From fields')) return parseError;
  const texts = [
    ...[subject, text, html, headerFrom, ...headerTo, ...headerCc],
    ...attachments.flatMap(({ filename, content_type: type }) => [filename, type]),
    ...content.headers.flatMap(({ name, value }) => [name, value]),
  ].filter((one) => one !== null);
  if (!texts.every((one) => typeof one === 'string' && !one.includes('\0') && one.isWellFormed()))
    return 'a text is none, or cannot be stored';
  const wrong = attachments.find(({ content_type: type }) => !TYPE.test(type));
  return wrong ? `an attachment has the type ${JSON.stringify(wrong.content_type)}` : null;
}
