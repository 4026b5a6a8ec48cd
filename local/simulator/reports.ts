// The two reports that mailbox providers send back: a DSN (RFC 3464, in the multipart/report of RFC 6522) for a
// message that could not be delivered after all, and an ARF report (RFC 5965) for one that was called spam.

import { randomBytes } from 'node:crypto';

import { nowDate } from '../../core/base/clock.ts';
import type { ReportedMessage } from './smtp-server.ts';
import { SIMULATOR_DOMAIN, SIMULATOR_HOST } from './zone.ts';

/** A report with its envelope. */
export interface Report {
  /** Empty: the null sender of a DSN (RFC 5321 section 4.5.5). */
  mailFrom: string;
  rcptTo: string;
  raw: string;
}

/** Where complaints about a message go: an address at the domain of its return path. */
export function complaintAddress(returnPath: string): string {
  return `complaints@${returnPath.slice(returnPath.lastIndexOf('@') + 1)}`;
}

/** The DSN about a message that was accepted and then could not be delivered; none for a message that is a DSN. */
export function makeDsn(message: ReportedMessage): Report | undefined {
  if (message.mailFrom === '') return undefined; // RFC 5321 section 6.1: no notice about a notice
  const status = [
    `Reporting-MTA: dns; ${SIMULATOR_HOST}`,
    `Arrival-Date: ${dateText()}`,
    '',
    `Final-Recipient: rfc822; ${message.rcptTo}`,
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 The mailbox does not exist',
    `Last-Attempt-Date: ${dateText()}`,
  ];
  const raw = multipartReport({
    type: 'delivery-status',
    from: `Mail Delivery System <MAILER-DAEMON@${SIMULATOR_DOMAIN}>`,
    to: message.mailFrom,
    subject: 'Undelivered mail returned to sender',
    extraHeaders: ['Auto-Submitted: auto-replied'],
    text: `Your message to ${message.rcptTo} could not be delivered: the mailbox does not exist.`,
    machine: { type: 'message/delivery-status', lines: status },
    original: headersOf(message.raw),
  });
  return { mailFrom: '', rcptTo: message.mailFrom, raw };
}

/** The report of a complaint about a message; none when its return path names nobody. */
export function makeArf(message: ReportedMessage): Report | undefined {
  if (message.mailFrom === '') return undefined;
  const rcptTo = complaintAddress(message.mailFrom);
  const feedback = [
    'Feedback-Type: abuse',
    'User-Agent: MailboxSimulator/1.0',
    'Version: 1',
    `Original-Mail-From: <${message.mailFrom}>`,
    `Original-Rcpt-To: <${message.rcptTo}>`,
    `Arrival-Date: ${dateText()}`,
    `Reporting-MTA: dns; ${SIMULATOR_HOST}`,
    'Source-IP: 127.0.0.1',
  ];
  const mailFrom = `feedback@${SIMULATOR_DOMAIN}`;
  const raw = multipartReport({
    type: 'feedback-report',
    from: `Feedback Loop <${mailFrom}>`,
    to: rcptTo,
    subject: 'Complaint about a message',
    extraHeaders: ['Auto-Submitted: auto-generated'],
    text: `${message.rcptTo} called the message below spam.`,
    machine: { type: 'message/feedback-report', lines: feedback },
    original: headersOf(message.raw),
  });
  return { mailFrom, rcptTo, raw };
}

interface Parts {
  type: 'delivery-status' | 'feedback-report';
  from: string;
  to: string;
  subject: string;
  extraHeaders: string[];
  text: string;
  machine: { type: string; lines: string[] };
  original: string;
}

function multipartReport(parts: Parts): string {
  const boundary = `=_${randomBytes(12).toString('hex')}`;
  return [
    `From: ${parts.from}`,
    `To: <${parts.to}>`,
    `Subject: ${parts.subject}`,
    `Date: ${dateText()}`,
    `Message-ID: <${randomBytes(12).toString('hex')}@${SIMULATOR_HOST}>`,
    ...parts.extraHeaders,
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${parts.type};\r\n boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    parts.text,
    '',
    `--${boundary}`,
    `Content-Type: ${parts.machine.type}`,
    '',
    ...parts.machine.lines,
    '',
    `--${boundary}`,
    'Content-Type: text/rfc822-headers',
    '',
    parts.original,
    '',
    `--${boundary}--`,
    '',
  ].join('\r\n');
}

/** Everything before the first empty line. */
function headersOf(raw: Buffer): string {
  const end = raw.indexOf('\r\n\r\n');
  return raw.toString('utf8', 0, end < 0 ? raw.length : end);
}

function dateText(): string {
  return nowDate().toUTCString().replace('GMT', '+0000'); // RFC 5322 section 3.3
}
