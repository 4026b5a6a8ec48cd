// Mail as Postfix, swaks and our own sender put it on the wire, through the one reader of MIME.

import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { expect, test } from 'vitest';

import { parseMail } from '../../../core/mail/parse-mail.ts';
import { capturedDkimRecord, capturedMail, capturedNames } from '../../harness/captured-mail.ts';

interface Expected {
  subject: string;
  from: string;
  /** The whole text, or what it ends with. */
  text: string | RegExp;
  html?: RegExp;
  /** Content type, file name, and the content (in base64) or what is in it. */
  attachments?: [type: string, filename: string | undefined, content: string | RegExp][];
}

const STATUS = 'message/delivery-status';
const FULL = 'message/rfc822';
const HEADERS = 'text/rfc822-headers';
const BODY = /^Subject: Your order 1042$[^]*^your order 1042 is on its way\.$/m;
const NO_BODY = /^Subject: Your order 1042$(?![^]*on its way)/m;
const SUBJECTS = {
  failed: 'Undelivered Mail Returned to Sender',
  delayed: 'Delayed Mail (still being retried)',
  delivered: 'Successful Mail Delivery Report',
};

const report = (
  action: keyof typeof SUBJECTS,
  text: RegExp,
  status: RegExp,
  returned: typeof FULL | typeof HEADERS,
): Expected => ({
  subject: SUBJECTS[action],
  from: 'MAILER-DAEMON@example.test',
  text,
  attachments: [
    [STATUS, undefined, status],
    [returned, undefined, returned === FULL ? BODY : NO_BODY],
  ],
});

const EXPECTED: Record<string, Expected> = {
  'own-signed-multipart': {
    subject: 'Ihre Bestellung 1042 – Größe L, geliefert nach Köln, und ein Betreff, der gefaltet wird',
    from: 'shop@shop.test',
    text: 'Guten Tag Ann,\n\nIhre Bestellung 1042 ist unterwegs.\n.\nGrüße\n',
    html: /^<p>Guten Tag <b>Ann<\/b>,<\/p>\n<p>Ihre Bestellung <i>1042<\/i> ist unterwegs\. Grüße<\/p>\n<img src="https:/,
    attachments: [['application/octet-stream', 'Rechnung Größe.bin', 'AA0KLgr/']],
  },
  'postfix-delayed': report(
    'delayed',
    /<ann@closed\.test>: connect to .*: Connection refused\n$/,
    /^Action: delayed$/m,
    HEADERS,
  ),
  'postfix-expired': report('failed', /: Connection refused\n$/, /^Status: 4\.4\.1$/m, FULL),
  'postfix-mailbox-full': report(
    'failed',
    /\(in reply to end of DATA command\)\n$/,
    /^Status: 5\.2\.2$/m,
    FULL,
  ),
  'postfix-no-such-domain': report(
    'failed',
    /name=nowhere\.test type=A: Host not found\n$/,
    /^Status: 5\.4\.4$/m,
    FULL,
  ),
  'postfix-relayed': report('delivered', /queued as 4F2A91B3C\n$/, /^Action: relayed$/m, HEADERS),
  'postfix-user-unknown-full': report(
    'failed',
    /\(in reply to RCPT TO command\)\n$/,
    /^Original-Envelope-Id: order-1042$/m,
    FULL,
  ),
  'postfix-user-unknown-headers': report(
    'failed',
    /\(in reply to RCPT TO command\)\n$/,
    /^Status: 5\.1\.1$/m,
    HEADERS,
  ),
  'swaks-8bit-body': { subject: 'Eight bits', from: 'ann@example.test', text: 'Grüße aus Köln\n\n\n' },
  'swaks-attachment': {
    subject: 'The invoice',
    from: 'ann@example.test',
    text: 'See the invoice.\n',
    attachments: [
      [
        'application/pdf',
        'invoice.pdf',
        'JVBERi0xLjQKJeLjz9MNCjEgMCBvYmogPDw+PiBlbmRvYmoNdHJhaWxlciA8PD4+CiUlRU9GCg==',
      ],
    ],
  },
  'swaks-html-and-text': {
    subject: 'In two forms',
    from: 'ann@example.test',
    text: 'Grüße, Ann\n',
    html: /^<html><body><p>Grüße, <b>Ann<\/b><\/p><\/body><\/html>\n$/,
  },
  'swaks-plain': {
    subject: 'A question',
    from: 'ann@example.test',
    text: 'Where is my order?\n.hidden\n\nAnn\n\n\n',
  },
  'swaks-utf8-subject': {
    subject: 'Grüße aus Köln – 注文',
    from: 'ann@example.test',
    text: 'The subject is UTF-8 without encoding.\n\n\n',
  },
};

test('every captured message has an expectation here', () => {
  expect(Object.keys(EXPECTED)).toEqual(capturedNames());
});

test.each(Object.entries(EXPECTED))('%s', async (name, { subject, from, text, html, attachments = [] }) => {
  const mail = await parseMail(capturedMail(name));
  expect(mail.subject).toBe(subject);
  expect(mail.from?.value.map(({ address }) => address)).toEqual([from]);
  if (typeof text === 'string') expect(mail.text).toBe(text);
  else expect(mail.text).toMatch(text);
  if (html) expect(mail.html).toMatch(html);
  else expect(mail.html ?? false).toBe(false);
  expect(mail.attachments.map(({ contentType, filename }) => [contentType, filename])).toEqual(
    attachments.map(([type, filename]) => [type, filename]),
  );
  for (const [at, [, , content]] of attachments.entries()) {
    const bytes = mail.attachments[at]!.content;
    if (typeof content === 'string') expect(bytes.toString('base64')).toBe(content);
    else expect(bytes.toString('latin1').replaceAll('\r\n', '\n')).toMatch(content);
  }
});

test('what our sender signed verifies from the kept bytes, and not with a byte changed', async () => {
  const name = 'own-signed-multipart';
  const resolver = (asked: string) =>
    asked === 'pr7f59c1a4._domainkey.shop.test'
      ? Promise.resolve([[capturedDkimRecord(name)]])
      : Promise.reject(Object.assign(new Error(asked), { code: 'ENOTFOUND' }));
  const resultOf = async (raw: Buffer) => (await dkimVerify(raw, { resolver })).results[0]!.status.result;
  const raw = capturedMail(name);
  expect(await resultOf(raw)).toBe('pass');
  const changed = Buffer.from(raw.toString('latin1').replace('unterwegs', 'unterweg5'), 'latin1');
  expect(await resultOf(changed)).not.toBe('pass');
});
