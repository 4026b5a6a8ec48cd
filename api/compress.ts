// Answers compressed for those who accept it. What an attacker can put into an answer must not tell by its length what else is
// in it (BREACH): the length of each is changed at random, as in "Heal the Breach" (Palacios et al., 2022), and
// answers that hold secrets are not given here.

import { randomBytes, randomInt } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';

const LEAST_BYTES = 1_024; // below, it saves less than one packet
const MOST_NOISE_BYTES = 100; // in the name of the file, a field of gzip that readers skip (RFC 1952 2.3.1)
const HEADER_BYTES = 10;
const FLAGS_AT = 3;
const HAS_NAME = 0x08;
const LEVEL = constants.Z_BEST_SPEED + 3; // 50 kB in about a millisecond, off the event loop

const pack = promisify(gzip);

const MAX_ACCEPTED_CHARS = 256; // Chrome sends 23 (`gzip, deflate, br, zstd`); a longer field is ignored

/** Whether an Accept-Encoding allows this coding by its name (RFC 9110 section 12.5.3). */
export function acceptsEncoding(header: string | undefined, encoding: 'br' | 'gzip'): boolean {
  if (header === undefined || header.length > MAX_ACCEPTED_CHARS) return false;
  for (const part of header.toLowerCase().split(',')) {
    const [name, ...parameters] = part.split(';').map((text) => text.trim());
    if (name !== encoding) continue;
    const weight = parameters
      .map((text) => text.split('=').map((side) => side.trim()))
      .find(([q]) => q === 'q');
    return Number(weight?.[1] ?? 1) > 0;
  }
  return false;
}

/** The text in gzip, of a length that is partly chance; null where it is too short to be worth it. */
export async function packText(text: string): Promise<Buffer<ArrayBuffer> | null> {
  if (text.length < LEAST_BYTES) return null;
  const packed = await pack(text, { level: LEVEL });
  const name = Buffer.from(randomBytes(randomInt(MOST_NOISE_BYTES)).map((byte) => (byte % 26) + 97));
  packed[FLAGS_AT] = packed[FLAGS_AT]! | HAS_NAME;
  return Buffer.concat([packed.subarray(0, HEADER_BYTES), name, Buffer.of(0), packed.subarray(HEADER_BYTES)]);
}
