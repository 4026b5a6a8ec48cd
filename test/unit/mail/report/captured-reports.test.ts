// Reports that a real Postfix wrote, read as inbound reads them (test/fixtures/captured/README.md).

import { expect, test } from 'vitest';

import { readReport } from '../../../../core/mail/report/dsn.ts';
import type { ReportedRecipient } from '../../../../core/mail/report/judge-recipient.ts';
import { capturedMail, capturedNames } from '../../../harness/captured-mail.ts';

const UNKNOWN: ReportedRecipient = {
  address: 'gone@remote.test',
  originalAddress: 'gone@remote.test',
  outcome: 'failed',
  class: 'invalid_recipient',
  kind: 'hard',
  infrastructure: false,
  suppresses: true,
  smtpCode: 550,
  enhancedCode: '5.1.1',
  diagnostic:
    '550 5.1.1 <gone@remote.test>: Recipient address rejected: User unknown in virtual mailbox table',
};
const UNREACHABLE: ReportedRecipient = {
  address: 'ann@closed.test',
  originalAddress: 'ann@closed.test',
  outcome: 'failed',
  class: 'connection',
  kind: 'soft',
  infrastructure: false,
  suppresses: false,
  smtpCode: null,
  enhancedCode: '4.4.1',
  diagnostic: 'connect to mx.closed.test[127.0.0.9]:25: Connection refused',
};

const EXPECTED: Record<string, ReportedRecipient> = {
  'postfix-delayed': { ...UNREACHABLE, outcome: 'delayed' },
  'postfix-expired': UNREACHABLE,
  'postfix-mailbox-full': {
    address: 'full@remote.test',
    originalAddress: 'full@remote.test',
    outcome: 'failed',
    class: 'mailbox_full',
    kind: 'soft',
    infrastructure: false,
    suppresses: false,
    smtpCode: 552,
    enhancedCode: '5.2.2',
    diagnostic: '552 5.2.2 Mailbox of user is over quota',
  },
  'postfix-no-such-domain': {
    address: 'ann@nowhere.test',
    originalAddress: 'ann@nowhere.test',
    outcome: 'failed',
    class: 'invalid_domain',
    kind: 'hard',
    infrastructure: false,
    suppresses: false,
    smtpCode: null,
    enhancedCode: '5.4.4',
    diagnostic:
      'Host or domain name not found. Name service error for name=nowhere.test type=A: Host not found',
  },
  'postfix-relayed': {
    address: 'ann@remote.test',
    originalAddress: 'ann@remote.test',
    outcome: 'delivered',
    class: 'uncategorized',
    kind: 'soft',
    infrastructure: false,
    suppresses: false,
    smtpCode: null,
    enhancedCode: null,
    diagnostic: '250 2.0.0 Ok: queued as 4F2A91B3C',
  },
  'postfix-user-unknown-full': UNKNOWN,
  'postfix-user-unknown-headers': UNKNOWN,
};

test.each(Object.entries(EXPECTED))('%s', async (name, recipient) => {
  expect(await readReport(capturedMail(name))).toEqual({
    kind: 'dsn',
    standard: true,
    recipients: [recipient],
  });
});

test('each report of Postfix is above, and other mail is no report', async () => {
  const reports = capturedNames().filter((name) => name.startsWith('postfix-'));
  expect(Object.keys(EXPECTED)).toEqual(reports);
  for (const name of capturedNames().filter((one) => !reports.includes(one)))
    expect([name, await readReport(capturedMail(name))]).toEqual([name, { kind: 'other' }]);
});
