// X.509 certificates (RFC 5280) with P-256 keys, as far as a local authority and one server need them.

import 'reflect-metadata'; // @peculiar/x509 wants it loaded first
import { randomBytes, webcrypto, type KeyObject } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** What a certificate says. */
export interface CertificateContent {
  /** Common name of the subject. */
  subject: string;
  /** Common name and private key of the issuer; for an authority or a self-signed one they are its own. */
  issuer: { name: string; publicKey: KeyObject; privateKey: KeyObject };
  publicKey: KeyObject;
  /** Milliseconds since the epoch. */
  notBefore: number;
  notAfter: number;
  /** DNS names and IP addresses that a server's certificate is good for; null makes an authority. */
  names: string[] | null;
}

const P256 = { name: 'ECDSA', namedCurve: 'P-256' };
const SERIAL_OCTETS = 16; // RFC 5280 section 4.1.2.2 allows 20

/** Signs a certificate and gives it in PEM. */
export async function makeCertificate(content: CertificateContent): Promise<string> {
  const [publicKey, signingKey, issuerKey] = await Promise.all([
    importKey(content.publicKey, 'spki'),
    importKey(content.issuer.privateKey, 'pkcs8'),
    importKey(content.issuer.publicKey, 'spki'),
  ]);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: randomBytes(SERIAL_OCTETS).toString('hex'),
    subject: [{ CN: [content.subject] }],
    issuer: [{ CN: [content.issuer.name] }],
    notBefore: new Date(content.notBefore),
    notAfter: new Date(content.notAfter),
    publicKey,
    signingKey,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [
      ...(content.names === null ? authorityExtensions() : serverExtensions(content.names)),
      await x509.SubjectKeyIdentifierExtension.create(publicKey, false),
      await x509.AuthorityKeyIdentifierExtension.create(issuerKey, false),
    ],
  });
  return `${certificate.toString('pem')}\n`;
}

function authorityExtensions(): x509.Extension[] {
  const usage = x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign;
  return [new x509.BasicConstraintsExtension(true, 0, true), new x509.KeyUsagesExtension(usage, true)];
}

function serverExtensions(names: string[]): x509.Extension[] {
  const { serverAuth, clientAuth } = x509.ExtendedKeyUsage;
  const alternatives = names.map((value): x509.JsonGeneralName => ({
    type: isAddress(value) ? 'ip' : 'dns',
    value,
  }));
  return [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    new x509.ExtendedKeyUsageExtension([serverAuth, clientAuth]),
    new x509.SubjectAlternativeNameExtension(alternatives),
  ];
}

function isAddress(name: string): boolean {
  return name.includes(':') || /^\d+(\.\d+){3}$/.test(name);
}

// The library is typed for browsers, whose CryptoKey is the same thing under another name.
async function importKey(key: KeyObject, format: 'spki' | 'pkcs8'): Promise<CryptoKey> {
  const bytes = key.export({ type: format, format: 'der' } as { type: 'spki'; format: 'der' });
  const usage = format === 'spki' ? 'verify' : 'sign';
  return (await webcrypto.subtle.importKey(format, bytes, P256, true, [usage])) as unknown as CryptoKey;
}
