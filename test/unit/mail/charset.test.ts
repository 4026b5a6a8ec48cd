// What mail says in any charset, against Python's `email` package (3.11, policy.default). `python` in the fixture is what
// that read; `expected` stands where Python loses text that was meant, or does not know the name of the charset.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { decodeText } from '../../../core/mail/charset.ts';
import { repairHeader } from '../../../core/mail/repair-header.ts';
import { readContent } from '../../../inbound/parse/read-content.ts';

interface Case {
  name: string;
  field: 'subject' | 'body' | 'from';
  raw: string;
  python: string;
  expected?: string;
}

const CASES = JSON.parse(
  readFileSync(new URL('../../fixtures/charsets.json', import.meta.url), 'utf8'),
) as Case[];

test.each(CASES)('$name', async ({ field, raw, python, expected }) => {
  const { content } = await readContent(Buffer.from(raw, 'base64'));
  const read = {
    subject: content.subject,
    from: content.headerFrom,
    body: (content.text ?? content.html)?.trimEnd(),
  };
  expect(read[field]).toBe(expected ?? python);
});

test('mail that has nothing to repair is not copied, and fields are shown as they stand', async () => {
  const mail = Buffer.from(
    'Subject: =?utf-8?Q?=C3=A4?= =?iso-2022-jp?B?GyRCJDMbKEI=?=\r\nX: ä\r\n\r\n=?x?Q?=ff?=\r\n',
  );
  expect(repairHeader(mail)).toBe(mail);
  const { content } = await readContent(mail);
  expect(content.headers[0]!.value).toBe('=?utf-8?Q?=C3=A4?= =?iso-2022-jp?B?GyRCJDMbKEI=?=');
});

test('no octets and no name of a charset are too much', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 80 }), fc.string({ maxLength: 12 }), async (octets, name) => {
      const bytes = Buffer.from(octets);
      expect(typeof decodeText(bytes, name)).toBe('string');
      const word = Buffer.concat([Buffer.from(`Subject: =?${name}?Q?`), bytes, Buffer.from('?=\r\n\r\nx')]);
      await readContent(word);
    }),
    { numRuns: 300 },
  );
});
