// Wordings that no row and no fixture has: what is read is the meaning.

import { describe, expect, test } from 'vitest';

import { classifyBounce } from '../../../../core/mail/bounce/classify-bounce.ts';
import { readReport } from '../../../../core/mail/report/dsn.ts';
import type { ReportedRecipient } from '../../../../core/mail/report/judge-recipient.ts';
import { parseReply } from '../../../../core/mail/smtp-reply.ts';
import { dsnReport } from '../../../harness/report-mail.ts';

const ANN = 'ann@remote.test';
const live = (reply: string) => classifyBounce({ reply: parseReply(reply, 'RCPT')! });

async function recipients(mail: string): Promise<ReportedRecipient[]> {
  const report = await readReport(Buffer.from(mail.replace(/\r?\n/g, '\r\n'), 'utf8'));
  if (report.kind !== 'dsn') throw new Error(`read as ${report.kind}`);
  return report.recipients;
}

async function plain(
  words: string,
  subject = 'Undelivered mail',
  type = 'text/plain',
): Promise<ReportedRecipient> {
  const mail = `From: Mailer-Daemon@mx.test\nSubject: ${subject}\nContent-Type: ${type}; charset=utf-8\n\n${words}\n`;
  return (await recipients(mail))[0]!;
}

describe('the same words mean the same at delivery and in a report', () => {
  test.each([
    ['550 5.1.1 Nobody here: user unknown', 'invalid_recipient', true],
    ['550 5.4.1 Recipient address rejected: Access denied', 'invalid_recipient', true],
    ['550 5.2.1 This mailbox was disabled by its administrator', 'inactive_mailbox', false],
    ['552 5.2.2 Mailbox of the addressee is over its limit of storage', 'mailbox_full', false],
    ['554 5.7.1 Your host 192.0.2.1 was blocked', 'reputation_block', false],
    ['556 5.1.10 This domain accepts no mail', 'null_mx', true],
    ['550 Server does not accept mail at this time', 'uncategorized', false],
    ['550 We accept no mail from 192.0.2.1', 'uncategorized', false],
    ['550 5.1.1 You are not on the list of approved senders: blocked by the recipient', 'policy', false],
    ['550 5.1.1 Too many unknown recipients, slow down', 'rate_limited', false],
    ['550 5.1.1 Message violates local policy', 'policy', false],
    ['550 the moon is in the wrong house', 'uncategorized', false],
    ['550 5.2.1 <ann@remote.test>... User Unknown', 'invalid_recipient', true],
    ['550 5.2.1 no such user here', 'invalid_recipient', true],
    ['550 5.2.1 unknown or disabled mailbox', 'inactive_mailbox', false],
    ['550 Mailbox unavailable', 'invalid_recipient', true],
    [
      "550 5.1.0 - Unknown address error 550-'5.1.1 <ann@remote.test>: User unknown'",
      'invalid_recipient',
      true,
    ],
    ['550 5.1.1 undeliverable address: host mx.inner.test said: 550 5.7.1 blocked', 'policy', false],
    ['550 5.0.1 Recipient rejected', 'invalid_recipient', true],
    [
      '550 Message was not accepted -- invalid mailbox. Local mailbox ann@remote.test is unavailable: user not found',
      'invalid_recipient',
      true,
    ],
  ])('%s', async (reply, bounceClass, suppresses) => {
    const kind = suppresses ? 'hard' : 'soft';
    const status = /\d\.\d+\.\d+/.exec(reply)?.[0] ?? '5.0.0';
    const [about] = await recipients(dsnReport(ANN, status, reply));
    expect(live(reply)).toMatchObject({ class: bounceClass, kind, suppresses });
    expect(about).toMatchObject({ class: bounceClass, kind, suppresses, outcome: 'failed' });
  });

  test('"no such user" after the message is no word about the address, by either way', async () => {
    const reply = { code: 550, enhanced: null, text: 'no such user' };
    expect(classifyBounce({ reply, command: 'DOT' })).toMatchObject({ kind: 'soft', suppresses: false });
    const report = dsnReport(ANN, '5.0.0', '550 no such user').replace(
      'reply to RCPT TO',
      'reply to end of DATA',
    );
    expect((await recipients(report))[0]).toMatchObject({ kind: 'soft', suppresses: false });
  });
});

describe('delay notices', () => {
  test.each([
    `Your mail to ${ANN} is still queued here. We will go on trying for another day.`,
    `${ANN}: delivery has been temporarily postponed (550 try later). Nothing to do for you.`,
    `This is only a warning. Not yet delivered to:\n\n${ANN}`,
    `${ANN} has not yet been delivered.\nTLS session: certificate has expired\nDelivery attempts will continue.`,
    `Delivery to ${ANN} failed temporarily: 450 4.7.1 Greylisted. Next attempt in 30 minutes.`,
    `We will go on for three days before giving up on ${ANN}. You will hear if delivery permanently fails; not yet delivered.`,
    `Die Nachricht an ${ANN} wurde noch nicht zugestellt.`,
    `Su mensaje para ${ANN} ha sido aplazado; se seguirá intentando.`,
  ])('%s', async (words) => {
    expect(await plain(words, 'Mail delivery problem')).toMatchObject({
      outcome: 'delayed',
      kind: 'soft',
      suppresses: false,
    });
  });

  test.each(['delayed', 'relayed', 'delivered', 'expanded'])(
    'Action: %s never ends a message',
    async (action) => {
      const [about] = await recipients(dsnReport(ANN, '5.1.1', '550 5.1.1 User unknown', action));
      expect(about!.outcome).not.toBe('failed');
      expect(about!.suppresses).toBe(false);
    },
  );

  test('a notice without any permanent sign ends nothing', async () => {
    const words = `<${ANN}>:\n451 4.3.0 the queue of this host is long today`;
    expect(await plain(words, 'Mail status')).toMatchObject({ outcome: 'delayed' });
  });

  test('a last report that tells of earlier delays has failed', async () => {
    const words = `We will keep you posted no longer: after several delays we have given up on ${ANN}.`;
    expect(await plain(words)).toMatchObject({ outcome: 'failed' });
    const expired = `The message was deferred for five days and has expired: <${ANN}>`;
    expect(await plain(expired)).toMatchObject({ outcome: 'failed', class: 'timeout' });
  });
});

describe('a sentence instead of a code', () => {
  test.each([
    `Your mail did not arrive, because the account you entered could not be found.\n\n${ANN}`,
    `Unknown recipient: <${ANN}>`,
    `<${ANN}>:\n550: <${ANN}>: No such account`,
    `Could not deliver to ${ANN}\n\nSorry, there is no person by that name.\n\n${ANN}`,
  ])('%s', async (words) => {
    expect(await plain(words)).toMatchObject({ address: ANN, class: 'invalid_recipient', kind: 'hard' });
  });

  test('a scrap that a gateway may put for anything is not enough', async () => {
    expect(await plain(`<${ANN}>:\nuser unknown`)).toMatchObject({
      class: 'invalid_recipient',
      kind: 'soft',
    });
  });
});

test.each([
  'We are giving up on this message',
  'all hosts of remote.test have been failing for days',
  'We could not deliver it for the last 259200 seconds',
  'Not delivered after 14 attempts',
  'Maximum number of delivery attempts reached',
  'It was in the queue for too long',
])('expired: %s', async (words) => {
  expect(await plain(`<${ANN}>:\n${words}`)).toMatchObject({
    class: 'timeout',
    kind: 'soft',
    outcome: 'failed',
  });
});

test.each([
  'see the entry of your address at Barracuda',
  '[192.0.2.1] rejected by SORBS',
  'UCEPROTECT-Network has you on level 3',
  'blocked using zen',
  'Your IP 192.0.2.1 is currently blocklisted',
  'found on bl.example.net: listed',
])('a block list: %s', (words) => {
  expect(live(`550 5.1.1 ${words}, user unknown`)).toMatchObject({
    class: 'reputation_block',
    suppresses: false,
  });
});

test.each([
  'Das Konto des Nutzers ist voll',
  'Boite aux lettres saturée',
  'La casilla del usuario está llena',
  'Caixa de entrada lotada',
  'Casella di posta esaurita',
  'Mailbox van gebruiker zit vol',
  'Skrzynka pocztowa przepełniona',
  'Ящик адресата переполнен',
  'メールボックスが満杯です',
  '該用戶郵箱空間不足',
  '메일함이 가득 찼습니다',
])('a full mailbox: %s', (words) => {
  expect(live(`550 5.1.1 ${words}`)).toMatchObject({
    class: 'mailbox_full',
    kind: 'soft',
    suppresses: false,
  });
});

describe('forms', () => {
  test('lines of a transcript are about the recipient whose address stands on them', async () => {
    const found = await recipients(`From: MAILER-DAEMON@mx.test
Subject: Returned mail

   ----- The following addresses had permanent fatal errors -----
<one@remote.test>
<two@remote.test>

   ----- Transcript of session follows -----
>>> RCPT To:<two@remote.test>
<<< 552 5.2.2 <two@remote.test> is over quota
>>> RCPT To:<one@remote.test>
<<< 550 5.1.1 <one@remote.test> has left us: no such person
`);
    expect(found.map(({ address, class: bounceClass }) => [address, bounceClass])).toEqual([
      ['one@remote.test', 'invalid_recipient'],
      ['two@remote.test', 'mailbox_full'],
    ]);
  });

  test('two recipients of a status without an empty line between them', async () => {
    const second = 'Final-Recipient: rfc822; bob@remote.test\r\nAction: delayed\r\nStatus: 4.2.2\r\n';
    const found = await recipients(dsnReport(ANN, '5.1.1', `550 5.1.1 User unknown\r\n${second.trimEnd()}`));
    expect(found).toMatchObject([
      { address: ANN, outcome: 'failed', kind: 'hard' },
      { address: 'bob@remote.test', outcome: 'delayed', class: 'mailbox_full' },
    ]);
  });

  test('HTML alone, with a style sheet', async () => {
    const html = `<html><head><style>p { color: red }</style></head><body><p>Delivery to <a href="mailto:${ANN}">
${ANN}</a> failed.</p><table><tr><td>This mailbox&nbsp;is full</td></tr></table></body></html>`;
    expect(await plain(html, 'Undeliverable: x', 'text/html')).toMatchObject({ class: 'mailbox_full' });
  });

  test('Lotus Notes says the reason above the address', async () => {
    const words = `------- Failure Reasons  --------\n\nPerson not listed in the Address Book\n${ANN}\n\n\n------- Returned Message --------\nReceived: from x`;
    expect(await plain(words, 'Undeliverable message')).toMatchObject({ address: ANN, kind: 'hard' });
  });

  test('the milder of two readings counts', async () => {
    const report = dsnReport(ANN, '5.1.1', '550 5.1.1 rejected').replace(
      'said: 550 5.1.1 rejected',
      'said: mailbox full',
    );
    expect((await recipients(report))[0]).toMatchObject({ class: 'mailbox_full', kind: 'soft' });
    expect(live('550 5.1.1 unknown user or mailbox full')).toMatchObject({
      class: 'mailbox_full',
      kind: 'soft',
    });
  });
});

describe('lines that were wrapped', () => {
  const postfix = (...words: string[]) =>
    recipients(`From: MAILER-DAEMON@mx.test
Subject: Undelivered Mail Returned to Sender

${words.join('\n')}
`);

  test('"in reply to" and its command are one line', async () => {
    const [about] = await postfix(
      `<${ANN}>: host mx.remote.test[192.0.2.1] said: 550 unknown user (in reply to`,
      '    RCPT TO command)',
    );
    expect(about).toMatchObject({ kind: 'hard', class: 'invalid_recipient' });
    const [late] = await postfix(
      `<${ANN}>: host mx.remote.test[192.0.2.1] said: 550 unknown user (in reply`,
      '    to end of DATA command)',
    );
    expect(late).toMatchObject({ kind: 'soft' });
  });

  test.each([
    ['    <bob@inner.test>: Recipient address rejected: User unknown (in reply to RCPT TO command)'],
    ['    bob@inner.test: user unknown (in reply to RCPT TO command)'],
    ['\t<bob@inner.test> is not known here (in reply to RCPT TO command)'],
  ])('an indented line below a recipient starts none: %s', async (line) => {
    const found = await postfix(`<${ANN}>: host mx.remote.test[192.0.2.1] said: 550 5.1.1`, line);
    expect(found.map(({ address }) => address)).toEqual([ANN]);
    expect(found[0]).toMatchObject({ kind: 'hard', class: 'invalid_recipient' });
  });

  test('a list of recipients with the same indent, and one below an empty line, are recipients', async () => {
    const list = await postfix(
      'The following failed:',
      '',
      `  ${ANN}`,
      '  bob@remote.test',
      '    550 5.1.1 user unknown',
    );
    expect(list.map(({ address }) => address)).toContain('bob@remote.test');
    const exim = await postfix(
      ANN,
      '    550 5.1.1 user unknown',
      '',
      '  bob@remote.test',
      '    552 5.2.2 mailbox full',
    );
    expect(exim.map(({ address, kind }) => [address, kind])).toEqual([
      [ANN, 'hard'],
      ['bob@remote.test', 'soft'],
    ]);
  });
});
