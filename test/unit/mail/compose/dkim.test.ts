import fc from 'fast-check';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { relaxedBody, relaxedHeader } from '../../../../core/mail/compose/dkim-canonical.ts';
import { signMessage, type DkimKey } from '../../../../core/mail/compose/dkim.ts';
import { threadMs } from '../../../harness/thread-time.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed25519 = generateKeyPairSync('ed25519');
const KEYS: DkimKey[] = [
  { domain: 'example.com', selector: 'r1', algorithm: 'rsa-sha256', privateKey: rsa.privateKey },
  { domain: 'example.com', selector: 'e1', algorithm: 'ed25519-sha256', privateKey: ed25519.privateKey },
];
const timestamp = 1_767_225_600;
const HEADERS =
  'From: "Shop" <shop@example.com>\r\nTo: ann@example.net\r\nSubject:  A   folded\r\n\tsubject \r\n' +
  'Message-ID: <1@example.com>\r\nDate: Thu, 01 Jan 2026 00:00:00 +0000\r\nX-Other: y\r\nMIME-Version: 1.0\r\n' +
  'Content-Type: text/plain;\r\n charset=utf-8\r\nList-Unsubscribe: <https://example.com/u>\r\n';

function spki(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}

// RFC 8463 section 4: the p= of an Ed25519 record is the bare 32 octets, the end of the SPKI form.
const RECORDS: Record<string, string> = {
  'r1._domainkey.example.com': `v=DKIM1; k=rsa; p=${spki(rsa.publicKey).toString('base64')}`,
  'e1._domainkey.example.com': `v=DKIM1; k=ed25519; p=${spki(ed25519.publicKey).subarray(-32).toString('base64')}`,
};

async function verify(message: Buffer): Promise<string[]> {
  const resolver = async (name: string) => {
    const record = RECORDS[name];
    if (record === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
    return [[record]];
  };
  const { results } = await dkimVerify(message, { resolver, strict: true });
  return results.map((result) => `${result.algo} ${result.status.result}`);
}

async function signed(headers: string, body: Buffer, keys = KEYS): Promise<Buffer> {
  const signatures = await signMessage({ headers, body }, keys, { timestamp });
  return Buffer.concat([Buffer.from(`${signatures}${headers}\r\n`), body]);
}

const BOTH = ['rsa-sha256 pass', 'ed25519-sha256 pass'];

describe('a verifier that is not ours accepts both signatures', () => {
  test.each<[string, string | Buffer]>([
    ['an empty body', ''],
    ['one empty line', '\r\n'],
    ['only empty lines', '\r\n\r\n\r\n'],
    ['only white space', ' \t \r\n \r\n'],
    ['only white space, no line end', '  \t'],
    ['no line end at the end', 'hello'],
    ['white space at the end, no line end', 'hello \t '],
    ['one line', 'hello\r\n'],
    ['trailing empty lines', 'hello\r\n\r\n\r\n'],
    ['trailing lines of white space', 'hello\r\n \r\n\t\r\n'],
    ['spaces at line ends', 'hello  \r\nthere \r\n'],
    ['tabs and runs', '\thello \t there\r\n  x\r\n'],
    ['empty lines inside', 'a\r\n\r\n\r\nb\r\n'],
    ['octets over 127', Buffer.from([0xc3, 0xa9, 0x20, 0x20, 0xa0, 0xff, 0x0d, 0x0a])],
    ['a no-break space at a line end', Buffer.from([0x61, 0xa0, 0x0d, 0x0a])],
    ['a line of 990', `${'x'.repeat(990)}\r\n`],
    ['dots', '.\r\n..\r\n'],
    ['a mebibyte', 'some words  here\r\n'.repeat(65_536)],
  ])('%s', async (_what, body) => {
    expect(await verify(await signed(HEADERS, Buffer.from(body as string)))).toEqual(BOTH);
  });

  test('any body of such pieces', async () => {
    const pieces = fc.constantFrom('a', 'bc', ' ', '  ', '\t', '\r\n', '\r\n\r\n', '=', '.', '\xa0', 'é');
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 40 }), async (parts) => {
        expect(await verify(await signed(HEADERS, Buffer.from(parts.join(''))))).toEqual(BOTH);
      }),
      { numRuns: 40 },
    );
  });

  test('headers above ASCII, and one that occurs twice', async () => {
    const headers = `${HEADERS}References: <a@example.com>\r\nReferences: <b@example.com>\r\n`.replace(
      '"Shop"',
      'Größe \u00a0',
    );
    expect(await verify(await signed(headers, Buffer.from('x\r\n')))).toEqual(BOTH);
  });
});

describe('a change breaks both', () => {
  const FAIL = ['rsa-sha256 fail', 'ed25519-sha256 fail'];
  const changed = async (change: (text: string) => string) => {
    const message = await signed(HEADERS, Buffer.from('hello\r\n'));
    return verify(Buffer.from(change(message.toString())));
  };

  test('in the body', async () => {
    const results = await changed((text) => text.replace('hello', 'hellO'));
    expect(results.every((result) => !result.endsWith('pass'))).toBe(true);
  });

  test.each([
    'From',
    'To',
    'Subject',
    'Date',
    'Reply-To',
    'Cc',
    'Message-ID',
    'MIME-Version',
    'Content-Type',
    'List-Unsubscribe',
  ])('a %s put on top', async (name) =>
    expect(await changed((text) => `${name}: x@example.org\r\n${text}`)).toEqual(FAIL),
  );

  test('another unsubscribe link', async () => {
    expect(await changed((text) => text.replace('example.com/u>', 'example.org/u>'))).toEqual(FAIL);
  });

  test('but not in white space, nor in a header that travels change', async () => {
    expect(
      await changed((text) => text.replace('hello', 'hello  ').replace('X-Other: y', 'X-Other: z')),
    ).toEqual(BOTH);
  });
});

test('one key gives one field; all lines are short; the timestamp is the one given', async () => {
  const field = await signMessage({ headers: HEADERS, body: Buffer.from('x') }, KEYS.slice(0, 1), {
    timestamp,
  });
  expect(field.match(/^DKIM-Signature:/gm)).toHaveLength(1);
  expect(field).toContain(`t=${timestamp};`);
  expect(field.endsWith('\r\n')).toBe(true);
  expect(Math.max(...field.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(78);
});

test('a message without From, or with a broken header block, is not signed', async () => {
  await expect(
    signMessage({ headers: 'To: a@b.example\r\n', body: Buffer.alloc(0) }, KEYS, { timestamp }),
  ).rejects.toThrow(RangeError);
  await expect(
    signMessage({ headers: 'From: a\r\nnonsense\r\n', body: Buffer.alloc(0) }, KEYS, { timestamp }),
  ).rejects.toThrow(RangeError);
});

test('the fast way and the slow way agree with the definition, written down plainly', () => {
  const pieces = fc.constantFrom('a', ' ', '\t', '\r\n', 'word');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const text = parts.join('');
      const lines = text.split('\r\n').map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''));
      while (lines.at(-1) === '') lines.pop();
      const expected = lines.map((line) => `${line}\r\n`).join('');
      expect(relaxedBody(Buffer.from(text)).toString()).toBe(expected);
    }),
    { numRuns: 1000 },
  );
});

test('the example of RFC 6376 section 3.4.5', () => {
  expect(relaxedHeader('a', ' X\r\n')).toBe('a:X');
  expect(relaxedHeader('b', ' Y\t\r\n\tZ  \r\n')).toBe('b:Y Z');
  expect(relaxedBody(Buffer.from(' C \r\nD \t E\r\n\r\n\r\n')).toString()).toBe(' C\r\nD E\r\n');
});

test('five million spaces cost milliseconds, not hours', () => {
  const body = Buffer.from(`${' '.repeat(5_000_000)}x`);
  expect(threadMs(() => relaxedBody(body))).toBeLessThan(3_000);
});

test('the largest mail of words and blanks is canonical in less than a second', () => {
  const body = Buffer.alloc(25 * 1024 * 1024, `${'a '.repeat(37)}  \r\n`);
  let relaxed: Buffer | undefined;
  expect(threadMs(() => (relaxed = relaxedBody(body)))).toBeLessThan(1_500);
  expect(relaxed?.subarray(0, 77).toString()).toBe(`${'a '.repeat(36)}a\r\na `);
});

test('canonical form is the same as by the words of RFC 6376 section 3.4.4', () => {
  const piece = fc.constantFrom(' ', '\t', '\r\n', 'a', '\r', '\n', '\xa0');
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      const lines = text.split('\r\n').map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''));
      const expected = lines.join('\r\n').replace(/(?:\r\n)+$/, '');
      const end = expected === '' ? '' : '\r\n';
      expect(relaxedBody(Buffer.from(text, 'latin1')).toString('latin1')).toBe(expected + end);
    }),
  );
});
