// What MAIL and RCPT may carry. smtp-server 3.21 ignores parameters that it does not know, takes UTF-8 from clients that did
// not announce it, and reads bytes that are no UTF-8 as if they were: here each is refused before it is looked at.

import { isAscii, isUtf8 } from 'node:buffer';

import { Refusal } from './refusal.ts';

/** The commands that carry a path. */
export type PathVerb = 'MAIL' | 'RCPT';

/** Parameters of the extensions that EHLO offers: RFC 1870, 3461, 6152, 6531, 8689. */
const PARAMETERS: Readonly<Record<PathVerb, readonly string[]>> = {
  MAIL: ['SIZE', 'BODY', 'SMTPUTF8', 'RET', 'ENVID', 'REQUIRETLS'],
  RCPT: ['NOTIFY', 'ORCPT'],
};
const SIGN_IN_PARAMETER = 'AUTH'; // of MAIL, where AUTH is offered (RFC 4954 section 5)

/** Refuses bytes that are no UTF-8; null when they are. */
export function checkBytes(verb: PathVerb, command: Buffer): Refusal | null {
  if (isUtf8(command)) return null;
  return new Refusal(501, `${verb === 'MAIL' ? '5.1.7' : '5.1.3'} That address is neither ASCII nor UTF-8`);
}

/** Refuses unknown parameters, and UTF-8 in a transaction that was begun without SMTPUTF8; null when there is neither. */
export function checkPath(
  verb: PathVerb,
  command: Buffer,
  session: { parameters: readonly string[]; smtpUtf8: boolean; offersAuth: boolean },
): Refusal | null {
  const known = (name: string) =>
    PARAMETERS[verb].includes(name) || (verb === 'MAIL' && session.offersAuth && name === SIGN_IN_PARAMETER);
  if (!session.parameters.every(known)) {
    return new Refusal(555, `5.5.4 ${verb} has a parameter that is not offered here; EHLO lists what is`);
  }
  if (isAscii(command) || session.smtpUtf8) return null;
  return new Refusal(553, '5.6.7 An address outside ASCII needs SMTPUTF8 in MAIL (RFC 6531)');
}
