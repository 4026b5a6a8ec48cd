// Creating, reading, renaming and deleting mailboxes.

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps, type ChangeEntry } from '../audit/change.ts';
import { AppError, invalidField, notFound } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import type { Database } from '../db/pool.ts';
import { isForeignKeyViolation, isUniqueViolation } from '../db/sql-state.ts';
import { normalizeEmail, parseAddress } from '../mail/address.ts';
import { parseDomain } from '../mail/domain-name.ts';
import type { MailboxChange, NewMailbox } from './mailbox-input.ts';
import {
  deleteMailbox as deleteRow,
  insertMailbox,
  renameMailbox as renameRow,
  selectMailbox,
  type Mailbox,
} from './mailbox-store.ts';

/**
 * Makes a mailbox for an address, or for all of a domain with `*@domain`. A retry of the same request gives the mailbox
 * that is there. Throws conflict when there is another for the address.
 */
export async function createMailbox(
  deps: ChangeDeps,
  by: Actor,
  tenantId: string,
  input: NewMailbox,
): Promise<Mailbox> {
  const { address, domain } = readMailboxAddress(input.address);
  const { name } = input;
  const id = by.changeId ?? newUuid();
  try {
    return await change(deps, by, async (client, record) => {
      const made = await insertMailbox(client, tenantId, { id, address, domain, name });
      if (!made) throw notVerified(domain);
      await record(mailboxEntry('mailbox.created', tenantId, made));
      return made;
    });
  } catch (error) {
    if (isUniqueViolation(error)) {
      const existing = await selectMailbox(deps.db.pool, tenantId, id);
      if (existing) return existing;
      throw new AppError('conflict', `The mailbox ${address} already exists.`);
    }
    if (isForeignKeyViolation(error)) throw notVerified(domain);
    throw error;
  }
}

/** One mailbox. Throws not_found. */
export async function getMailbox(db: Database, tenantId: string, id: string): Promise<Mailbox> {
  const mailbox = await selectMailbox(db.pool, tenantId, id);
  if (!mailbox) throw notFound('mailbox');
  return mailbox;
}

/** Renames a mailbox; null removes its name, one that is left out stays. Throws not_found. */
export async function renameMailbox(
  deps: ChangeDeps,
  by: Actor,
  tenantId: string,
  id: string,
  { name }: MailboxChange,
): Promise<Mailbox> {
  if (name === undefined) return getMailbox(deps.db, tenantId, id);
  return change(deps, by, async (client, record) => {
    const mailbox = await renameRow(client, tenantId, id, name);
    if (!mailbox) throw notFound('mailbox');
    await record(mailboxEntry('mailbox.renamed', tenantId, mailbox));
    return mailbox;
  });
}

/** Deletes a mailbox; its mail stays, in no mailbox. Throws not_found. */
export async function deleteMailbox(
  deps: ChangeDeps,
  by: Actor,
  tenantId: string,
  id: string,
): Promise<void> {
  await change(deps, by, async (client, record) => {
    const mailbox = await selectMailbox(client, tenantId, id);
    if (!mailbox || !(await deleteRow(client, tenantId, id))) throw notFound('mailbox');
    await record(mailboxEntry('mailbox.deleted', tenantId, mailbox));
  });
}

function mailboxEntry(
  action: `mailbox.${string}`,
  tenantId: string,
  { id, address, name }: Mailbox,
): ChangeEntry {
  return { action, tenantId, subject: toId('mbx', id), details: { address, name } };
}

function notVerified(domain: string): AppError {
  return new AppError(
    'domain_not_verified',
    `${domain} is not one of your verified domains. Verify it first.`,
  );
}

function readMailboxAddress(text: string): { address: string; domain: string } {
  if (text.startsWith('*@')) {
    const domain = parseDomain(text.slice(2));
    if (!domain.ok) throw invalidField('address', `is not valid: ${domain.reason}`);
    return { address: `*@${domain.domain}`, domain: domain.domain };
  }
  const parsed = parseAddress(text);
  if (!parsed.ok) throw invalidField('address', `is not an email address: ${parsed.reason}`);
  return { address: normalizeEmail(parsed.address), domain: parsed.address.domain };
}
