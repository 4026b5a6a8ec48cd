import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseReply } from '../../../core/mail/smtp-reply.ts';
import { anyText } from '../../harness/any-text.ts';

test.each<[string, number, string | null, string]>([
  ['250 OK', 250, null, 'OK'],
  ['250', 250, null, ''],
  ['250 2.1.5 OK', 250, '2.1.5', 'OK'],
  ['550 5.1.1 User unknown', 550, '5.1.1', 'User unknown'],
  ['550 5.1.1\r\n', 550, '5.1.1', ''],
  ['550 5.1.10 x', 550, '5.1.10', 'x'],
  ['550 5.7.509: Access denied', 550, '5.7.509', 'Access denied'],
  [
    '550-5.1.1 The account\r\n550-5.1.1 does not\r\n550 5.1.1 exist',
    550,
    '5.1.1',
    'The account does not exist',
  ],
  ['550-The account\n550 5.1.1 is gone', 550, '5.1.1', 'The account is gone'],
  ['550 first\nand a wrapped line', 550, null, 'first and a wrapped line'],
  [
    '553 sorry, no mailbox here by that name. (#5.1.1)',
    553,
    '5.1.1',
    'sorry, no mailbox here by that name. (#5.1.1)',
  ],
  ['550 #5.1.0 Address rejected.', 550, '5.1.0', '#5.1.0 Address rejected.'],
  ['550 4.4.7 QUEUE.Expired; message expired', 550, '4.4.7', 'QUEUE.Expired; message expired'],
  // Never from an address or a version.
  ['554 5.7.1.2 is blocked', 554, null, '5.7.1.2 is blocked'],
  ['550 192.0.2.1 blocked', 550, null, '192.0.2.1 blocked'],
  ['550 blocked 5.6.7.8', 550, null, 'blocked 5.6.7.8'],
  ['550 mail from 5.1.1 refused', 550, null, 'mail from 5.1.1 refused'],
  ['554 Exim 4.9.6 refuses', 554, null, 'Exim 4.9.6 refuses'],
  ['550 5.01.1 x', 550, null, '5.01.1 x'],
  ['550 5.1.1234 x', 550, null, '5.1.1234 x'],
  ['550 5.1.1-beta', 550, null, '5.1.1-beta'],
  ['550 3.1.1 x', 550, null, '3.1.1 x'],
  ['550 2.1.5 x', 550, null, '2.1.5 x'],
  ['250 5.1.1 x', 250, null, '5.1.1 x'],
  ['550 (see #5.1.1.4)', 550, null, '(see #5.1.1.4)'],
])('%j', (text, code, enhanced, said) => {
  expect(parseReply(text)).toMatchObject({ code, enhanced, text: said });
});

test('keeps the lines as received and the command', () => {
  expect(parseReply('250-mx.example.com\r\n250 SIZE 100\r\n', 'EHLO')).toEqual({
    code: 250,
    enhanced: null,
    text: 'mx.example.com SIZE 100',
    lines: ['250-mx.example.com', '250 SIZE 100'],
    command: 'EHLO',
  });
});

test.each(['', 'hello', '99 x', '650 x', '5500 x', '55', '550x'])('%j is no reply', (text) => {
  expect(parseReply(text)).toBeNull();
});

test('any text gets an answer', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      const reply = parseReply(`550 x${text}`);
      expect(reply?.code).toBe(550);
      expect(`${reply?.text}${reply?.lines.join('')}`).not.toMatch(/[\r\n\0]/);
      parseReply(text);
    }),
  );
});
