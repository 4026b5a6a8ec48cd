// VERP: an address of ours that says which message came back, and that nobody else can make.
// `b+<token>@<return path domain>`, token = base32 of 16 octets of uuid and 14 of HMAC-SHA-256.
// The MAC covers the uuid and the domain, so an address is worth nothing at another domain. Base32 (RFC 4648 section 6, lower case) because gateways on the way change
// letter case.

import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * What an address is made from; `key` is 32 secret octets or more, `domain` the return path domain in lower
 * case.
 */
export type ReturnPathInput = { messageId: string; key: Buffer; domain: string };

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const ADDRESS = /^b\+([a-z2-7]{48})@([a-z0-9.-]{1,253})$/;
const ID_OCTETS = 16;

// Octets: 112 bits, out of reach of guessing over SMTP; and 30 octets fill 48 base32 digits exactly, so no
// token has a second spelling. The local part is then 50 of the 64 octets allowed.
const MAC_OCTETS = 14;

/**
 * The envelope sender of one message, lower case. Throws when messageId is no uuid: that is a bug of the
 * caller.
 */
export function makeReturnPath({ messageId, key, domain }: ReturnPathInput): string {
  if (!UUID.test(messageId)) throw new RangeError(`not a uuid: ${messageId}`);
  const octets = Buffer.from(messageId.replaceAll('-', ''), 'hex');
  const token = Buffer.concat([octets, macOf(octets, domain, key)]);
  return `b+${toBase32(token)}@${domain}`;
}

/**
 * The message a return path of ours names, or null. Several keys: the newest first, old ones until rotation
 * is over. Every key is tried and every comparison takes the same time, so an answer says nothing about how near a
 * guess was.
 */
export function readReturnPath(address: string, keys: readonly Buffer[]): { messageId: string } | null {
  const match = ADDRESS.exec(address.toLowerCase());
  if (!match) return null;
  const token = fromBase32(match[1] ?? '');
  const octets = token.subarray(0, ID_OCTETS);
  let genuine = false;
  for (const key of keys) {
    if (timingSafeEqual(token.subarray(ID_OCTETS), macOf(octets, match[2] ?? '', key))) genuine = true;
  }
  return genuine ? { messageId: toUuid(octets) } : null;
}

function macOf(id: Buffer, domain: string, key: Buffer): Buffer {
  return createHmac('sha256', key)
    .update('postrider b ')
    .update(id)
    .update(domain)
    .digest()
    .subarray(0, MAC_OCTETS);
}

function toUuid(octets: Buffer): string {
  const hex = octets.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function toBase32(octets: Buffer): string {
  let out = '';
  let bits = 0;
  let held = 0;
  for (const octet of octets) {
    held = ((held << 8) | octet) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) out += ALPHABET[(held >> (bits - 5)) & 31];
  }
  return out;
}

function fromBase32(text: string): Buffer {
  const out: number[] = [];
  let bits = 0;
  let held = 0;
  for (const digit of text) {
    held = ((held << 5) | ALPHABET.indexOf(digit)) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      out.push((held >> bits) & 0xff);
    }
  }
  return Buffer.from(out);
}
