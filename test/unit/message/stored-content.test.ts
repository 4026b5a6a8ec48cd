import { randomBytes } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { MAX_GRPC_BYTES } from '../../../core/clients/sender-peers.ts';
import { OutgoingMessage } from '../../../core/gen/sender/v1/sender.ts';
import {
  DamagedContent,
  keepPlain,
  packContents,
  unpackContent,
  type StoredContent,
} from '../../../core/message/stored-content.ts';

const pack = async (content: Buffer): Promise<StoredContent> => (await packContents([content]))[0]!;
const encode = (html: string): Buffer =>
  Buffer.from(OutgoingMessage.encode(OutgoingMessage.fromPartial({ from: 'a@b.test', html })).finish());
const LONG = encode('<td style="font-size:12px">kitchen</td>'.repeat(500));

test('what is packed unpacks to the same octets, in order, whatever it says and however long it is', async () => {
  const html = fc
    .tuple(fc.string({ unit: 'binary', maxLength: 4_000 }), fc.integer({ min: 0, max: 200 }))
    .map(([text, times]) => encode(text.repeat(times)));
  await fc.assert(
    fc.asyncProperty(fc.array(html, { maxLength: 4 }), async (contents) => {
      const stored = await packContents(contents);
      for (const [at, { bytes, plainOctets }] of stored.entries()) {
        expect((await unpackContent(bytes)).equals(contents[at]!)).toBe(true);
        expect(plainOctets).toBe(bytes === contents[at] ? null : contents[at]!.length);
      }
    }),
    { numRuns: 100 },
  );
});

test('25 MiB go through the threads of zlib and come back', async () => {
  const large = Buffer.concat([LONG, Buffer.alloc(25 * 1024 * 1024, 'a line of text\r\n')]);
  const { bytes, plainOctets } = await pack(large);
  expect(plainOctets).toBe(large.length);
  expect((await unpackContent(bytes)).equals(large)).toBe(true);
  const noise = Buffer.concat([encode('x'), randomBytes(1024 * 1024)]);
  expect(await pack(noise)).toEqual(keepPlain(noise));
});

test('what is short or does not shrink stays as it is', async () => {
  for (const content of [
    Buffer.alloc(0),
    encode('<p>Hello</p>'),
    Buffer.concat([encode('x'), randomBytes(9_000)]),
  ])
    expect(await pack(content)).toEqual({ bytes: content, plainOctets: null });
});

test('what is cut off, changed or made up is a clear error, never another message', async () => {
  const { bytes } = await pack(LONG);
  for (let length = 1; length < bytes.length; length++)
    await expect(unpackContent(bytes.subarray(0, length)), `${length}`).rejects.toThrow(DamagedContent);
  for (let at = 1; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 0x10;
    const read = await unpackContent(changed).catch((error: unknown) => error);
    if (Buffer.isBuffer(read)) expect(read.equals(LONG), `octet ${at}`).toBe(true);
    else expect(read, `octet ${at}`).toBeInstanceOf(DamagedContent);
  }
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (any) => {
      const made = Buffer.concat([Buffer.from([0x0f]), any]);
      await expect(unpackContent(made)).rejects.toThrow(
        `a stored content of ${made.length} octets does not unpack`,
      );
    }),
  );
});

test('no more comes out than can have been submitted', async () => {
  const bomb = zstdCompressSync(Buffer.alloc(MAX_GRPC_BYTES + 1));
  expect(bomb.length).toBeLessThan(10_000);
  await expect(unpackContent(Buffer.concat([Buffer.from([0x0f]), bomb]))).rejects.toThrow(DamagedContent);
});

test('a version from before packing does not read a packed content as an empty message', async () => {
  const { bytes } = await pack(LONG);
  expect(() => OutgoingMessage.decode(bytes)).toThrow('wire type 7');
});
