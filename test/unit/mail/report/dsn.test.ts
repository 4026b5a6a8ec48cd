import { describe, expect, test } from 'vitest';

import { readReportParts } from '../../../../core/mail/report/dsn-mime.ts';
import { readReport } from '../../../../core/mail/report/dsn.ts';
import type { ReportedRecipient } from '../../../../core/mail/report/judge-recipient.ts';
import { dsnReport } from '../../../harness/report-mail.ts';
import { threadMsOf } from '../../../harness/thread-time.ts';

const read = (text: string) => readReport(Buffer.from(text.replace(/\r?\n/g, '\r\n'), 'utf8'));
const first = async (text: string): Promise<ReportedRecipient> => {
  const report = await read(text);
  if (report.kind !== 'dsn') throw new Error(`read as ${report.kind}`);
  return report.recipients[0]!;
};

describe('standard reports', () => {
  test.each([
    ['5.1.1', '550 5.1.1 User unknown', 'failed', 'hard', 'invalid_recipient', true],
    ['5.2.2', '552 5.2.2 Mailbox full', 'failed', 'soft', 'mailbox_full', false],
    ['5.7.1', '554 5.7.1 blocked using zen.spamhaus.org', 'failed', 'soft', 'reputation_block', false],
    ['5.2.1', '550 5.2.1 The account is disabled', 'failed', 'soft', 'inactive_mailbox', false],
    ['4.4.1', '421 4.4.1 busy', 'delayed', 'soft', 'connection', false],
    ['5.0.0', '550 User unknown', 'failed', 'hard', 'invalid_recipient', true],
  ])('%s %s %s', async (status, diagnostic, action, kind, bounceClass, suppresses) => {
    const about = await first(dsnReport('ann@remote.test', status, diagnostic, action));
    expect(about).toMatchObject({ address: 'ann@remote.test', kind, class: bounceClass, suppresses });
    expect(about.outcome).toBe(action);
  });

  test('success is no bounce', async () => {
    expect(await first(dsnReport('a@b.test', '2.0.0', '250 ok', 'delivered'))).toMatchObject({
      outcome: 'delivered',
      suppresses: false,
    });
  });
});

test('qmail', async () => {
  const about = await first(`From: MAILER-DAEMON@mx.test
Subject: failure notice

Hi. This is the qmail-send program at mx.test.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<gone@remote.test>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

Return-Path: <b@c.test>
Subject: 550 5.2.2 mailbox full
`);
  expect(about).toMatchObject({ address: 'gone@remote.test', kind: 'hard', class: 'invalid_recipient' });
});

test('Exim, and what was refused only after the message was seen', async () => {
  const exim = (stage: string, reply: string) => `From: Mail Delivery System <Mailer-Daemon@mx.test>
Subject: Mail delivery failed: returning message to sender
X-Failed-Recipients: ann@remote.test

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ann@remote.test
    SMTP error from remote mail server after ${stage}:
    host mx.remote.test [192.0.2.1]: ${reply}

------ This is a copy of the message, including all the headers. ------

Subject: x
`;
  expect(await first(exim('RCPT TO:<ann@remote.test>', '550 no such user'))).toMatchObject({
    kind: 'hard',
    smtpCode: 550,
  });
  expect(await first(exim('end of data', '550 no such user'))).toMatchObject({ kind: 'soft' });
  expect(await first(exim('MAIL FROM:<x@y.test>', '550 5.1.8 sender unknown'))).toMatchObject({
    kind: 'soft',
  });
});

test('Postfix of old, and Exchange', async () => {
  expect(
    await first(`From: MAILER-DAEMON@mx.test (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender

This is the Postfix program at host mx.test.

<ann@remote.test>: host mx.remote.test[192.0.2.1] said: 550 5.1.1
    <ann@remote.test>: Recipient address rejected: User unknown (in reply to
    RCPT TO command)
`),
  ).toMatchObject({ address: 'ann@remote.test', kind: 'hard', enhancedCode: '5.1.1' });
  expect(
    await first(`From: System Administrator <postmaster@remote.test>
Subject: Undeliverable: Hello

Your message

  To: ann@remote.test
  Subject: Hello

did not reach the following recipient(s):

ann@remote.test on Thu, 29 Apr 2010 00:00:00 -0000
    The recipient name is not recognized
    MSEXCH:IMS:X:Y:Z 0 (000C05A6) Unknown Recipient
`),
  ).toMatchObject({ address: 'ann@remote.test', kind: 'hard', class: 'invalid_recipient' });
});

test('automatic answers and ordinary mail are no bounces', async () => {
  expect(
    (await read('From: a@b.test\nSubject: Out of office\n\nI am away; mail to me could not be read.\n')).kind,
  ).toBe('auto_reply');
  expect(
    (await read('From: a@b.test\nAuto-Submitted: auto-replied\nSubject: Thanks\n\nGot it.\n')).kind,
  ).toBe('auto_reply');
  expect(
    (await read('From: ann@b.test\nSubject: Lunch?\n\nYour mail bounced, user unknown, so I write again.\n'))
      .kind,
  ).toBe('other');
  expect((await read('')).kind).toBe('other');
});

test('MIME as it should not be', async () => {
  const text = async (raw: string) => JSON.stringify(await readReportParts(Buffer.from(raw, 'latin1')));
  expect(await text('Content-Type: multipart/mixed; boundary=x\n\n--x\nno header at all\n--x')).toContain(
    'no header at all',
  );
  expect(await text('Content-Type: multipart/mixed; boundary=x\n\nno boundary ever')).toContain(
    'no boundary ever',
  );
  expect(await text('Content-Type: text/plain; charset=x-nonsense\n\nna\xefve')).toContain('naïve');
  expect(await text('Content-Transfer-Encoding: base64\n\naGVsbG8=')).toContain('hello');
  expect(await text('Content-Transfer-Encoding: quoted-printable\n\nhel=\nlo=21')).toContain('hello!');
  const deep = Array.from(
    { length: 500 },
    (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\n\n--b${i}`,
  );
  expect((await readReport(Buffer.from(deep.join('\n')))).kind).toBe('other');
});

test('bytes made to hurt take no time', async () => {
  for (const piece of [
    '<a@b.c>: ',
    'a@b.c\n',
    '550 ',
    '--',
    '<',
    '>>> DATA\n<<< 5',
    ' \n',
    'Final-Recipient: x\n\n',
    '=\n',
    '\0',
  ]) {
    const mail = Buffer.from(
      `From: MAILER-DAEMON\nSubject: failure notice\n\n${piece.repeat(200_000 / piece.length)}`,
    );
    expect(await threadMsOf(() => readReport(mail)), piece).toBeLessThan(4_000);
  }
});
