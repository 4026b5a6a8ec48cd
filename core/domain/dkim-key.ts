// Making the signing keys of a domain (RFC 6376 section 3.6.1; Ed25519 by RFC 8463).

import { generateKeyPair, randomBytes, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

import { newUuid } from '../base/ids.ts';
import { seal } from '../base/secrets.ts';
import { createTenantTurns } from '../base/tenant-turns.ts';
import type { DkimAlgorithm } from './domain.ts';

const generate = promisify(generateKeyPair);

// Bits: what every receiver accepts (RFC 8301 asks for 2048), and still one UDP answer.
const RSA_BITS = 2048;
const SELECTOR_BYTES = 4;

/** Most new keys of one tenant that wait for their turn: about 3 s of generating. */
export const MAX_WAITING_KEYS_OF_TENANT = 30;
const MAX_WAITING_KEYS = 100; // about 10 s, the longest that a caller waits
const RETRY_AFTER_SECONDS = 3;

// RSA takes 0.1 s or more of a thread. The four threads of the pool also serve DNS, files and zlib: one at a time leaves
// three of them free.
const turns = createTenantTurns({
  maxWaiting: MAX_WAITING_KEYS,
  maxWaitingOfTenant: MAX_WAITING_KEYS_OF_TENANT,
  retryAfterSeconds: RETRY_AFTER_SECONDS,
  what: 'DKIM keys',
});

/** A key that is not stored yet. */
export interface NewDkimKey {
  id: string;
  selector: string;
  algorithm: DkimAlgorithm;
  publicKey: string;
  sealedPrivateKey: Buffer;
}

/**
 * Fresh keys under a selector that was never used: RSA always, Ed25519 beside it when asked for. Runs on the thread
 * pool, about 100 ms, one at a time; tenants take turns. `sealKey` encrypts the private halves. Throws `rate_limited` or
 * `unavailable` when too many wait.
 */
export function makeDkimKeys(options: {
  tenantId: string;
  ed25519: boolean;
  sealKey: Buffer;
}): Promise<NewDkimKey[]> {
  return turns.run(options.tenantId, () => generateKeys(options));
}

async function generateKeys(options: { ed25519: boolean; sealKey: Buffer }): Promise<NewDkimKey[]> {
  const selector = `pr${randomBytes(SELECTOR_BYTES).toString('hex')}`;
  const rsa = await generate('rsa', { modulusLength: RSA_BITS });
  const keys = [toKey(selector, 'rsa-sha256', rsa, options.sealKey)];
  if (options.ed25519) {
    const ed25519 = await generate('ed25519', undefined);
    keys.push(toKey(`${selector}-ed`, 'ed25519-sha256', ed25519, options.sealKey));
  }
  return keys;
}

/** What the TXT record of a key says. */
export function dkimRecordValue(key: { algorithm: DkimAlgorithm; publicKey: string }): string {
  return `v=DKIM1; k=${keyType(key.algorithm)}; p=${key.publicKey}`;
}

/** The `k=` of an algorithm. */
export function keyType(algorithm: DkimAlgorithm): 'rsa' | 'ed25519' {
  return algorithm === 'rsa-sha256' ? 'rsa' : 'ed25519';
}

function toKey(
  selector: string,
  algorithm: DkimAlgorithm,
  pair: { publicKey: KeyObject; privateKey: KeyObject },
  sealKey: Buffer,
): NewDkimKey {
  return {
    id: newUuid(),
    selector,
    algorithm,
    publicKey: publicText(algorithm, pair.publicKey),
    sealedPrivateKey: seal(sealKey, pair.privateKey.export({ format: 'der', type: 'pkcs8' })),
  };
}

// RSA is published as SubjectPublicKeyInfo, Ed25519 as its bare 32 octets (RFC 8463 section 4.2).
function publicText(algorithm: DkimAlgorithm, key: KeyObject): string {
  if (algorithm === 'rsa-sha256') return key.export({ format: 'der', type: 'spki' }).toString('base64');
  return Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
}
