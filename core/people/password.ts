// Passwords as Argon2id hashes (RFC 9106) in the PHC string format, so that the cost can be raised later while
// old hashes still verify.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';

import { invalidField } from '../base/errors.ts';
import { addressIn, isCommonPassword } from './common-password.ts';

// OWASP's first choice for Argon2id with one lane: 19 MiB and 2 passes, about 30 ms of one core.
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Characters; a longer one is refused so that hashing cannot be made expensive by its length. */
const MAX_PASSWORD_CHARS = 256;

/** Characters; NIST SP 800-63B asks for 8 at least, 12 leaves room for guessing to get faster. */
const MIN_PASSWORD_CHARS = 12;

interface Cost {
  memory: number;
  passes: number;
  parallelism: number;
}

/** A password nobody has to think of: 120 bits in URL-safe characters. */
export function randomPassword(): string {
  return randomBytes(15).toString('base64url');
}

/**
 * Refuses a password that is too short or too long, common, or has a part of its person's address in it; `field` is its
 * name in the input.
 */
export async function checkPassword(field: string, password: string, email: string): Promise<void> {
  if (password.length < MIN_PASSWORD_CHARS || password.length > MAX_PASSWORD_CHARS)
    throw invalidField(field, `must have ${MIN_PASSWORD_CHARS} to ${MAX_PASSWORD_CHARS} characters`);
  const part = addressIn(password, email);
  if (part !== null) throw invalidField(field, `must not contain "${part}" of the email address`);
  if (await isCommonPassword(password))
    throw invalidField(
      field,
      'is among the most used passwords, which are guessed first; choose another one',
    );
}

/** Hashes a password with a fresh salt. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return phc(COST, salt, await derive(password, salt, COST, HASH_BYTES));
}

/**
 * Whether the password belongs to the hash. A null hash (nobody of that name, or SSO only) costs the same time as a
 * wrong password and is false, so that timing does not reveal who has an account.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const parts = PHC.exec(stored ?? NOBODY);
  if (!parts) throw new Error('a stored password hash is not in the PHC format');
  const cost = { memory: Number(parts[1]), passes: Number(parts[2]), parallelism: Number(parts[3]) };
  const expected = Buffer.from(parts[5] ?? '', 'base64');
  const salt = Buffer.from(parts[4] ?? '', 'base64');
  const actual = await derive(password.slice(0, MAX_PASSWORD_CHARS + 1), salt, cost, expected.length);
  return timingSafeEqual(actual, expected) && stored !== null;
}

const NOBODY = phc(COST, Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));

function phc(cost: Cost, salt: Buffer, hash: Buffer): string {
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/={1,2}$/, '');
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${text(salt)}$${text(hash)}`;
}

function derive(password: string, nonce: Buffer, cost: Cost, tagLength: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message: password.normalize('NFC'), nonce, tagLength, ...cost }, (error, hash) =>
      error ? reject(error) : resolve(hash),
    );
  });
}
