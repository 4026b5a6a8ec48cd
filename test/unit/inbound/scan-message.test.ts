import { expect, test } from 'vitest';

import { BAD_ENDINGS } from '../../harness/bad-endings.ts';
import { scanMessage } from '../../../inbound/smtp/scan-message.ts';

function scan(text: string, size = 1_000_000) {
  const watching = scanMessage();
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at += size) watching.push(bytes.subarray(at, at + size));
  return watching;
}

test.each<[string, string | null]>([
  ['a\n.\nb', 'smuggling'],
  ['a\r.\rb', 'smuggling'],
  ...BAD_ENDINGS.map(([, ending]) => [`a${ending}b\r\n`, 'smuggling'] as [string, string]),
  ['a\r\n.\r\n', null],
  ['a\r\n.x\r\n', null],
  ['a\r\n..\n', null],
  ['a\r\n.x\0\r\n', null],
  ['a\r\n\0.\0x\r\n', null],
  ['a\r\n\0\0.\0\0\r\n', 'smuggling'],
  ['.\r\n', null],
  ['.\n', 'smuggling'],
  ['.\r.', 'smuggling'],
  ['\0.\r\n', 'smuggling'],
  ['\n.', 'smuggling'],
  ['\r.', 'smuggling'],
  ['a\nb\rc\0d.\r\n', null],
])('%j is %s, in any portions', (text, problem) => {
  for (const size of [1, 2, 3, 100]) expect(scan(text, size).problem()).toBe(problem);
});

test('only Received fields of the header count', () => {
  const hop = 'Received: from a by b;\r\n\tSat, 21 Nov 2026 03:05:13 +0000\r\n';
  expect(scan(`${hop.repeat(50)}\r\nx`).problem()).toBeNull();
  expect(scan(`${hop.repeat(51)}\r\nx`, 7).problem()).toBe('loop');
  expect(scan(`Subject: x\r\n\r\n${hop.repeat(200)}`).problem()).toBeNull();
  expect(scan('received: x\r\n'.repeat(60)).problem()).toBe('loop');
});

test('our own mail is known by its Feedback-ID in the header', () => {
  expect(scan('Feedback-ID: a:b:bulk:postrider\r\n\r\n').isOurs()).toBe(true);
  expect(scan('Feedback-ID: a:b:bulk:other\r\n\r\n').isOurs()).toBe(false);
  expect(scan('Subject: x\r\n\r\nFeedback-ID: a:b:bulk:postrider\r\n').isOurs()).toBe(false);
});
