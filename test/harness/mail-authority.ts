// A certificate authority that this process trusts, for mail servers and policy hosts of tests.

import { generateKeyPairSync } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

import { makeCertificate } from '../../core/base/certificate.ts';

/** Key and certificate in PEM. */
export interface PeerCertificate {
  key: string;
  cert: string;
}

/** The authority. */
export interface MailAuthority {
  /** Its own certificate. */
  cert: string;
  /** A certificate for these names; `expired` since yesterday when asked for. */
  issue(names: string[], expired?: boolean): Promise<PeerCertificate>;
}

const DAY_MS = 86_400_000;

/** Makes an authority; `trusted` adds it to those of this process. */
export async function createMailAuthority(trusted = true): Promise<MailAuthority> {
  const issuer = { name: 'Mail Test CA', ...newKeys() };
  const now = Date.now();
  const cert = await makeCertificate({
    subject: issuer.name,
    issuer,
    publicKey: issuer.publicKey,
    notBefore: now - 30 * DAY_MS,
    notAfter: now + 30 * DAY_MS,
    names: null,
  });
  if (trusted) setDefaultCACertificates([...getCACertificates('default'), cert]);
  return {
    cert,
    issue: async (names, expired = false) => {
      const { publicKey, privateKey } = newKeys();
      const leaf = await makeCertificate({
        subject: names[0]!,
        issuer,
        publicKey,
        notBefore: now - 10 * DAY_MS,
        notAfter: expired ? now - DAY_MS : now + 20 * DAY_MS,
        names,
      });
      return { key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), cert: leaf };
    },
  };
}

function newKeys() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}
