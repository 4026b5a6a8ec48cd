// Reports as other servers write them.

/** A delivery status notification (RFC 3464) as Postfix writes it. */
export function dsnReport(recipient: string, status: string, diagnostic: string, action = 'failed'): string {
  return lines(
    'From: MAILER-DAEMON@mx.remote.test (Mail Delivery System)',
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="AB/mx.remote.test"',
    '',
    'This is a MIME-encapsulated message.',
    '',
    '--AB/mx.remote.test',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'This is the mail system at host mx.remote.test.',
    '',
    `<${recipient}>: host inner.remote.test[192.0.2.1] said: ${diagnostic} (in reply to RCPT TO command)`,
    '',
    '--AB/mx.remote.test',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.remote.test',
    '',
    `Final-Recipient: rfc822; ${recipient}`,
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${diagnostic}`,
    '',
    '--AB/mx.remote.test',
    'Content-Type: message/rfc822',
    '',
    'Subject: Hello',
    '',
    'Body',
    '--AB/mx.remote.test--',
  );
}

/** A feedback report (RFC 5965) about mail with this envelope sender. */
export function arfReport(returnPath: string, feedbackType: string): string {
  return lines(
    'From: fbl@provider.test',
    'Subject: FW: Hello',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary="part"',
    '',
    '--part',
    'Content-Type: text/plain',
    '',
    'This is an email abuse report.',
    '',
    '--part',
    'Content-Type: message/feedback-report',
    '',
    `Feedback-Type: ${feedbackType}`,
    'User-Agent: SomeGenerator/1.0',
    'Version: 1',
    `Original-Mail-From: <${returnPath}>`,
    '',
    '--part',
    'Content-Type: message/rfc822',
    '',
    'From: shop@example.test',
    'Subject: Hello',
    '',
    'Body',
    '--part--',
  );
}

/** What a report returns of a message of ours, without its return path. */
export interface Returned {
  messageId: string;
  to: string;
  unsubscribeUrl?: string;
}

/** Microsoft's Junk Mail Reporting Program: no ARF; the recipient in a field on top of the mail itself. */
export function jmrpReport(returned: Returned, recipient: string | null): string {
  return lines(
    'From: <staff@hotmail.com>',
    'Subject: complaint about message from 192.0.2.1',
    'Date: Sat, 21 Nov 2026 03:05:13 +0000',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="EDE16A92-B9E1-4C4E-BA0E-5F2A7B0C2D77"',
    'Message-ID: <JMR-DP7T7PR21MB3467@DP7T7PR21MB3467.namprd21.prod.outlook.com>',
    '',
    '--EDE16A92-B9E1-4C4E-BA0E-5F2A7B0C2D77',
    'Content-Type: message/rfc822',
    'Content-Disposition: inline',
    '',
    ...(recipient === null ? [] : [`X-HmXmrOriginalRecipient: ${recipient}`]),
    'X-MS-Exchange-EOPDirect: true',
    'Received: from mx1.example.test (192.0.2.1) by mail.protection.outlook.com with SMTP; Sat, 21 Nov 2026 03:00:00 +0000',
    ...returnedMail(returned),
    '',
    '--EDE16A92-B9E1-4C4E-BA0E-5F2A7B0C2D77--',
  );
}

/** AOL's ARF: the recipient is taken out everywhere, and so is the return path. */
export function aolReport(returned: Returned): string {
  return arf(
    ['Feedback-Type: abuse', 'User-Agent: AOL SComp', 'Version: 0.1', 'Source-IP: 192.0.2.1'],
    'message/rfc822',
    [
      'Received: from mx1.example.test (192.0.2.1) by mtain-dh.mx.aol.com with ESMTP; Sat, 21 Nov 2026 03:00:00 +0000',
      ...returnedMail({ ...returned, to: 'redacted@aol.com' }),
    ],
  );
}

/** Yahoo's Complaint Feedback Loop. */
export function yahooReport(returned: Returned, recipient: string): string {
  return arf(
    [
      'Feedback-Type: abuse',
      'User-Agent: Yahoo!-Mail-Feedback/2.0',
      'Version: 0.1',
      `Original-Mail-From: <>`,
      `Original-Rcpt-To: ${recipient}`,
      'Received-Date: Sat, 21 Nov 2026 03:00:00 PST',
      'Reported-Domain: example.test',
    ],
    'message/rfc822',
    [`X-Apparently-To: ${recipient}; Sat, 21 Nov 2026 03:00:00 +0000`, ...returnedMail(returned)],
  );
}

/** An ARF report of somebody who writes `text/rfc822-header`, and a Message-ID without brackets. */
export function plainReport(returned: Returned, recipient?: string): string {
  return arf(
    [
      'Feedback-Type: abuse',
      'User-Agent: ARF-Agent/1.0',
      'Version: 1',
      ...(recipient === undefined ? [] : [`Removal-Recipient: ${recipient}`]),
    ],
    'text/rfc822-header',
    returnedMail({ ...returned, messageId: returned.messageId.replace(/[<>]/g, '') }),
  );
}

function returnedMail({ messageId, to, unsubscribeUrl }: Returned): string[] {
  return [
    'From: "Shop" <shop@example.test>',
    `To: ${to}`,
    'Subject: Hello',
    `Message-ID: ${messageId}`,
    'Date: Sat, 21 Nov 2026 02:59:59 +0000',
    'Feedback-ID: :tnt:transactional:postrider',
    ...(unsubscribeUrl === undefined ? [] : [`List-Unsubscribe: <${unsubscribeUrl}>`]),
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Body',
  ];
}

function arf(feedback: string[], returnedType: string, returned: string[]): string {
  return lines(
    'From: <fbl@provider.test>',
    'Subject: Email Feedback Report for IP 192.0.2.1',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report;',
    ' boundary="boundary-1138-29572-2659438-36026"',
    '',
    '--boundary-1138-29572-2659438-36026',
    'Content-Type: text/plain; charset="US-ASCII"',
    '',
    'This is an email abuse report for an email message received from IP 192.0.2.1',
    '',
    '--boundary-1138-29572-2659438-36026',
    'Content-Disposition: inline',
    'Content-Type: message/feedback-report',
    '',
    ...feedback,
    '',
    '--boundary-1138-29572-2659438-36026',
    'Content-Disposition: inline',
    `Content-Type: ${returnedType}`,
    '',
    ...returned,
    '',
    '--boundary-1138-29572-2659438-36026--',
  );
}

function lines(...text: string[]): string {
  return `${text.join('\r\n')}\r\n`;
}
