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

function lines(...text: string[]): string {
  return `${text.join('\r\n')}\r\n`;
}
