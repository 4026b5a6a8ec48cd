// Values that break programs, and names for what the world has: a case says ‹tpl› where an id of the run stands, so that a
// seed gives the same cases in every run.

import type { Tape } from './tape.ts';

/** What a case may name: ids of things that exist by their prefix, and addresses that the run's account has. */
export const THINGS = [
  ...(['msg', 'tpl', 'cmp', 'con', 'lst', 'dom', 'mbx', 'inm', 'whk', 'usr', 'key', 'tnt'] as const),
  ...(['from', 'domain', 'mailbox', 'bounce', 'complaint'] as const),
] as const;

/** One of them. */
export type Thing = (typeof THINGS)[number];

/** How a case names a thing. */
export const named = (thing: Thing) => `‹${thing}›`;

/** The text with the things in place of their names. */
export function withThings(text: string, things: ReadonlyMap<Thing, string>): string {
  return text.replaceAll(/‹(\w+)›/g, (_all, name: Thing) => things.get(name) ?? 'x_1');
}

const TEXTS = [
  'a',
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e\u2066',
  '\ufeff',
  '\r\n',
  'a\r\nBcc: x@y.test',
  'é',
  '😀'.repeat(40),
  'e\u0301'.repeat(40),
  'ß.test',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e999',
  '__proto__',
  'constructor',
  'toString',
  "'; drop table messages; --",
  '%00',
  '%',
  '%_',
  '\\',
  '../../etc/passwd',
  '${7*7}{{7*7}}',
  '<script>alert(1)</script>',
  '2026-02-30T25:61:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999+14:00',
  '2026-11-23T00:00:00Z',
  'http://[::1',
  'https://169.254.169.254/',
  'a@b@c.test',
  '"a b"@xn--.test',
  '(((((((((((((((((((',
  '@'.repeat(300),
  'a'.repeat(1_000),
  'a.'.repeat(2_000),
  ' '.repeat(20_000),
  'ﷺ'.repeat(500),
] as const;

/** A text that nobody expects: of the list, of any code points, or a name of something that is there. */
export function hostileText(tape: Tape): string {
  return tape.one(
    () => tape.of(TEXTS),
    () => tape.many(12, () => anyCharacter(tape)).join(''),
    () => named(tape.of(THINGS)),
    () => tape.of(TEXTS) + tape.of(TEXTS),
  );
}

function anyCharacter(tape: Tape): string {
  return String.fromCodePoint(tape.under(tape.of([0x80, 0x100, 0x1_0000, 0x11_0000])));
}

const NUMBERS = [0, 1, -1, 0.1, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 1e-320] as const;
const DEEP = 200;

/** A JSON value that nobody expects. */
export function hostileJson(tape: Tape, depth = 0): unknown {
  const below = () => (depth > 3 ? null : hostileJson(tape, depth + 1));
  return tape.one<unknown>(
    () => hostileText(tape),
    () => tape.of(NUMBERS),
    () => tape.of([null, true, false]),
    () => tape.many(4, below),
    () => Object.fromEntries(tape.many(4, () => [hostileText(tape), below()])),
    () => Array.from({ length: DEEP }).reduce<unknown>((inner) => [inner], 'a'),
    () => Array.from({ length: 1_000 }, () => 'a'),
  );
}
