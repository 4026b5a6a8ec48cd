// Boundaries with blanks after them (RFC 2046 section 5.1.1) separate parts; other lines of hyphens stay as they are.

import { describe, expect, test } from 'vitest';

import { parseMail } from '../../../core/mail/parse-mail.ts';
import { threadMsOf } from '../../harness/thread-time.ts';

const parse = (text: string) => parseMail(Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1'));
const two = (type: string, first: string, second: string, last: string) =>
  `Content-Type: ${type}\n\n${first}\nContent-Type: text/plain\n\none\n${second}\n` +
  `Content-Disposition: attachment; filename=a.txt\n\ntwo\n${last}\n`;

describe('parts are found', () => {
  test.each([
    ['a space', two('multipart/mixed; boundary=b', '--b ', '--b ', '--b-- ')],
    ['a tab', two('multipart/mixed; boundary=b', '--b\t', '--b\t', '--b--\t')],
    ['several', two('multipart/mixed; boundary="b c"', '--b c  \t ', '--b c', '--b c--')],
    ['one of them', two('multipart/mixed;\n\tboundary="=_x"', '--=_x', '--=_x ', '--=_x--')],
    ['nothing', two('multipart/mixed; boundary=b', '--b', '--b', '--b--')],
    [
      'a blank in the parameter',
      two('multipart/mixed; boundary="b "', '--b', '--b', '--b--').replace('"b "', '"b"'),
    ],
  ])('with %s after the boundary', async (_, text) => {
    const mail = await parse(text);
    expect(mail.text?.trim()).toBe('one');
    expect(mail.attachments.map(({ filename, content }) => [filename, content.toString()])).toEqual([
      ['a.txt', 'two'],
    ]);
  });

  test('within other parts, and where one boundary begins as the other', async () => {
    const mail = await parse(
      'Content-Type: multipart/mixed; boundary=b\n\n--b \nContent-Type: multipart/alternative; boundary=b1\n\n' +
        '--b1 \nContent-Type: text/plain\n\none\n--b1\t\nContent-Type: text/html\n\n<p>one</p>\n--b1-- \n\n--b-- \n',
    );
    expect([mail.text?.trim(), mail.html && mail.html.trim()]).toEqual(['one', '<p>one</p>']);
  });
});

test.each(['-- \nAnn', '--comment \nselect 1', '--b2 \nx', '-- b \nx', '  --b \nx', '--b--b \nx'])(
  'other lines keep their blanks: %j',
  async (lines) => {
    const mail = await parse(
      `Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Disposition: attachment; filename=a.sql\n\n${lines}\n--b--\n`,
    );
    expect(mail.attachments[0]!.content.toString()).toBe(lines.replaceAll('\n', '\r\n'));
  },
);

test('megabytes of hyphens and boundaries take little processor time', async () => {
  const hostile = [
    '-- x \n'.repeat(200_000),
    '-'.repeat(1_000_000),
    `--${' '.repeat(1_000_000)}\n`,
    'boundary='.repeat(100_000) + '\n--x \n',
    `Content-Type: multipart/mixed; boundary=b\n\n${'--b2 \n'.repeat(150_000)}`,
  ];
  for (const text of hostile) expect(await threadMsOf(() => parse(`X: y\n\n${text}`))).toBeLessThan(3_000);
});
