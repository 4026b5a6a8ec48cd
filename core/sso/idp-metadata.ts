// The metadata of an identity provider (SAML 2.0 Metadata, section 2.4.3), as an owner uploads it: three things are
// read from it. Its own signature is not checked: the owner vouches for the file.

import { invalidField } from '../base/errors.ts';
import { checkIdpSettings, METADATA_FIELD, NOT_PLAIN_METADATA, type IdpSettings } from './idp-settings.ts';
import { MAX_METADATA_TAGS, parseXml, selectAttributes, selectElements, type XmlElement } from './xml.ts';

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const DESCRIPTOR = "//*[local-name()='IDPSSODescriptor']";

/** Reads metadata. Throws `validation_failed` with what is missing. */
export async function readIdpMetadata(xml: string): Promise<IdpSettings> {
  const document = await parseXml(xml.trim(), MAX_METADATA_TAGS);
  if (!document) throw invalidField(METADATA_FIELD, NOT_PLAIN_METADATA);
  const descriptors = selectElements(document, DESCRIPTOR);
  if (descriptors.length !== 1) {
    throw invalidField(METADATA_FIELD, 'must describe exactly one identity provider (IDPSSODescriptor)');
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

// A KeyDescriptor without `use` is for both.
function certificatesOf(idp: XmlElement): string[] {
  const path =
    "./*[local-name()='KeyDescriptor'][not(@use) or @use='signing']//*[local-name()='X509Certificate']";
  return selectElements(idp, path).map((element) => element.textContent ?? '');
}

function valueOf(element: XmlElement, path: string, missing: string): string {
  const value = selectAttributes(element, path)[0]?.nodeValue ?? '';
  if (value === '') throw invalidField(METADATA_FIELD, missing);
  return value;
}
