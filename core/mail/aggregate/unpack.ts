// The report in an attachment: zip, gzip or plain, whatever its name or type says. Bombs are bounded by what comes out of
// them, not by what they say about themselves.

import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';

import { NotAReport } from './report.ts';

/** Bytes of one unpacked report: 50,000 records or more. */
export const MAX_UNPACKED_BYTES = 32 * 1024 * 1024;

const MAX_RATIO = 200; // XML of reports packs about 1:20; the best that deflate does is 1:1032
const FREE_BYTES = 1024 * 1024; // up to here any ratio: small reports of one sentence
const MAX_ENTRIES = 10; // of an archive: one report, and what some systems put beside it
const MAX_NESTING = 2; // a gzip in a zip happens

const unzipGzip = promisify(gunzip);

/** The bytes of what looks like XML or JSON, or null for anything else. Throws NotAReport for what is too large or broken. */
export async function unpack(bytes: Buffer, nesting = 0): Promise<Buffer | null> {
  if (bytes.length > MAX_UNPACKED_BYTES) throw new NotAReport('it is too large');
  if (looksLikeText(bytes)) return bytes;
  if (nesting === MAX_NESTING) return null;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return unpack(await readGzip(bytes), nesting + 1);
  if (bytes.subarray(0, 4).equals(ZIP)) return readZip(bytes, nesting);
  return null;
}

const ZIP = Buffer.from('PK\x03\x04');

// The first character after a byte order mark and blanks.
function looksLikeText(bytes: Buffer): boolean {
  return /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*[<{]/.test(bytes.subarray(0, 256).toString('latin1'));
}

function limitOf(packed: number): number {
  return Math.min(MAX_UNPACKED_BYTES, Math.max(FREE_BYTES, packed * MAX_RATIO));
}

async function readGzip(bytes: Buffer): Promise<Buffer> {
  try {
    return await unzipGzip(withoutLineEnd(bytes), { maxOutputLength: limitOf(bytes.length) });
  } catch (error) {
    const large = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new NotAReport(large ? 'it is too large when unpacked' : 'its gzip is broken');
  }
}

// Some reporters end the file as a line of text (Mimecast), which gunzip takes for a second, broken member. No gzip that is
// within our limit ends so by itself: its last octet is the highest of its size.
function withoutLineEnd(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (bytes[end - 1] === 0x0a || bytes[end - 1] === 0x0d) end--;
  return bytes.subarray(0, end);
}

async function readZip(bytes: Buffer, nesting: number): Promise<Buffer | null> {
  let left = limitOf(bytes.length); // of all files together
  try {
    const zip = await fromBufferPromise(bytes, { decodeStrings: false });
    if (zip.entryCount > MAX_ENTRIES) throw new NotAReport('its zip has too many files');
    for await (const entry of zip.eachEntry()) {
      const content = await readEntry(await zip.openReadStreamPromise(entry), left);
      left -= content.length;
      const found = await unpack(content, nesting + 1);
      if (found) return found;
    }
  } catch (error) {
    throw error instanceof NotAReport ? error : new NotAReport('its zip is broken');
  }
  return null;
}

async function readEntry(stream: Readable, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > limit) throw new NotAReport('it is too large when unpacked');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
