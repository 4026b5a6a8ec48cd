// The metadata of an identity provider (SAML 2.0 Metadata, section 2.4.3), as an owner uploads it: three things are
// read from it. Its own signature is not checked: the owner vouches for the file.

import { invalidField } from '../base/errors.ts';
import { readCertificate } from './certificate.ts';
import { MAX_METADATA_TAGS, parseXml, selectAttributes, selectElements, type XmlElement } from './xml.ts';

/** What we need to know of an identity provider. */
export interface IdpSettings {
  idpEntityId: string;
  idpSsoUrl: string;
  /** PEM. */
  certificates: string[];
}

const FIELD = 'idpMetadataXml';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const DESCRIPTOR = "//*[local-name()='IDPSSODescriptor']";
const MOST_CERTIFICATES = 10;

/** Reads metadata. Throws `validation_failed` with what is missing. */
export async function readIdpMetadata(xml: string): Promise<IdpSettings> {
  const document = await parseXml(xml.trim(), MAX_METADATA_TAGS);
  if (!document) throw invalidField(FIELD, 'must be XML without a DTD, with at most 256 KiB and 3,000 tags');
  const descriptors = selectElements(document, DESCRIPTOR);
  if (descriptors.length !== 1) {
    throw invalidField(FIELD, 'must describe exactly one identity provider (IDPSSODescriptor)');
  }
  const idp = descriptors[0]!;
  const entityId = selectAttributes(idp, '../@entityID')[0]?.nodeValue ?? '';
  const ssoUrl = valueOf(
    idp,
    `./*[local-name()='SingleSignOnService'][@Binding='${REDIRECT}']/@Location`,
    'has no SingleSignOnService with the HTTP-Redirect binding',
  );
  return checkIdpSettings({ idpEntityId: entityId, idpSsoUrl: ssoUrl, certificates: certificatesOf(idp) });
}

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

// A KeyDescriptor without `use` is for both.
function certificatesOf(idp: XmlElement): string[] {
  const path =
    "./*[local-name()='KeyDescriptor'][not(@use) or @use='signing']//*[local-name()='X509Certificate']";
  return selectElements(idp, path).map((element) => element.textContent ?? '');
}

function valueOf(element: XmlElement, path: string, missing: string): string {
  const value = selectAttributes(element, path)[0]?.nodeValue ?? '';
  if (value === '') throw invalidField(FIELD, missing);
  return value;
}
