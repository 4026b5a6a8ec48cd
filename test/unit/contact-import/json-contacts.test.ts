import fc from 'fast-check';
import { expect, test } from 'vitest';

import { JsonProblem, readJsonContacts } from '../../../core/contact-import/json-contacts.ts';

function readIn(pieces: Buffer[]): { contacts: unknown[]; rest: unknown } {
  const reader = readJsonContacts();
  const contacts = pieces.flatMap((piece) => reader.push(piece)).map((text) => JSON.parse(text) as unknown);
  return { contacts, rest: reader.end() };
}

function cut(text: string, size: number): Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  );
}

test('extracts contacts wherever the pieces are cut', () => {
  const contact = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
  fc.assert(
    fc.property(fc.array(contact, { maxLength: 6 }), fc.integer({ min: 1, max: 40 }), (contacts, size) => {
      const body = { update_existing: true, contacts, list_id: 'lst_[{"contacts":[1]}]' };
      const plain = JSON.parse(JSON.stringify(contacts)) as unknown;
      for (const text of [JSON.stringify(body), JSON.stringify(body, null, 2)]) {
        const read = readIn(cut(text, size));
        expect(read.contacts).toEqual(plain);
        expect(read.rest).toEqual({ ...body, contacts: contacts.map(() => 0) });
      }
    }),
    { numRuns: 200 },
  );
});

test('keeps scalars in the place of contacts apart', () => {
  expect(readIn([Buffer.from('{"contacts":[1,"a,]b", null ,[2]]}')]).contacts).toEqual([
    1,
    'a,]b',
    null,
    [2],
  ]);
});

test.each([
  '{"contacts":[{"a":1}',
  '{"contacts":[{} {}]}',
  '{"contacts":[,]}',
  '[{"email":1}',
  '',
  `{"contacts":[{"a":"${'x'.repeat(70_000)}"}]}`,
  `{"contacts":[${'['.repeat(40)}`,
  `{"other":"${'x'.repeat(70_000)}"}`,
])('refuses a body that is none: %#', (text) => {
  expect(() => readIn([Buffer.from(text)])).toThrow(JsonProblem);
});
