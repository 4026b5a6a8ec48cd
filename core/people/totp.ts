// Codes that an authenticator app shows (TOTP, RFC 6238) and recovery codes for when it is lost.

import { Secret, TOTP } from 'otpauth';

import { nowMs } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { deriveKeys, seal, sha256, unseal } from '../base/secrets.ts';
import {
  countCodes,
  selectSecondFactor,
  takeCode,
  takeStep,
  type SecondFactor,
} from './second-factor-store.ts';
import type { Queryable } from '../db/pool.ts';

/** What every app can do, and what most take for granted: SHA-1, six digits, 30 seconds. */
const KIND = { issuer: 'Postrider', algorithm: 'SHA1', digits: 6, period: 30 };

const SECRET_BYTES = 20; // RFC 4226 section 4 recommends 160 bits
const WINDOW = 1; // steps before and after the current one: the clocks of phones (RFC 6238 section 5.2)
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10; // 80 bits, so that a plain hash is enough, in 16 characters
const MAX_CODE_CHARS = 40; // with spaces and dashes; nothing longer is looked at

type Keys = Pick<Config, 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS'>;

/** A secret that was made just now, to show once. */
export interface NewSecret {
  /** In base32, to type into an app. */
  secret: string;
  /** The same as `otpauth://` URL, for a QR code. */
  url: string;
  sealed: Buffer;
}

/** Makes a secret for the app of the person with this address. */
export function newSecret(config: Keys, email: string): NewSecret {
  const secret = new Secret({ size: SECRET_BYTES });
  const url = new TOTP({ ...KIND, label: email, secret }).toString();
  return {
    secret: secret.base32,
    url,
    sealed: seal(deriveKeys(config, 'secret-box')[0], Buffer.from(secret.bytes)),
  };
}

/** Ten recovery codes to show once, and what is stored of them. */
export function newRecoveryCodes(): { codes: string[]; hashes: Buffer[] } {
  const plain = Array.from({ length: RECOVERY_CODES }, () => new Secret({ size: RECOVERY_BYTES }).base32);
  const codes = plain.map((code) => code.toLowerCase().replace(/(.{4})(?=.)/g, '$1-'));
  return { codes, hashes: plain.map((code) => sha256(code)) };
}

/** Whether this is the app's code of now, and nobody has used it; it is used up by that. */
export async function useAppCode(
  db: Queryable,
  config: Keys,
  factor: SecondFactor,
  code: string,
): Promise<boolean> {
  const token = clean(code);
  if (!/^[0-9]{6}$/.test(token)) return false;
  const bytes = new Uint8Array(unseal(deriveKeys(config, 'secret-box'), factor.sealedSecret));
  const timestamp = nowMs();
  const totp = new TOTP({ ...KIND, secret: new Secret({ buffer: bytes.buffer }) });
  const delta = totp.validate({ token, timestamp, window: WINDOW }); // compares in constant time
  if (delta === null) return false;
  return takeStep(db, factor, Math.floor(timestamp / 1000 / KIND.period) + delta);
}

/** What a code turned out to be: `left` are the recovery codes that remain. */
export type UsedCode = { kind: 'app' } | { kind: 'recovery'; left: number };

/** Uses up a code of the app or a recovery code. Null when it is wrong or was used, or nobody is asked for one. */
export async function useCode(
  db: Queryable,
  config: Keys,
  userId: string,
  code: string,
): Promise<UsedCode | null> {
  const factor = await selectSecondFactor(db, userId);
  if (!factor?.confirmedAt) return null;
  if (await useAppCode(db, config, factor, code)) return { kind: 'app' };
  if (!(await takeCode(db, userId, sha256(clean(code).toUpperCase())))) return null;
  return { kind: 'recovery', left: await countCodes(db, userId) };
}

// As people type it: with the spaces and dashes that it is shown with.
function clean(code: string): string {
  return code.length > MAX_CODE_CHARS ? '' : code.replace(/[\s-]/g, '');
}
