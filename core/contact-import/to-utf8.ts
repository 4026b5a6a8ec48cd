// The octets of a file in whatever encoding spreadsheets and other services write, as UTF-8, while they stream.
// Guarantee: holds back at most 4 octets; UTF-8 passes as it is.

import { isUtf8 } from 'node:buffer';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const SIGN_OCTETS = 4; // that tell UTF-16 from the rest

/**
 * Reads UTF-8 and UTF-16, with or without a byte order mark, and windows-1252, which Excel writes. A file is windows-1252 from
 * its first octet on that is no UTF-8, unless the text so far has more characters that are (one damaged character is no
 * other encoding). A byte order mark of UTF-16 is left out; that of UTF-8 stays.
 */
export async function* toUtf8(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  let decode: ((octets: Buffer, ended: boolean) => Buffer) | null = null;
  let encoding: Encoding | null = null;
  let characters = 0; // above ASCII, so far
  const next = (octets: Buffer, ended: boolean): Buffer => {
    if (encoding === null) {
      if (octets.length < SIGN_OCTETS && !ended) return hold(octets, 0);
      encoding = encodingOf(octets);
    }
    if (encoding === 'utf-8') {
      const end = ended ? octets.length : endOfWhole(octets);
      const whole = octets.subarray(0, end);
      if (isUtf8(whole)) {
        characters += countLeads(whole);
        return hold(octets, end);
      }
      const [valid, invalid] = countBoth(whole);
      if (characters + valid > invalid) {
        characters += valid;
        return hold(octets, end);
      }
      encoding = 'windows-1252';
    }
    decode ??= decoderOf(encoding);
    return decode(octets, ended);
  };
  const hold = (octets: Buffer, from: number): Buffer => {
    held = Buffer.from(octets.subarray(from));
    return octets.subarray(0, from);
  };
  const take = (piece: Buffer): Buffer => {
    const octets = held.length === 0 ? piece : Buffer.concat([held, piece]);
    held = Buffer.alloc(0);
    return octets;
  };
  for await (const piece of pieces) {
    const text = next(take(piece), false);
    if (text.length > 0) yield text;
  }
  const rest = next(take(Buffer.alloc(0)), true);
  if (rest.length > 0) yield rest;
}

function encodingOf(head: Buffer): Encoding {
  const [first, second, third, fourth] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0 && second !== 0 && third === 0) return 'utf-16be';
  return second === 0 && first !== 0 && fourth === 0 && third !== 0 ? 'utf-16le' : 'utf-8';
}

function decoderOf(encoding: Encoding): (octets: Buffer, ended: boolean) => Buffer {
  const decoder = new TextDecoder(encoding);
  return (octets, ended) => Buffer.from(decoder.decode(octets, { stream: !ended }));
}

// Where the last character ends that is there as a whole; at most 3 octets of the next one are behind it.
function endOfWhole(octets: Buffer): number {
  for (let back = 1; back <= Math.min(3, octets.length); back++) {
    const octet = octets[octets.length - back]!;
    if ((octet & 0xc0) === 0x80) continue;
    return lengthOf(octet) > back ? octets.length - back : octets.length;
  }
  return octets.length;
}

// Octets of a character by its first one (RFC 3629 section 3).
function lengthOf(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

function countLeads(octets: Buffer): number {
  let leads = 0;
  for (const octet of octets) if (octet >= 0xc0) leads += 1;
  return leads;
}

function countBoth(octets: Buffer): [valid: number, invalid: number] {
  let valid = 0;
  let invalid = 0;
  for (const char of octets.toString('utf8')) {
    if (char === '\ufffd') invalid += 1;
    else if (char > '\x7f') valid += 1;
  }
  return [valid, invalid];
}
