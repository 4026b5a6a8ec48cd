// The domain of this service's own mail.

import type { Config } from '../base/config.ts';
import { parseMailbox } from '../mail/address.ts';

/** The domain of SYSTEM_MAIL_FROM, or null when that is not set. */
export function systemDomain({ SYSTEM_MAIL_FROM: from }: Pick<Config, 'SYSTEM_MAIL_FROM'>): string | null {
  const mailbox = from === undefined ? null : parseMailbox(from);
  return mailbox?.ok ? mailbox.address.domain : null;
}
