// What is stored of an identity provider, whether read from its metadata or typed in.

import { invalidField } from '../base/errors.ts';
import { readCertificate } from './certificate.ts';

/** What we need to know of an identity provider. */
export interface IdpSettings {
  idpEntityId: string;
  idpSsoUrl: string;
  /** PEM. */
  certificates: string[];
}

/** The field of an owner's input that holds metadata. */
export const METADATA_FIELD = 'idpMetadataXml';

/** What is wrong with metadata that is not parsed. */
export const NOT_PLAIN_METADATA = 'must be XML without a DTD, with at most 256 KiB and 3,000 tags';

const MOST_CERTIFICATES = 10;

/** Checks settings, whether from metadata or typed in. Returns them with the certificates in PEM. */
export function checkIdpSettings(settings: IdpSettings): IdpSettings {
  const idpEntityId = settings.idpEntityId.trim();
  if (idpEntityId === '' || idpEntityId.length > 1024) {
    throw invalidField('idpEntityId', 'must have 1 to 1024 characters');
  }
  const certificates = settings.certificates.map((text) => {
    const read = readCertificate(text);
    if (!read.ok) throw invalidField('certificatePem', read.reason);
    return read.pem;
  });
  const distinct = [...new Set(certificates)];
  if (distinct.length === 0 || distinct.length > MOST_CERTIFICATES) {
    throw invalidField('certificatePem', `must be 1 to ${MOST_CERTIFICATES} signing certificates`);
  }
  return { idpEntityId, idpSsoUrl: checkSsoUrl(settings.idpSsoUrl.trim()), certificates: distinct };
}

// Plain HTTP to the browser's own machine is for trying things out.
function checkSsoUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const loopback = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  const fits = url !== null && (url.protocol === 'https:' || (loopback && url.protocol === 'http:'));
  if (!fits || text.length > 2048 || url.username !== '' || url.password !== '') {
    throw invalidField('idpSsoUrl', 'must be an https:// URL');
  }
  return url.href;
}
