// Mail with header fields as no program should write them is read: who sent it, its text, its attachments, its report.

import { expect, test } from 'vitest';

import { readAggregate } from '../../../core/mail/aggregate/read-aggregate.ts';
import { readReport } from '../../../core/mail/report/dsn.ts';
import { NO_AUTH, type ParseResult } from '../../../inbound/parse/parse-job.ts';
import { readContent } from '../../../inbound/parse/read-content.ts';
import { misread, ODD_FIELDS, ODD_VALUES, oddMail } from '../../harness/odd-mail.ts';

const EMPTY = ['Content-Type: ', 'Content-Type:', 'Content-Type: ;', 'Content-Type: "', 'Content-Type: \\'];

test.each([
  ...EMPTY,
  'Content-Type: ; name=x',
  'Content-Type: =',
  'Content-Type: a',
  'Content-Type: /a',
  `Content-Type: ${'@'.repeat(300)}/a`,
])('a part with %j is an attachment of unknown type; the rest of the mail is read', async (line) => {
  const { content, bodies } = await readContent(oddMail('part', [line]));
  expect(content).toMatchObject({
    headerFrom: 'Ann <ann@sender.test>',
    subject: 'Hello',
    text: 'Text',
    parseError: null,
    attachments: [{ index: 0, content_type: 'application/octet-stream', size_bytes: 4 }],
  });
  expect(Buffer.from(bodies[0]!.bytes).toString()).toBe('QUJD');
});

test.each(EMPTY)('mail with %j is text', async (line) => {
  const { content } = await readContent(oddMail('message', [line]));
  expect(content).toMatchObject({ subject: 'Hello', text: 'Text\n', attachments: [], parseError: null });
});

test.each([
  ['text/plain (as ever)', 'Text\nABC', []],
  ['text/plain charset=utf-8', 'Text\nABC', []],
  ['application/pdf name=x', 'Text', ['application/pdf']],
])('what follows a type without a semicolon, as in %j, does not hide it', async (type, text, types) => {
  const lines = [`Content-Type: ${type}`, 'Content-Transfer-Encoding: base64'];
  const { content } = await readContent(oddMail('part', lines));
  expect(content.text).toBe(text);
  expect(content.attachments.map((one) => one.content_type)).toEqual(types);
});

test.each(EMPTY)('a report with a part that has %j is read', async (line) => {
  expect(await readReport(oddMail('status', [line]))).toMatchObject({
    kind: 'dsn',
    recipients: [{ address: 'ann@sink.test', outcome: 'failed' }],
  });
  expect(await readReport(oddMail('complaint', [line]))).toMatchObject({ kind: 'arf' });
  expect(await readReport(oddMail('part', [line]))).toEqual({ kind: 'other' });
});

test('every field that a part has may have any odd value', { timeout: 30_000 }, async () => {
  const wrong: string[] = [];
  for (const field of ODD_FIELDS) {
    for (const value of ODD_VALUES) {
      const mail = oddMail('part', [`${field}: ${value}`]);
      const [{ content, bodies }, report, aggregate] = await Promise.all([
        readContent(mail),
        readReport(mail),
        readAggregate(mail),
      ]);
      const result: ParseResult = {
        content: { ...content, auth: NO_AUTH },
        bodies,
        report,
        aggregate: { ...aggregate, authenticated: false },
      };
      const found = misread(result) ?? (content.headerFrom === 'Ann <ann@sender.test>' ? null : 'no From');
      if (found !== null) wrong.push(`${field}: ${value}: ${found}`);
    }
  }
  expect(wrong).toEqual([]);
});
