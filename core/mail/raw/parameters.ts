// The value of a field of MIME with its parameters (RFC 2045 section 5.1, RFC 2231). Linear in its length.

import { decodeText } from '../charset.ts';
import { decodeWords } from '../repair-header.ts';

/** `text/html; charset=utf-8` as the value in lower case and the parameters by name in lower case. */
export interface Parameters {
  value: string;
  parameters: Map<string, string>;
}

const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g;

/** Reads a value without folding. Never throws; what cannot be read is left out. */
export function readParameters(text: string): Parameters {
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, token = ''] of text.matchAll(PARAMETER)) {
    const value = quoted === undefined ? token : quoted.replace(/\\(.)/g, '$1');
    const key = name.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, value);
  }
  return { value: text.split(';', 1)[0]!.trim().toLowerCase(), parameters };
}

/** A parameter for people to read, such as the name of a file: in pieces, in any charset, or in encoded words. */
export function readableParameter({ parameters }: Parameters, name: string): string | undefined {
  const plain = parameters.get(name);
  const whole = parameters.get(`${name}*`);
  if (whole !== undefined) return decodeExtended([{ text: whole, encoded: true }]);
  const pieces: { text: string; encoded: boolean }[] = [];
  for (let n = 0; ; n += 1) {
    const encoded = parameters.get(`${name}*${n}*`);
    const text = encoded ?? parameters.get(`${name}*${n}`);
    if (text === undefined) break;
    pieces.push({ text, encoded: encoded !== undefined });
  }
  return pieces.length > 0 ? decodeExtended(pieces) : plain && decodeWords(plain);
}

// RFC 2231 section 4: charset'language'text, the charset in the first piece only.
function decodeExtended(pieces: { text: string; encoded: boolean }[]): string {
  const [, charset = '', text = ''] = /^([^']*)'[^']*'(.*)$/s.exec(pieces[0]!.text) ?? [];
  const [first, ...others] = pieces;
  const all = first!.encoded && charset !== '' ? [{ text, encoded: true }, ...others] : pieces;
  const octets = all.map(({ text: piece, encoded }) => (encoded ? fromPercents(piece) : Buffer.from(piece)));
  return decodeText(Buffer.concat(octets), charset);
}

function fromPercents(text: string): Buffer {
  const octets = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(octets, 'latin1');
}
