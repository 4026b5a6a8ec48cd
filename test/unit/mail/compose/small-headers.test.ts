import { describe, expect, test } from 'vitest';
import {
  feedbackId,
  unsubscribeHeaders,
  unsubscribeLine,
  unsubscribeProblem,
} from '../../../../core/mail/compose/list-headers.ts';
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

describe('a pair of the sender’s own', () => {
  const problem = (list: string | null, post?: string) =>
    unsubscribeProblem([
      { name: 'X-A', value: 'b' },
      ...(list === null ? [] : [{ name: 'list-unsubscribe', value: list }]),
      ...(post === undefined ? [] : [{ name: 'List-Unsubscribe-POST', value: post }]),
    ]);
  const URL_OF_900 = `https://u.example.com/?=?${'x'.repeat(876)}`;
  const POST = 'List-Unsubscribe=One-Click';

  test.each([
    ['<https://u.example.com/x?a=1,2>', POST],
    ['<mailto:leave@example.com?subject=x%20y>,<HTTPS://u.example.com/>', ` ${POST} `],
    [' <mailto:leave@example.com> ', undefined],
    [`<${URL_OF_900}>`, POST],
    [null, undefined],
  ])('%j and %j pass', (list, post) => expect(problem(list, post)).toBeNull());

  test.each([
    ['https://u.example.com/', undefined, /must be <https/],
    ['<http://u.example.com/>', undefined, /must be <https/],
    ['<https://>', undefined, /must be <https/],
    ['<javascript:alert(1)>', undefined, /must be <https/],
    ['<mailto:leave>', undefined, /must be <https/],
    ['<https://u.example.com/> or <mailto:a@b.example>', undefined, /must be <https/],
    ['<https://u.example.com/ü>', undefined, /must be <https/],
    ['<https://u.example.com/>', 'One-Click', /must be List-Unsubscribe=One-Click/],
    ['<mailto:a@b.example>', POST, /needs a List-Unsubscribe with an <https/],
    [null, POST, /needs a List-Unsubscribe with an <https/],
  ])('%j and %j do not', (list, post, why) => expect(problem(list, post)).toMatch(why));

  test('its URIs are written as they are, each whole on a line', () => {
    const value = `<mailto:leave@example.com>,<${URL_OF_900}>`;
    const lines = `List-Unsubscribe: <mailto:leave@example.com>,\r\n <${URL_OF_900}>\r\n`;
    expect(unsubscribeLine({ name: 'List-Unsubscribe', value })).toBe(lines);
    expect(() => unsubscribeLine({ name: 'List-Unsubscribe', value: 'x' })).toThrow(RangeError);
  });
});

test('Feedback-ID has four parts that hold no separator', () => {
  expect(feedbackId({ campaign: 'c:1', tenant: 't 2', stream: 'bulk', sender: 'postrider\r\n' })).toBe(
    'c-1:t-2:bulk:postrider--',
  );
});
