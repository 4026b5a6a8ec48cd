// MAIL and RCPT (RFC 5321 sections 4.1.1.2 and 4.1.1.3). Whom MAIL names is the client's choice: the return path is ours,
// and who may be the author is decided by the header From. The SMTP library has checked syntax, SIZE, BODY and SMTPUTF8.

import type { SMTPServerAddress, SMTPServerSession } from 'smtp-server';

import { parseAddress } from '../../core/mail/address.ts';
import { TENANT_SUSPENDED } from '../../core/tenant/suspended.ts';
import { Refusal } from '../../core/smtp-server/refusal.ts';
import type { SignIn } from './sign-in.ts';

const MAX_PATH_OCTETS = 256; // RFC 5321 section 4.5.3.1.3

/** Throws a Refusal when the key has been revoked meanwhile, or its tenant is suspended. */
export async function onMail(
  signIn: SignIn,
  address: SMTPServerAddress,
  session: SMTPServerSession,
): Promise<void> {
  const { tenant } = await signIn.keyOf(session);
  if (tenant.suspendedAt !== null) throw new Refusal(550, `5.7.1 ${TENANT_SUSPENDED}`);
  if (Buffer.byteLength(address.address) > MAX_PATH_OCTETS)
    throw new Refusal(501, '5.1.7 That address is too long');
}

/** Throws a Refusal for an address that mail cannot be sent to. */
export function onRcpt(address: SMTPServerAddress): void {
  const parsed = parseAddress(address.address);
  if (!parsed.ok) throw new Refusal(553, `5.1.3 That is not an address: ${parsed.reason}`);
}
