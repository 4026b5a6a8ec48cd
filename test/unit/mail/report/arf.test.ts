import { expect, test } from 'vitest';

import { isAutoReply, isAutoSubmitted } from '../../../../core/mail/report/auto-submitted.ts';
import { readReport } from '../../../../core/mail/report/dsn.ts';
import { arfReport } from '../../../harness/report-mail.ts';

test('a feedback report: type, and the envelope senders that it names', async () => {
  const report = await readReport(Buffer.from(arfReport('b+TOKEN@bounces.shop.test', 'Abuse')));
  expect(report).toMatchObject({
    kind: 'arf',
    arf: {
      feedbackType: 'abuse',
      userAgent: 'SomeGenerator/1.0',
      returnPaths: ['b+token@bounces.shop.test'],
    },
  });
});

test('a return path may stand in the reported mail only', async () => {
  const text = arfReport('redacted', 'fraud').replace(
    'Subject: Hello',
    'Return-Path: <b+t@bounces.shop.test>',
  );
  const moved = text.replace(
    'From: shop@example.test',
    'Return-Path: <b+t@bounces.shop.test>\r\nFrom: s@x.test',
  );
  const report = await readReport(Buffer.from(moved));
  expect(report.kind === 'arf' && report.arf.returnPaths).toEqual(['b+t@bounces.shop.test']);
});

test('a report without its machine-readable part is nothing', async () => {
  const data =
    'Content-Type: multipart/report; report-type=feedback-report; boundary=x\r\n\r\n--x\r\n\r\nhi\r\n--x--\r\n';
  expect((await readReport(Buffer.from(data))).kind).toBe('other');
});

const headers = (all: Record<string, string>) => (name: string) => all[name] ?? '';

test.each([
  [{ 'auto-submitted': 'auto-replied' }, true, true],
  [{ 'auto-submitted': 'auto-generated; x=y' }, true, false],
  [{ 'auto-submitted': 'no' }, false, false],
  [{ subject: 'Automatic reply: Hello' }, false, true],
  [{ 'x-autoreply': 'yes' }, true, true],
  [{ precedence: 'auto_reply' }, false, true],
  [{ subject: 'Out of milk' }, false, false],
])('%j', (all, submitted, reply) => {
  expect(isAutoSubmitted(headers(all as Record<string, string>))).toBe(submitted);
  expect(isAutoReply(headers(all as Record<string, string>))).toBe(reply);
});
