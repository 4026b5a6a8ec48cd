// What a verified assertion says, and whether it is for us, for this request, and for now (SAML 2.0 Profiles, section
// 4.1.4.3). node-saml has checked the signature and some of this; here every point is checked, on the signed text only.

import { normalizeEmail, parseAddress } from '../mail/address.ts';
import type { ResponseRefusal, ResponseResult } from './saml-job.ts';
import { CLOCK_SKEW_MS, EMAIL_FORMAT } from './saml-settings.ts';
import { MAX_RESPONSE_TAGS, parseXml, selectAttributes, selectElements, type XmlElement } from './xml.ts';

/** What an assertion must name. */
interface ExpectedAssertion {
  idpEntityId: string;
  /** Of ours, for this tenant. */
  entityId: string;
  acsUrl: string;
  requestId: string;
  nowMs: number;
}

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const EMAIL_ATTRIBUTES = [
  'email',
  'mail',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];
const MAX_ID_CHARS = 256;

/** Reads the text of a verified assertion. */
export async function readAssertion(xml: string, expected: ExpectedAssertion): Promise<ResponseResult> {
  const assertion = (await parseXml(xml, MAX_RESPONSE_TAGS))?.documentElement;
  if (!assertion) return refuse('invalid', 'the assertion cannot be read');
  const assertionId = assertion.getAttribute('ID') ?? '';
  if (assertionId === '' || assertionId.length > MAX_ID_CHARS)
    return refuse('invalid', 'the assertion has no id');
  if (textOf(assertion, "./*[local-name()='Issuer']") !== expected.idpEntityId) {
    return refuse('invalid', 'the issuer is not the identity provider of this organisation');
  }
  if (selectElements(assertion, "./*[local-name()='AuthnStatement']").length === 0) {
    return refuse('invalid', 'the assertion does not say that anybody signed in');
  }
  const refusal = conditionsProblem(assertion, expected) ?? confirmationProblem(assertion, expected);
  if (refusal) return refusal;
  const address = parseAddress(emailOf(assertion) ?? '');
  if (!address.ok) return refuse('no_email', 'neither the NameID nor an attribute is an email address');
  const { domain } = address.address;
  return { ok: true, person: { assertionId, email: normalizeEmail(address.address), domain } };
}

function refuse(reason: ResponseRefusal['reason'], why: string): ResponseRefusal {
  return { ok: false, reason, why };
}

function conditionsProblem(assertion: XmlElement, expected: ExpectedAssertion): ResponseRefusal | null {
  const conditions = selectElements(assertion, "./*[local-name()='Conditions']");
  if (conditions.length !== 1) return refuse('invalid', 'there must be one element with conditions');
  if (!isNow(conditions[0]!, expected.nowMs))
    return refuse('expired', 'the assertion is over or not yet valid');
  const restrictions = selectElements(conditions[0]!, "./*[local-name()='AudienceRestriction']");
  const fits = (restriction: XmlElement) =>
    selectElements(restriction, "./*[local-name()='Audience']").some(
      (audience) => audience.textContent?.trim() === expected.entityId,
    );
  if (restrictions.length === 0 || !restrictions.every(fits)) {
    return refuse('invalid', 'the audience is not us');
  }
  return null;
}

function confirmationProblem(assertion: XmlElement, expected: ExpectedAssertion): ResponseRefusal | null {
  const path = `./*[local-name()='Subject']/*[local-name()='SubjectConfirmation'][@Method='${BEARER}']/*[local-name()='SubjectConfirmationData']`;
  const forUs = selectElements(assertion, path).filter(
    (data) =>
      data.getAttribute('Recipient') === expected.acsUrl &&
      data.getAttribute('InResponseTo') === expected.requestId &&
      data.getAttribute('NotOnOrAfter'),
  );
  if (forUs.length === 0) return refuse('invalid', 'the recipient or the request is not ours');
  if (!forUs.some((data) => isNow(data, expected.nowMs))) return refuse('expired', 'the assertion is over');
  return null;
}

// A time that cannot be read is no time at all.
function isNow(element: XmlElement, nowMs: number): boolean {
  const from = element.getAttribute('NotBefore') || null;
  const until = element.getAttribute('NotOnOrAfter') || null;
  const started = from === null || Date.parse(from) <= nowMs + CLOCK_SKEW_MS;
  return started && (until === null || Date.parse(until) > nowMs - CLOCK_SKEW_MS);
}

// A NameID that says to be an address is one; else the attribute; else a NameID that looks like one.
function emailOf(assertion: XmlElement): string | null {
  const nameId = "./*[local-name()='Subject']/*[local-name()='NameID']";
  const name = textOf(assertion, nameId);
  const format = selectAttributes(assertion, `${nameId}/@Format`)[0]?.nodeValue;
  if (name !== null && format === EMAIL_FORMAT) return name;
  for (const attribute of EMAIL_ATTRIBUTES) {
    const path = `./*[local-name()='AttributeStatement']/*[local-name()='Attribute'][@Name='${attribute}']/*[local-name()='AttributeValue']`;
    const value = textOf(assertion, path);
    if (value !== null) return value;
  }
  return name;
}

// The text of the one element there; null when there is none, or more than one.
function textOf(element: XmlElement, path: string): string | null {
  const found = selectElements(element, path);
  return found.length === 1 ? (found[0]!.textContent ?? '').trim() : null;
}
