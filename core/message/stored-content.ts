// What a message says, as the record keeps it: packed with zstd where that is worth it. The form is told by the first octet:
// a packed content begins with MARK, which no sender.v1.OutgoingMessage does (field 1 with wire type 7, which protobuf does not
// have). So rows from before packing are read as they are, and a version that cannot unpack fails on a packed one instead of
// reading an empty message; it tries again later (docs/operating.md, Upgrading).
//
// Measured: docs/adr/0015-packed-contents.md.

import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib';

import { MAX_GRPC_BYTES } from '../clients/sender-peers.ts';

/** A content as its row has it. */
export interface StoredContent {
  bytes: Buffer;
  /** Octets of what is packed in `bytes`; null when they are the content itself. */
  plainOctets: number | null;
}

/** Stored bytes that do not unpack: damaged in the store, for no caller can name any. */
export class DamagedContent extends Error {}

const MARK = Buffer.from([0x0f]);
const LEVEL = 1; // 5 saves 3 % more and takes twice as long
const LEAST_OCTETS = 4096; // a call costs 55 µs: from about 5 kB on PostgreSQL saves more than that, at 2 kB it is 50 µs for nothing
const WORTH_IT = 7 / 8; // of the octets; else unpacking costs more than it saves: attachments that are packed already
const MOST_AT_ONCE = 256 * 1024; // octets in the event loop, 1 ms; more goes to the threads of zlib
const YIELD_AFTER = 1024 * 1024; // octets packed one after the other, 4 ms
const COMPRESSION = {
  [constants.ZSTD_c_compressionLevel]: LEVEL,
  [constants.ZSTD_c_checksumFlag]: 1, // 4 octets, so that a flipped bit is found
};
const inThread = { pack: promisify(zstdCompress), unpack: promisify(zstdDecompress) };

/** Packs contents, in order; those that do not shrink stay as they are. Lets others run in between. */
export async function packContents(contents: Buffer[]): Promise<StoredContent[]> {
  const stored: StoredContent[] = [];
  let since = 0;
  for (const content of contents) {
    stored.push(await packContent(content));
    since += content.length;
    if (since < YIELD_AFTER) continue;
    since = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return stored;
}

/** A content that is stored as it is. */
export function keepPlain(content: Buffer): StoredContent {
  return { bytes: content, plainOctets: null };
}

async function packContent(content: Buffer): Promise<StoredContent> {
  if (content.length < LEAST_OCTETS) return keepPlain(content);
  const options = { params: COMPRESSION, pledgedSrcSize: content.length };
  const packed =
    content.length > MOST_AT_ONCE
      ? await inThread.pack(content, options)
      : zstdCompressSync(content, options);
  if (MARK.length + packed.length > content.length * WORTH_IT) return keepPlain(content);
  return { bytes: Buffer.concat([MARK, packed]), plainOctets: content.length };
}

/** The content in stored bytes of either form. Throws DamagedContent; at most MAX_GRPC_BYTES come out, as no more went in. */
export async function unpackContent(stored: Buffer): Promise<Buffer> {
  if (stored[0] !== MARK[0]) return stored;
  const packed = stored.subarray(MARK.length);
  try {
    const options = { maxOutputLength: MAX_GRPC_BYTES };
    return packed.length > MOST_AT_ONCE
      ? await inThread.unpack(packed, options)
      : zstdDecompressSync(packed, options);
  } catch (cause) {
    throw new DamagedContent(`a stored content of ${stored.length} octets does not unpack`, { cause });
  }
}
