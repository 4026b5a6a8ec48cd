// RCPT TO (RFC 5321 section 4.1.1.3): addresses of verified domains that want inbound mail, report addresses and postmaster. Never a
// relay.

import type { SMTPServerAddress, SMTPServerSession } from 'smtp-server';

import type { Found, Receiver } from '../find-recipient.ts';
import { Refusal } from '../../core/smtp-server/refusal.ts';
import type { RefusedRecipients } from './refused-recipients.ts';

/** What RCPT needs. */
export interface RcptDeps {
  findRecipient: (address: string) => Promise<Found>;
  /** What DATA will find again. */
  recipients: WeakMap<SMTPServerAddress, Receiver>;
  refused: RefusedRecipients;
}

/** Resolves when the recipient is accepted; throws a Refusal when not. */
export async function onRcpt(
  deps: RcptDeps,
  address: SMTPServerAddress,
  session: SMTPServerSession,
): Promise<void> {
  const found = await deps.findRecipient(address.address);
  if (found === 'suspended')
    throw new Refusal(451, '4.7.1 That address does not take mail at the moment; try again later');
  if (found !== 'not_ours' && found !== 'nobody') {
    deps.recipients.set(address, found);
    return;
  }
  await deps.refused.count(session.remoteAddress);
  if (found === 'not_ours') throw new Refusal(550, '5.7.1 We do not take mail for that domain');
  throw new Refusal(550, '5.1.1 Nobody has that address');
}
