// A certificate for STARTTLS where none is configured. Mail servers encrypt without looking who signed (RFC 7435), so
// one that signed itself still keeps readers of the wire out.

import { generateKeyPairSync } from 'node:crypto';

import { makeCertificate } from '../core/base/certificate.ts';
import { nowMs } from '../core/base/clock.ts';

const DAYS = 825;
const DAY_MS = 86_400_000;

/** Makes a P-256 key and a self-signed certificate for a host name. */
export async function makeOwnCertificate(hostname: string): Promise<{ key: string; cert: string }> {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const cert = await makeCertificate({
    subject: hostname,
    issuer: { name: hostname, ...keys },
    publicKey: keys.publicKey,
    notBefore: nowMs() - DAY_MS,
    notAfter: nowMs() + DAYS * DAY_MS,
    names: [hostname],
  });
  return { key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert };
}
