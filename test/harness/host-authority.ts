// A certificate authority for tracking hosts and ACME directories of one test file.

import { generateKeyPairSync, type KeyObject } from 'node:crypto';

import { makeCertificate } from '../../core/base/certificate.ts';

/** It, and what it signs. All PEM. */
export interface HostAuthority {
  ca: string;
  sign(names: string[], life?: { fromMs?: number; toMs?: number }): Promise<{ cert: string; key: string }>;
}

const DAY_MS = 86_400_000;

/** Makes one. */
export async function makeHostAuthority(name = 'Test authority'): Promise<HostAuthority> {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = { name, ...keys };
  const make = (
    subject: string,
    publicKey: KeyObject,
    names: string[] | null,
    life: { fromMs?: number; toMs?: number },
  ) =>
    makeCertificate({
      subject,
      issuer,
      publicKey,
      names,
      notBefore: Date.now() + (life.fromMs ?? -DAY_MS),
      notAfter: Date.now() + (life.toMs ?? 30 * DAY_MS),
    });
  return {
    ca: await make(name, keys.publicKey, null, {}),
    async sign(names, life = {}) {
      const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const key = own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      return { cert: await make(names[0]!, own.publicKey, names, life), key };
    },
  };
}
