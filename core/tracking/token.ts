// The content of tracking links: which message, of which tenant, and for a click where it leads, all under our
// signature. Nobody else can make a token, change one, or use a token of one kind as another.
//
// base64url( 16 octets of HMAC-SHA-256 ‖ message uuid ‖ tenant uuid ‖ kind's own text )

import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';

import type { Config } from '../base/config.ts';
import { deriveKeys } from '../base/secrets.ts';

/** What a token is for: an open, a click, an unsubscribe. */
export type TokenKind = 'o' | 'c' | 'u';

/** What a token says. */
export interface TrackingToken {
  /** UUID. */
  messageId: string;
  /** UUID. */
  tenantId: string;
  /** The target of a click, or the address that unsubscribes; empty otherwise. */
  text: string;
}

const MAC_OCTETS = 16; // 128 bits: out of reach of guessing over HTTP
const UUID_OCTETS = 16;
const HEAD_OCTETS = MAC_OCTETS + 2 * UUID_OCTETS;

/** Octets of a token's text: links of newsletters have a few hundred, and mail programs cut URLs at about 4,000. */
export const MAX_TOKEN_TEXT_OCTETS = 2_000;

const MAX_TOKEN_CHARS = Math.ceil(((HEAD_OCTETS + MAX_TOKEN_TEXT_OCTETS) * 4) / 3);
const TOKEN = /^[A-Za-z0-9_-]{64,}$/;

/** The keys of tokens: the one that signs, then the one before it while rotating. */
export function trackingKeys(
  config: Pick<Config, 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS'>,
): [KeyObject, ...KeyObject[]] {
  const [first, ...rest] = deriveKeys(config, 'tracking');
  // Not the bare octets: Node would make them into a key for every token, which takes four times the signing.
  return [createSecretKey(first), ...rest.map((key) => createSecretKey(key))];
}

/** Makes a token. Throws when the text is too long: whoever asks has to look first. */
export function makeToken(
  kind: TokenKind,
  { messageId, tenantId, text }: TrackingToken,
  key: KeyObject,
): string {
  const tail = Buffer.from(text, 'utf8');
  if (tail.length > MAX_TOKEN_TEXT_OCTETS) throw new RangeError('the text of a tracking token is too long');
  const body = Buffer.concat([uuidOctets(messageId), uuidOctets(tenantId), tail]);
  return Buffer.concat([macOf(kind, body, key), body]).toString('base64url');
}

/** What a token of this kind says, or null when we did not make it. Several keys: the newest first. */
export function readToken(kind: TokenKind, token: string, keys: readonly KeyObject[]): TrackingToken | null {
  if (token.length > MAX_TOKEN_CHARS || !TOKEN.test(token)) return null;
  const octets = Buffer.from(token, 'base64url');
  // The last digit can have bits that decoding ignores: a token has one spelling only.
  if (octets.toString('base64url') !== token) return null;
  const body = octets.subarray(MAC_OCTETS);
  // Every key is tried and every comparison takes the same time.
  let genuine = false;
  for (const key of keys) {
    if (timingSafeEqual(octets.subarray(0, MAC_OCTETS), macOf(kind, body, key))) genuine = true;
  }
  if (!genuine) return null;
  return {
    messageId: uuidText(body.subarray(0, UUID_OCTETS)),
    tenantId: uuidText(body.subarray(UUID_OCTETS, 2 * UUID_OCTETS)),
    text: body.subarray(2 * UUID_OCTETS).toString('utf8'),
  };
}

function macOf(kind: TokenKind, body: Buffer, key: KeyObject): Buffer {
  return createHmac('sha256', key)
    .update(`postrider t ${kind} `)
    .update(body)
    .digest()
    .subarray(0, MAC_OCTETS);
}

function uuidOctets(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function uuidText(octets: Buffer): string {
  const hex = octets.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
