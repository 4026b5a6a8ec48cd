// The few forms of DER (ITU-T X.690) that a certificate needs, written out. Reading is left to node:crypto.

const UNIVERSAL = { boolean: 0x01, integer: 0x02, bits: 0x03, octets: 0x04, oid: 0x06, utf8: 0x0c } as const;
const SEQUENCE = 0x30;
const SET = 0x31;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const CONTEXT = 0x80; // class of tags that mean something within their surroundings only
const CONSTRUCTED = 0x20;

/** Tag, length and content. */
export function der(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), length(body.length), body]);
}

/** SEQUENCE of the given values. */
export function sequence(...values: Buffer[]): Buffer {
  return der(SEQUENCE, ...values);
}

/** SET of one value. */
export function set(value: Buffer): Buffer {
  return der(SET, value);
}

/** A value in `[tag]`, with its own tag kept inside. */
export function explicit(tag: number, value: Buffer): Buffer {
  return der(CONTEXT | CONSTRUCTED | tag, value);
}

/** Octets in `[tag]`, in place of their own tag. */
export function implicit(tag: number, octets: Buffer): Buffer {
  return der(CONTEXT | tag, octets);
}

/** INTEGER of octets, most significant first; the first bit must be clear. */
export function integer(octets: Buffer): Buffer {
  return der(UNIVERSAL.integer, octets);
}

/** BOOLEAN true; false is a default, and DER leaves defaults out. */
export function yes(): Buffer {
  return der(UNIVERSAL.boolean, Buffer.from([0xff]));
}

/** OCTET STRING. */
export function octetString(octets: Buffer): Buffer {
  return der(UNIVERSAL.octets, octets);
}

/** BIT STRING; `unused` bits of the last octet do not count. */
export function bitString(octets: Buffer, unused = 0): Buffer {
  return der(UNIVERSAL.bits, Buffer.from([unused]), octets);
}

/** UTF8String. */
export function utf8String(text: string): Buffer {
  return der(UNIVERSAL.utf8, Buffer.from(text, 'utf8'));
}

/** A time in whole seconds: UTCTime, which has two digits for the year, up to 2049 (RFC 5280 section 4.1.2.5). */
export function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replace(/\.\d+/, '').replaceAll(/[-:T]/g, '');
  return text < '2050' ? der(UTC_TIME, ascii(text.slice(2))) : der(GENERALIZED_TIME, ascii(text));
}

/** OBJECT IDENTIFIER from its dotted form. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(UNIVERSAL.oid, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function ascii(text: string): Buffer {
  return Buffer.from(text, 'ascii');
}

function base128(arc: number): number[] {
  const digits = [arc % 128];
  for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
    digits.unshift(128 + (left % 128));
  return digits;
}

function length(count: number): Buffer {
  if (count < 0x80) return Buffer.from([count]);
  return count < 0x100 ? Buffer.from([0x81, count]) : Buffer.from([0x82, count >> 8, count & 0xff]);
}
