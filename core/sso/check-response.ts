// What a SAML response must look like before its signature is checked.
//
// Attacks on SAML move a signed assertion to where it is verified but not read (signature wrapping: Somorovsky et al.,
// "On Breaking SAML", 2012, forms XSW1 to XSW8), or hide a part of a name from one of two parsers (comments). Only the
// plainest document is accepted: one assertion, a child of the response, with one signature, a child of it; every id
// once; no comment, CDATA, DTD or processing instruction anywhere. Everything else is refused, not understood.

import type { ResponseRefusal } from './saml-job.ts';
import { MAX_RESPONSE_TAGS, parseXml, selectAttributes, selectElements, type XmlElement } from './xml.ts';

/** What a response must name. */
interface ExpectedShape {
  idpEntityId: string;
  acsUrl: string;
  requestId: string;
}

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const SIGNATURE_METHODS = [
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
];
const DIGEST_METHODS = ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512'];
const CANONICAL = [
  'http://www.w3.org/2001/10/xml-exc-c14n#',
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
];
const TRANSFORMS = ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', ...CANONICAL];

/** Checks a response whose request is known. */
export async function checkResponse(
  xml: string,
  expected: ExpectedShape,
): Promise<{ ok: true } | ResponseRefusal> {
  const root = (await parseXml(xml, MAX_RESPONSE_TAGS))?.documentElement;
  if (!root) return refuse('the response is not plain XML');
  if (root.localName !== 'Response' || root.namespaceURI !== PROTOCOL) {
    return refuse('the document is not a SAML response');
  }
  if (root.getAttribute('InResponseTo') !== expected.requestId) {
    return refuse('the response is for another request');
  }
  const status = topStatus(root);
  if (status !== SUCCESS) {
    return { ok: false, reason: 'idp_refused', why: `the status is ${status.slice(0, 200)}` };
  }
  const why = addressProblem(root, expected) ?? assertionProblem(root) ?? signatureProblem(root);
  return why === null ? { ok: true } : refuse(why);
}

function refuse(why: string): ResponseRefusal {
  return { ok: false, reason: 'invalid', why };
}

function topStatus(root: XmlElement): string {
  const path = "./*[local-name()='Status']/*[local-name()='StatusCode']/@Value";
  return selectAttributes(root, path)[0]?.nodeValue ?? 'missing';
}

function addressProblem(root: XmlElement, { idpEntityId, acsUrl }: ExpectedShape): string | null {
  const destination = root.getAttribute('Destination') || acsUrl;
  if (destination !== acsUrl) return 'the destination is not our address';
  const issuers = selectElements(root, "./*[local-name()='Issuer']");
  const strange = issuers.some((issuer) => issuer.textContent?.trim() !== idpEntityId);
  return strange ? 'the issuer is not the identity provider of this organisation' : null;
}

function assertionProblem(root: XmlElement): string | null {
  if (selectElements(root, "//*[local-name()='EncryptedAssertion']").length > 0) {
    return 'the assertion is encrypted; turn encryption off at the identity provider';
  }
  const assertions = selectElements(root, "//*[local-name()='Assertion']");
  const [assertion] = assertions;
  if (!assertion || assertions.length > 1) return 'there must be exactly one assertion';
  if (assertion.parentNode !== root || assertion.namespaceURI !== ASSERTION) {
    return 'the assertion is not where it belongs';
  }
  const ids = selectAttributes(root, "//@*[local-name()='ID' or local-name()='Id' or local-name()='id']");
  const distinct = new Set(ids.map(({ nodeValue }) => nodeValue));
  return distinct.size === ids.length ? null : 'an id occurs twice';
}

function signatureProblem(root: XmlElement): string | null {
  const assertion = selectElements(root, "./*[local-name()='Assertion']")[0]!;
  const own = selectElements(assertion, "./*[local-name()='Signature']");
  if (own.length !== 1) return 'the assertion must have one signature';
  const outer = selectElements(root, "./*[local-name()='Signature']");
  const all = selectElements(root, "//*[local-name()='Signature']");
  if (outer.length > 1 || all.length !== outer.length + 1) return 'a signature is not where it belongs';
  for (const signature of all) {
    const why = methodProblem(signature);
    if (why !== null) return why;
  }
  return null;
}

function methodProblem(signature: XmlElement): string | null {
  const values = (element: string, attribute: string) =>
    selectAttributes(signature, `.//*[local-name()='${element}']/@${attribute}`).map((one) => one.nodeValue);
  const oneOf = (element: string, known: string[]) => {
    const found = values(element, 'Algorithm');
    return found.length === 1 && known.includes(found[0] ?? '');
  };
  if (!oneOf('SignatureMethod', SIGNATURE_METHODS))
    return 'the signature must be RSA with SHA-256 or SHA-512';
  if (!oneOf('DigestMethod', DIGEST_METHODS)) return 'the digest must be SHA-256 or SHA-512';
  if (!oneOf('CanonicalizationMethod', CANONICAL)) return 'the canonicalization method is not supported';
  const transforms = values('Transform', 'Algorithm');
  if (transforms.length > 2 || transforms.some((one) => !TRANSFORMS.includes(one ?? ''))) {
    return 'a transform of the signature is not supported';
  }
  const owner = (signature.parentNode as XmlElement).getAttribute('ID');
  const references = values('Reference', 'URI');
  if (!owner || references.length !== 1 || references[0] !== `#${owner}`) {
    return 'the signature does not cover the element that contains it';
  }
  const extra = selectElements(signature, ".//*[local-name()='Object' or local-name()='Manifest']");
  return extra.length > 0 ? 'the signature holds more than a signature' : null;
}
