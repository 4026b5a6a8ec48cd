// Making mailboxes.

import { AppError, invalidField } from '../base/errors.ts';
import type { Database } from '../db/pool.ts';
import { isForeignKeyViolation, isUniqueViolation } from '../db/sql-state.ts';
import { normalizeEmail, parseAddress } from '../mail/address.ts';
import { parseDomain } from '../mail/domain-name.ts';
import { insertMailbox, selectMailbox, type Mailbox } from './mailbox-store.ts';

/**
 * Makes a mailbox for an address, or for all of a domain with `*@domain`, under the given id; the same id again gives
 * the mailbox that is there. Throws conflict when there is another for the address.
 */
export async function createMailbox(
  db: Database,
  tenantId: string,
  input: { id: string; address: string; name: string | null },
): Promise<Mailbox> {
  const { address, domain } = readMailboxAddress(input.address);
  try {
    const made = await insertMailbox(db.pool, tenantId, { ...input, address, domain });
    if (made) return made;
  } catch (error) {
    if (isUniqueViolation(error)) {
      const existing = await selectMailbox(db.pool, tenantId, input.id);
      if (existing) return existing;
      throw new AppError('conflict', `There is a mailbox ${address} already.`);
    }
    if (!isForeignKeyViolation(error)) throw error;
  }
  throw new AppError('domain_not_verified', `${domain} is not a verified domain of yours.`);
}

function readMailboxAddress(text: string): { address: string; domain: string } {
  if (text.startsWith('*@')) {
    const domain = parseDomain(text.slice(2));
    if (!domain.ok) throw invalidField('address', domain.reason);
    return { address: `*@${domain.domain}`, domain: domain.domain };
  }
  const parsed = parseAddress(text);
  if (!parsed.ok) throw invalidField('address', parsed.reason);
  return { address: normalizeEmail(parsed.address), domain: parsed.address.domain };
}
