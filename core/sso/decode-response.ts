// A posted SAML response before its sign-in is known: decoded, not parsed.

import { isUtf8 } from 'node:buffer';

import { MAX_XML_BYTES } from './saml-job.ts';

/** A response that was decoded. It is not parsed, and nothing in it is proved. */
export interface DecodedResponse {
  xml: string;
  /** The request that it claims to answer. */
  inResponseTo: string;
}

const NOT_BASE64 = /[^A-Za-z0-9+/=\s]/;
const DECLARATION = /^\uFEFF?\s*<\?xml\s[^?]*\?>/;
const ROOT_TAG_CHARS = 4_096; // at the start, within which the root tag must name its request
const IN_RESPONSE_TO = /\sInResponseTo\s*=\s*(?:"([^"<&]{1,200})"|'([^'<&]{1,200})')/;

/**
 * Decodes a posted SAMLResponse, in linear time: anybody can post one. Null unless it is plain XML in base64 whose root
 * element names a request.
 */
export function decodeResponse(encoded: string): DecodedResponse | null {
  const xml = decode(encoded);
  const rootTag = xml?.slice(0, ROOT_TAG_CHARS).replace(DECLARATION, '').split('<', 2)[1];
  const [, quoted, apostrophed] = IN_RESPONSE_TO.exec(rootTag ?? '') ?? [];
  const inResponseTo = quoted ?? apostrophed;
  return xml === null || inResponseTo === undefined ? null : { xml, inResponseTo };
}

function decode(encoded: string): string | null {
  if (encoded.length > MAX_XML_BYTES * 2 || NOT_BASE64.test(encoded)) return null;
  const bytes = Buffer.from(encoded, 'base64');
  if (!isUtf8(bytes)) return null;
  const xml = bytes.toString('utf8');
  const body = xml.replace(DECLARATION, '');
  return body.includes('<!') || body.includes('<?') ? null : xml;
}
