import { expect, test } from 'vitest';
import { feedbackId, unsubscribeHeaders } from '../../../../core/mail/compose/list-headers.ts';
import { makeMessageId } from '../../../../core/mail/compose/message-id.ts';

test('Message-ID is the uuid at the sending domain', () => {
  expect(makeMessageId('018F4F5E-1111-7222-8333-444455556666', 'example.com')).toBe(
    '<018f4f5e-1111-7222-8333-444455556666@example.com>',
  );
  expect(() => makeMessageId('x', 'example.com')).toThrow(RangeError);
  expect(() => makeMessageId('018f4f5e-1111-7222-8333-444455556666', 'a>\r\nBcc: b')).toThrow(RangeError);
});

test('one-click unsubscribe has both headers of RFC 8058', () => {
  expect(unsubscribeHeaders('https://u.example.com/x?t=1')).toEqual([
    { name: 'List-Unsubscribe', value: '<https://u.example.com/x?t=1>' },
    { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
  ]);
});

test.each([
  'http://u.example.com/',
  'mailto:a@b.example',
  'https://u.example.com/ x',
  'https://u.example.com/>\r\nBcc: x',
  'https://u.example.com/,<x>',
  `https://u.example.com/${'x'.repeat(400)}`,
])('refuses the unsubscribe URL %j', (url) => expect(() => unsubscribeHeaders(url)).toThrow(RangeError));

test('Feedback-ID has four parts that hold no separator', () => {
  expect(feedbackId({ campaign: 'c:1', tenant: 't 2', stream: 'bulk', sender: 'postrider\r\n' })).toBe(
    'c-1:t-2:bulk:postrider--',
  );
});
