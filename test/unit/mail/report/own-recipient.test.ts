// Which recipient of a report is the one that our message had.

import { describe, expect, test } from 'vitest';

import { readReport } from '../../../../core/mail/report/dsn.ts';
import { findOwnRecipient } from '../../../../core/mail/report/own-recipient.ts';

interface Group {
  final: string;
  original?: string;
}

async function kindFor(own: string, ...groups: Group[]): Promise<string | undefined> {
  const status = groups.flatMap(({ final, original }) => [
    '',
    ...(original === undefined ? [] : [`Original-Recipient: rfc822;${original}`]),
    `Final-Recipient: rfc822;${final}`,
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 User unknown',
  ]);
  const mail = [
    'From: postmaster@mx.test',
    'Subject: Undeliverable',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.test',
    ...status,
    '',
    '--b--',
    '',
  ].join('\r\n');
  const report = await readReport(Buffer.from(mail));
  if (report.kind !== 'dsn') throw new Error(`read as ${report.kind}`);
  return findOwnRecipient(report.recipients, own)?.kind;
}

const IMCEAEX = 'IMCEAEX-_O=ACME_OU=EXCHANGE+20ADMIN_CN=RECIPIENTS_CN=ANN+2ELEE';

describe('ours by another form', () => {
  test.each<[string, string, Group[]]>([
    ['without its tag', 'user+tag@a.test', [{ final: 'user@a.test' }]],
    ['as Original-Recipient', 'ann@a.test', [{ final: 'ann.lee@inner.a.test', original: 'ann@a.test' }]],
    ['an X.500 address of Exchange', 'ann@a.test', [{ final: `${IMCEAEX}@a.test` }]],
    // Written before the code was read.
    ['without its tag, in capitals', 'User+News@a.test', [{ final: 'USER@A.TEST' }]],
    [
      'Original-Recipient without its tag',
      'ann+x@a.test',
      [{ final: 'box7@store.test', original: 'ann@a.test' }],
    ],
    [
      'an X.500 address at an inner host',
      'ann@a.test',
      [{ final: `${IMCEAEX}@namprd07.prod.outlook.test`, original: 'ann@a.test' }],
    ],
    ['an encapsulated SMTP address', 'ann@a.test', [{ final: 'IMCEASMTP-ann+40a+2Etest@gateway.test' }]],
    ['the plain address beside another', 'ann@a.test', [{ final: 'bob@a.test' }, { final: 'ann@a.test' }]],
    [
      'Original-Recipient beside another of ours',
      'ann@a.test',
      [
        { final: 'x@y.test', original: 'bob@a.test' },
        { final: 'z@y.test', original: 'ann@a.test' },
      ],
    ],
  ])('%s', async (_, own, groups) => {
    expect(await kindFor(own, ...groups)).toBe('hard');
  });
});

describe('somebody behind our recipient', () => {
  test.each<[string, string, Group[]]>([
    ['another address', 'list@a.test', [{ final: 'bob@b.test' }]],
    ['a tag that ours has not', 'ann@a.test', [{ final: 'ann+old@a.test' }]],
    ['another tag', 'ann+x@a.test', [{ final: 'ann+y@a.test' }]],
    [
      'two members of a list',
      'list@a.test',
      [
        { final: 'bob@b.test', original: 'list@a.test' },
        { final: 'eve@c.test', original: 'list@a.test' },
      ],
    ],
    ['an X.500 address of another domain', 'ann@a.test', [{ final: `${IMCEAEX}@b.test` }]],
    ['two X.500 addresses', 'ann@a.test', [{ final: `${IMCEAEX}@a.test` }, { final: `${IMCEAEX}2@a.test` }]],
    [
      'an encapsulated address of somebody else',
      'ann@a.test',
      [{ final: 'IMCEASMTP-bob+40a+2Etest@gateway.test' }],
    ],
  ])('%s', async (_, own, groups) => {
    expect(await kindFor(own, ...groups)).toBe('soft');
  });
});
