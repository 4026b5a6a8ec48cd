// XML of identity providers, parsed by the very parser that checks the signatures, so that both see one document.
// node-saml does not export it; its version is pinned, and a release that moves it fails at the first import.

import { createRequire } from 'node:module';

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

/** Most bytes of a document that we parse. */
export const MAX_XML_BYTES = 262_144;

/**
 * Parses a document, or null when it is too large, not well-formed, or has a DTD: entities are what makes XML
 * dangerous to read, and SAML never needs them.
 */
export async function parseXml(xml: string): Promise<XmlDocument | null> {
  if (Buffer.byteLength(xml) > MAX_XML_BYTES || /<!(DOCTYPE|ENTITY)/i.test(xml)) return null;
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
