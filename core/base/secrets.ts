// Keys and secrets: everything is derived from MASTER_KEY by HKDF (RFC 5869), one key per purpose, so that all
// processes agree without sharing files, and a leak of one purpose's key says nothing of the others.

import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';

import type { Config } from './config.ts';

/** What a derived key is for. */
export type KeyPurpose = 'jwt' | 'return-path' | 'tracking' | 'secret-box' | 'password-reset';

const IV_BYTES = 12; // AES-GCM's own nonce length (NIST SP 800-38D 8.2)
const TAG_BYTES = 16;

/** The 32-byte keys of one purpose: the current first, then the previous one while rotating. */
export function deriveKeys(
  config: Pick<Config, 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS'>,
  purpose: KeyPurpose,
): [Buffer, ...Buffer[]] {
  const derive = (master: Buffer) => Buffer.from(hkdfSync('sha256', master, '', `postrider:${purpose}`, 32));
  const current = derive(config.MASTER_KEY);
  return config.MASTER_KEY_PREVIOUS ? [current, derive(config.MASTER_KEY_PREVIOUS)] : [current];
}

/** The Ed25519 private key (RFC 8032) whose seed is the given 32 bytes. */
export function ed25519FromSeed(seed: Buffer): KeyObject {
  const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex'); // RFC 8410 section 7
  return createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' });
}

/** Encrypts a secret for storage: nonce, tag and ciphertext in one buffer (AES-256-GCM). */
export function seal(key: Buffer, plain: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

/** Decrypts what `seal` made, trying each key. Throws when none fits or a byte was changed. */
export function unseal(keys: Buffer[], sealed: Buffer): Buffer {
  for (const key of keys) {
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES));
      decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    } catch {
      continue; // the next key may fit: MASTER_KEY is being rotated
    }
  }
  throw new Error('a stored secret cannot be decrypted: MASTER_KEY is not the one it was stored with');
}

/** SHA-256 of a text or bytes: how tokens and bodies are stored and compared. */
export function sha256(input: string | Buffer): Buffer {
  return createHash('sha256').update(input).digest();
}

/** Whether two texts are equal, in time that depends on their length only. */
export function equalInConstantTime(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b));
}
