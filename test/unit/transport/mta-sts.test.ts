import { describe, expect, test } from 'vitest';

import { allowsHost, readPolicy, readPolicyId } from '../../../core/transport/mta-sts.ts';

test.each<[string, string[], string | null]>([
  ['the example of RFC 8461 section 3.1', ['v=STSv1; id=20160831085700Z;'], '20160831085700Z'],
  ['beside other records', ['google-site-verification=x', 'v=STSv1;id=1'], '1'],
  ['with fields of the future', ['v=STSv1; ext=a; id=7; more=b'], '7'],
  ['two of them are none', ['v=STSv1; id=1', 'v=STSv1; id=2'], null],
  ['no id', ['v=STSv1;'], null],
  ['an id that is none', ['v=STSv1; id=a-b;'], null],
  ['another version', ['v=STSv2; id=1'], null],
])('the id in the TXT record: %s', (_what, records, id) => {
  expect(readPolicyId(records)).toBe(id);
});

describe('a policy file', () => {
  test('the example of RFC 8461 section 3.2', () => {
    const text =
      'version: STSv1\nmode: enforce\nmx: mail.example.com\nmx: *.example.net\nmx: backupmx.example.com\nmax_age: 604800\n';
    expect(readPolicy(text)).toEqual({
      ok: true,
      policy: {
        mode: 'enforce',
        mx: ['mail.example.com', '*.example.net', 'backupmx.example.com'],
        maxAgeSeconds: 604_800,
      },
    });
  });

  test('the first of a field counts, unknown ones do not, and a year is the longest', () => {
    const text = 'version: STSv1\r\nmode:none\r\nmode: enforce\r\nx-new: y\r\nmax_age: 9999999999\r\n';
    expect(readPolicy(text)).toEqual({
      ok: true,
      policy: { mode: 'none', mx: [], maxAgeSeconds: 31_557_600 },
    });
  });

  test.each([
    'mode: enforce\nmx: a.test\nmax_age: 1',
    'version: STSv1\nmode: strict\nmx: a.test\nmax_age: 1',
    'version: STSv1\nmode: enforce\nmax_age: 1',
    'version: STSv1\nmode: enforce\nmx: a.test',
    'version: STSv1\nmode: enforce\nmx: a.test\nmax_age: -1',
    'version: STSv1\nmode: enforce\nmx: mail.*.test\nmax_age: 1',
    '<html>',
  ])('is refused: %j', (text) => {
    expect(readPolicy(text).ok).toBe(false);
  });
});

test.each<[string, string, boolean]>([
  ['mail.example.com', 'Mail.Example.com.', true],
  ['mail.example.com', 'x.mail.example.com', false],
  ['*.example.com', 'mx1.example.com', true],
  ['*.example.com', 'a.b.example.com', false],
  ['*.example.com', 'example.com', false],
  ['*.example.com', 'badexample.com', false],
])('%s allows %s: %s', (pattern, host, allowed) => {
  expect(allowsHost({ mx: [pattern] }, host)).toBe(allowed);
});
