// Tokens of links that are mailed: 256 bits that only the owner of the mailbox sees. Stores hold their SHA-256.

import { createHmac, randomBytes } from 'node:crypto';

import type { Config } from '../base/config.ts';
import { deriveKeys } from '../base/secrets.ts';

const TOKEN_BYTES = 32;
const SHAPE = /^[\w-]{43}$/; // 32 bytes in base64url

/** A fresh token. */
export function newLinkToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/**
 * The token of a password reset, made from its mail's id, which is no secret, and MASTER_KEY: it stands in no store
 * before it is mailed, and a mail that is tried again has the same link.
 */
export function resetToken(
  config: Pick<Config, 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS'>,
  mailId: string,
): string {
  const [key] = deriveKeys(config, 'password-reset');
  return createHmac('sha256', key).update(mailId).digest('base64url');
}

/** Whether a text can be a token at all: what cannot costs no look-up. */
export function isLinkToken(text: string): boolean {
  return SHAPE.test(text);
}
