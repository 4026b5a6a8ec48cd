// MAIL FROM (RFC 5321 section 4.1.1.2). Anybody may write to our customers; what we know of the sender is recorded,
// not enforced. The SMTP library has checked the syntax, SIZE, BODY and SMTPUTF8 by now.

import type { SMTPServerAddress } from 'smtp-server';

import { Refusal } from '../../core/smtp-server/refusal.ts';

const MAX_PATH_OCTETS = 256; // RFC 5321 section 4.5.3.1.3

/** Throws a Refusal when the envelope sender cannot be stored. */
export function onMail(address: SMTPServerAddress): void {
  if (Buffer.byteLength(address.address) > MAX_PATH_OCTETS) {
    throw new Refusal(501, '5.1.7 That address is too long');
  }
}
