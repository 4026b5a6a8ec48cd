// A certificate with its key, checked before anybody is served it.

import { createPrivateKey, X509Certificate } from 'node:crypto';

import { seal } from '../base/secrets.ts';

/** A certificate as it is stored. */
export interface HostCertificate {
  /** PEM, the host's own certificate first. */
  chain: string;
  /** SHA-256. */
  fingerprint: string;
  expiresAt: Date;
  /** When two thirds of its life are over. */
  renewAt: Date;
  sealedKey: Buffer;
}

/** Reads a certificate chain and its private key (PEM). Throws when one is no PEM, or they do not belong together. */
export function readPair(chain: string, key: string): X509Certificate {
  const own = new X509Certificate(chain);
  if (!own.checkPrivateKey(createPrivateKey(key)))
    throw new Error('the private key belongs to another certificate');
  return own;
}

/** Makes a pair fit to be stored. Throws as `readPair` does, or when it is not for this name. */
export function makeStored(name: string, chain: string, key: string, sealKey: Buffer): HostCertificate {
  const own = readPair(chain, key);
  if (own.checkHost(name) === undefined) throw new Error(`the certificate is not for ${name}`);
  const life = own.validToDate.getTime() - own.validFromDate.getTime();
  return {
    chain,
    fingerprint: own.fingerprint256,
    expiresAt: own.validToDate,
    renewAt: new Date(own.validFromDate.getTime() + (life * 2) / 3),
    sealedKey: seal(sealKey, Buffer.from(key)),
  };
}
