// A certificate for STARTTLS where none is configured. Mail servers encrypt without looking who signed (RFC 7435), so
// one that signed itself still keeps readers of the wire out.

import 'reflect-metadata';
import { X509CertificateGenerator } from '@peculiar/x509';

import { nowDate } from '../core/base/clock.ts';

const DAYS = 825;

/** Makes a key and a self-signed certificate for a host name. */
export async function makeOwnCertificate(hostname: string): Promise<{ key: string; cert: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const notBefore = nowDate();
  const notAfter = new Date(notBefore.getTime() + DAYS * 86_400_000);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${hostname.replace(/[^A-Za-z0-9.-]/g, '')}`,
    keys,
    notBefore,
    notAfter,
    signingAlgorithm: algorithm,
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8.replace(/(.{64})/g, '$1\n').trim()}\n-----END PRIVATE KEY-----\n`;
  return { key, cert: certificate.toString('pem') };
}
