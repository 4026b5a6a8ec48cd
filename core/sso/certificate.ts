// Certificates of identity providers. They carry a public key; who issued them does not matter in SAML, so neither
// does a chain.

import { X509Certificate } from 'node:crypto';

const MIN_RSA_BITS = 2_048; // NIST SP 800-131A

/** A certificate as owners see it. */
export interface CertificateView {
  /** SHA-256, colon-separated hex. */
  fingerprint: string;
  notAfter: Date;
}

/** A certificate in PEM, from PEM or bare base64; or a sentence on what is wrong with it. */
export function readCertificate(text: string): { ok: true; pem: string } | { ok: false; reason: string } {
  const bare = text.replace(/-----(BEGIN|END) CERTIFICATE-----/g, '').replace(/\s+/g, '');
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(Buffer.from(bare, 'base64'));
  } catch {
    return { ok: false, reason: 'is not an X.509 certificate in PEM' };
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey;
  if (type !== 'rsa' || (details?.modulusLength ?? 0) < MIN_RSA_BITS) {
    return { ok: false, reason: `must contain an RSA key of ${MIN_RSA_BITS} bits or more` };
  }
  return { ok: true, pem: certificate.toString() };
}

/** What owners see of a stored certificate. */
export function viewCertificate(pem: string): CertificateView {
  const certificate = new X509Certificate(pem);
  return { fingerprint: certificate.fingerprint256, notAfter: new Date(certificate.validTo) };
}
