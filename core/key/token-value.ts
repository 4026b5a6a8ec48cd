// The values of API keys and admin tokens: `<prefix>` + 43 characters + 6 characters.
//
//   sk_live_ | 32 random bytes as a base62 number, 43 digits | CRC32 of everything before it, base62, 6 digits
//
// The checksum lets a mistyped or made-up value be refused without a query, and lets secret
// scanners tell ours from noise. It is no secret and no proof: the 256 random bits are.

import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What a value opens: `sk_live_` a tenant's API, `sa_live_` the administration of the service. */
export type TokenPrefix = 'sk_live_' | 'sa_live_';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_BYTES = 32;
const SECRET_DIGITS = 43; // 62^43 > 2^256
const CHECKSUM_DIGITS = 6; // 62^6 > 2^32
const SHAPE = /^s[ka]_live_[0-9A-Za-z]{49}$/;

/** A fresh value; show it once, store only its SHA-256. */
export function mintToken(prefix: TokenPrefix): string {
  const secret = BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`);
  const body = prefix + base62(secret, SECRET_DIGITS);
  return body + checksum(body);
}

/** Which kind of token this is, if it is one of ours by shape and checksum; null for anything else. */
export function tokenPrefix(value: string): TokenPrefix | null {
  if (!SHAPE.test(value)) return null;
  const body = value.slice(0, -CHECKSUM_DIGITS);
  if (checksum(body) !== value.slice(-CHECKSUM_DIGITS)) return null;
  return value.startsWith('sk_') ? 'sk_live_' : 'sa_live_';
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), CHECKSUM_DIGITS);
}

function base62(number: bigint, width: number): string {
  let digits = '';
  for (let rest = number; digits.length < width; rest /= 62n)
    digits = DIGITS.charAt(Number(rest % 62n)) + digits;
  return digits;
}
