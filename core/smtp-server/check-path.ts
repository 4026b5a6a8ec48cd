// What MAIL and RCPT may carry. smtp-server 3.21 ignores parameters that it does not know, takes UTF-8 from clients that did
// not announce it, and reads bytes that are no UTF-8 as if they were: here each is refused before it is looked at.

import { isAscii, isUtf8 } from 'node:buffer';

import { Refusal } from './refusal.ts';

/** The commands that carry a path. */
export type PathVerb = 'MAIL' | 'RCPT';

/** Parameters by the extension that allows them: RFC 1870, 6152, 6531, 3461, 8689, 4954 section 5. */
const PARAMETERS: Readonly<Record<PathVerb, Readonly<Record<string, readonly string[]>>>> = {
  MAIL: {
    SIZE: ['SIZE'],
    '8BITMIME': ['BODY'],
    SMTPUTF8: ['SMTPUTF8'],
    DSN: ['RET', 'ENVID'],
    REQUIRETLS: ['REQUIRETLS'],
    AUTH: ['AUTH'],
  },
  RCPT: { DSN: ['NOTIFY', 'ORCPT'] },
};

/** Refuses bytes that are no UTF-8; null when they are. */
export function checkBytes(verb: PathVerb, command: Buffer): Refusal | null {
  if (isUtf8(command)) return null;
  return new Refusal(501, `${verb === 'MAIL' ? '5.1.7' : '5.1.3'} That address is neither ASCII nor UTF-8`);
}

/**
 * Refuses parameters of extensions that are not `offered` (keywords of the last EHLO; none after HELO), and UTF-8 in a
 * transaction that was begun without SMTPUTF8; null when there is neither.
 */
export function checkPath(
  verb: PathVerb,
  command: Buffer,
  session: { parameters: readonly string[]; smtpUtf8: boolean; offered: ReadonlySet<string> },
): Refusal | null {
  const allowed = [...session.offered].flatMap((keyword) => PARAMETERS[verb][keyword] ?? []);
  if (!session.parameters.every((name) => allowed.includes(name))) {
    return new Refusal(555, `5.5.4 ${verb} has a parameter that is not offered here; EHLO lists what is`);
  }
  if (isAscii(command) || session.smtpUtf8) return null;
  return new Refusal(553, '5.6.7 An address outside ASCII needs SMTPUTF8 in MAIL (RFC 6531)');
}
