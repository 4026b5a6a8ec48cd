// From whom this service itself writes to people: SYSTEM_MAIL_FROM, sent by the tenant that has its domain verified.

import type { Config } from '../base/config.ts';
import type { Database } from '../db/pool.ts';
import { parseMailbox } from '../mail/address.ts';
import { selectVerifiedOwner } from './invitation-store.ts';

/** Who sends, or why nobody can. */
export type SystemSender = { ok: true; from: string; tenantId: string } | { ok: false; why: string };

/** Finds the sender of this service's own mail. */
export async function findSystemSender(
  db: Pick<Database, 'pool'>,
  config: Pick<Config, 'SYSTEM_MAIL_FROM'>,
): Promise<SystemSender> {
  const from = config.SYSTEM_MAIL_FROM;
  const mailbox = from === undefined ? null : parseMailbox(from);
  if (from === undefined || !mailbox?.ok) return { ok: false, why: 'SYSTEM_MAIL_FROM is not set' };
  const { domain } = mailbox.address;
  const tenantId = await selectVerifiedOwner(db.pool, domain);
  if (tenantId === null)
    return { ok: false, why: `the domain of SYSTEM_MAIL_FROM, ${domain}, is not verified` };
  return { ok: true, from, tenantId };
}
