// What anybody may post as a SAML response: decoded in linear time, and read only as far as the request that it names.

import { describe, expect, test } from 'vitest';

import { decodeResponse } from '../../../core/sso/decode-response.ts';
import { threadMs } from '../../harness/thread-time.ts';

const encode = (xml: string) => Buffer.from(xml).toString('base64');

test.each([
  ['<p:Response InResponseTo="_a1" ID="x"/>', '_a1'],
  ['<?xml version="1.0"?>\n<Response\n InResponseTo = \'_a1\'></Response>', '_a1'],
  ['\uFEFF<Response Destination="https://a.test/?b>c" InResponseTo="_a1"/>', '_a1'],
])('%s names a request', (xml, id) => {
  expect(decodeResponse(encode(xml))).toEqual({ xml, inResponseTo: id });
});

test.each([
  ['no request', encode('<Response/>')],
  ['a request in a child', encode('<Response><Assertion InResponseTo="_a1"/></Response>')],
  ['an id without end', encode(`<Response InResponseTo="${'a'.repeat(201)}"/>`)],
  ['a DTD', encode('<!DOCTYPE a><Response InResponseTo="_a1"/>')],
  ['an instruction', encode('<Response InResponseTo="_a1"><?a b?></Response>')],
  ['no base64', '<Response InResponseTo="_a1"/>'],
  ['no UTF-8', Buffer.from('<Response InResponseTo="_a\xff"/>', 'latin1').toString('base64')],
  ['nothing', ''],
])('%s', (_, posted) => {
  expect(decodeResponse(posted)).toBeNull();
});

describe('100 kB are decoded in a moment', () => {
  const again = (unit: string) => unit.repeat(Math.floor(100_000 / unit.length));
  test.each([
    ['blanks before a character that is not base64', `A${again(' ')}!`],
    ['padding', `${again('=')}!`],
    ['blanks in a tag', encode(`<a${again(' ').slice(0, 70_000)}`)],
    ['names without a value', encode(`<a ${again('InResponseTo ').slice(0, 70_000)}`)],
    ['a declaration without end', encode(`<?xml ${again('a ').slice(0, 70_000)}`)],
  ])('%s', (_, posted) => {
    expect(threadMs(() => decodeResponse(posted))).toBeLessThan(200); // quadratic ones took 5 s and more
  });
});
