// Any text at all, for properties. fast-check's own 'binary' unit takes a second of every process to be made.

import fc, { type Arbitrary } from 'fast-check';

const character = fc.integer({ min: 0, max: 0x10_ffff }).map((code) => String.fromCodePoint(code));

/** Texts of any code points, halves of surrogate pairs among them. */
export function anyText(length: { minLength?: number; maxLength?: number } = {}): Arbitrary<string> {
  return fc.oneof(fc.string(length), fc.string({ unit: character, ...length }));
}
