// Lines over 998 octets: what is folded, what is encoded again, what is left alone and what is refused by name.

import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { describe, expect, test } from 'vitest';

import { lineProblem } from '../../../../core/mail/raw/lines.ts';
import { shortenLines } from '../../../../core/mail/raw/shorten-lines.ts';

const LONG = `${'word '.repeat(400)}end`;
const message = (fields: string[], body: string, charset: BufferEncoding = 'latin1') =>
  Buffer.from([...fields, '', body].join('\r\n'), charset);
const shortened = (raw: Buffer): Buffer => {
  const result = shortenLines(raw);
  if (!result.ok) throw new Error(result.problem);
  expect(lineProblem(result.raw)).toBeNull();
  return result.raw;
};

test('mail without a long line is the same buffer', () => {
  const raw = message(['From: a@b.example', `X: ${'x'.repeat(995)}`], `${'x'.repeat(998)}\r\n`);
  expect(shortenLines(raw)).toEqual({ ok: true, raw });
  expect((shortenLines(raw) as { raw: Buffer }).raw).toBe(raw);
});

test('HTML on one line and the output of cron become quoted-printable and say the same', async () => {
  const html = `<p>Grüße, ${LONG}</p>\r\n`;
  const fields = [
    'From: a@b.example',
    'Content-Transfer-Encoding: 8bit',
    'Content-Type: text/html; charset=utf-8',
  ];
  const mail = await simpleParser(shortened(message(fields, html, 'utf8')));
  expect(mail.html).toBe(html.replaceAll('\r\n', '\n'));
  const cron = shortened(message(['From: root@b.example'], `${LONG}\r\n`));
  expect(cron.toString('latin1')).toMatch(
    /^MIME-Version: 1\.0\r\nFrom: .*\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n/,
  );
  expect((await simpleParser(cron)).text).toBe(`${LONG}\n`);
});

describe('parts', () => {
  const parts = (type: string, ...bodies: string[]) =>
    message(
      ['From: a@b.example', 'MIME-Version: 1.0', `Content-Type: ${type}; boundary=x`],
      [...bodies.map((one) => `--x\r\n${one}`), '--x--\r\n'].join('\r\n'),
    );
  const plain = 'Content-Type: text/plain\r\n\r\nshort';

  test('only the part with the long line changes', () => {
    const text = shortened(
      parts('multipart/mixed', plain, `Content-Type: text/html\r\n\r\n${LONG}`),
    ).toString();
    expect(text).toContain(
      `--x\r\n${plain}\r\n--x\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nword `,
    );
    expect(text.endsWith('end\r\n--x--\r\n')).toBe(true);
  });

  test.each([
    ['multipart/signed', 'text/plain', 'in its part 2 (text/plain), which is signed or encrypted'],
    ['multipart/encrypted', 'text/plain', 'in its part 2 (text/plain), which is signed or encrypted'],
    ['multipart/mixed', 'application/pdf', 'in its part 2 (application/pdf), which is no text'],
  ])('%s with %s is refused by name', (type, inner, where) => {
    expect(shortenLines(parts(type, plain, `Content-Type: ${inner}\r\n\r\n${LONG}`))).toEqual({
      ok: false,
      problem: `has more than 998 octets in a line ${where}`,
    });
  });
});

test('forty addresses in one To are folded and are the same addresses; a field without a blank is named', async () => {
  const all = Array.from({ length: 80 }, (_, n) => `"Doe, ${n}" <person${n}@example.com>`);
  for (const between of [',', ', ']) {
    const raw = shortened(message([`To: ${all.join(between)}`, 'From: a@b.example'], 'x\r\n'));
    const { to } = await simpleParser(raw);
    expect(
      [to].flat().flatMap((one) => one!.value.map(({ name, address }) => `"${name}" <${address}>`)),
    ).toEqual(all);
  }
  expect(shortenLines(message(['From: a@b.example', `X-Long: ${'x'.repeat(1_000)}`], 'x'))).toEqual({
    ok: false,
    problem: 'has more than 998 octets in a line in its field X-Long, which cannot be folded',
  });
});

test('whatever is folded unfolds to the same text, and no line is blank or long', () => {
  const words = fc.array(fc.constantFrom('a', 'bb', ' ', '  ', '\t', ',', '"', 'x'.repeat(60)), {
    minLength: 400,
    maxLength: 600,
  });
  fc.assert(
    fc.property(words, (list) => {
      const value = `X: v${list.join('')}v`;
      const result = shortenLines(message(['From: a@b.example', value], 'x\r\n'));
      if (!result.ok) return;
      const [, folded] = /\r\n(X: [^]*?)\r\n\r\n/.exec(result.raw.toString('latin1'))!;
      expect(folded!.replaceAll('\r\n', '')).toBe(value);
      for (const line of folded!.split('\r\n')) expect(line.trim()).not.toBe('');
      expect(lineProblem(result.raw)).toBeNull();
    }),
    { numRuns: 200 },
  );
});
