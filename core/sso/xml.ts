// XML of identity providers, parsed by the very parser that checks the signatures, so that both see one document.
// node-saml does not export it; its version is pinned, and a release that moves it fails at the first import.

import { createRequire } from 'node:module';

import { MAX_XML_BYTES } from './saml-job.ts';

/** What we look at of an element, of W3C DOM. */
export interface XmlElement {
  localName: string;
  namespaceURI: string | null;
  textContent: string | null;
  parentNode: XmlElement | XmlDocument | null;
  /** Empty when there is none. */
  getAttribute(name: string): string | null;
}

/** A parsed document. */
export interface XmlDocument {
  documentElement: XmlElement;
}

type Select<T> = (node: XmlElement | XmlDocument, path: string) => T[];

interface NodeSamlXml {
  parseDomFromString(xml: string): Promise<XmlDocument>;
  xpath: { selectElements: Select<XmlElement>; selectAttributes: Select<{ nodeValue: string | null }> };
}

const { parseDomFromString, xpath } = createRequire(import.meta.url)(
  '@node-saml/node-saml/lib/xml.js',
) as NodeSamlXml;

/**
 * Most tags of a response. The XPath engine needs quadratic time: 45,000 elements take 100 s, 3,000 tags 0.3 s, these
 * 0.1 s. A usual response has 60, one with 300 groups of a person 700.
 */
export const MAX_RESPONSE_TAGS = 1_500;

/** Most tags of metadata, which only owners send: those of AD FS have about 1,000. */
export const MAX_METADATA_TAGS = 3_000;

/**
 * Parses a document, or null when it is too large, not well-formed, or has a DTD: entities are what makes XML
 * dangerous to read, and SAML never needs them.
 */
export async function parseXml(xml: string, maxTags: number): Promise<XmlDocument | null> {
  if (Buffer.byteLength(xml) > MAX_XML_BYTES || /<!(DOCTYPE|ENTITY)/i.test(xml)) return null;
  if (count(xml, '<') > maxTags || count(xml, '=') > 2 * maxTags) return null; // `=` stands for attributes
  try {
    return await parseDomFromString(xml);
  } catch {
    return null;
  }
}

/** The elements that an XPath finds. */
export const selectElements = xpath.selectElements;

/** The attributes that an XPath finds. */
export const selectAttributes = xpath.selectAttributes;

function count(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) found++;
  return found;
}
