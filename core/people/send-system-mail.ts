// Sends the mail of the outbox, one at a time, the longest due first. Any number of schedulers may do so side by side.
//
// The row stays locked while its mail is submitted, under the row's id: a scheduler that dies then is followed by another
// one, whose mail has the same id and the same link, and is not sent twice. docs/crashes-scheduler.md, row system-mail.*.

import type pg from 'pg';

import { nobody } from '../audit/actor.ts';
import { insertAudit } from '../audit/audit-store.ts';
import type { Config } from '../base/config.ts';
import type { Fail } from '../base/failpoint.ts';
import { toId } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import { sha256 } from '../base/secrets.ts';
import type { SenderClient } from '../clients/sender.ts';
import type { Database } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { deleteMail, lockDueMail, postponeMail, type DueMail } from '../system-mail/system-mail-store.ts';
import { isMailedChange, OWN_CHANGES } from '../system-mail/system-mail.ts';
import { selectTenant } from '../tenant/tenant-store.ts';
import { resetToken } from './link-token.ts';
import { selectMemberships } from './membership-store.ts';
import { ownChangeLetter } from './own-change-mail.ts';
import { RESET_SECONDS } from './password-reset.ts';
import { alertLetter, changeLetter, resetLetter, signInLetter, verifiedLetter } from './system-letters.ts';
import { submitSystemMail, writeSystemMail, type SystemLetter } from './system-sender.ts';
import { lockPerson, updateReset } from './user-store.ts';

/** What sending needs. */
export interface SystemMailDeps {
  db: Database;
  sender: Pick<SenderClient, 'sendBatch'>;
  config: Pick<Config, 'PUBLIC_URL' | 'SYSTEM_MAIL_FROM' | 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS'>;
  log: Pick<Logger, 'info' | 'warn'>;
  fail: Fail;
}

const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 300_000;

/** Sends the mail that is due for longest. False when none is. */
export function sendDueSystemMail(deps: SystemMailDeps): Promise<boolean> {
  return inTransaction(deps.db.pool, async (client) => {
    const mail = await lockDueMail(client);
    if (!mail) return false;
    const words = await write(deps, client, mail);
    const isDone = words === null || (await submit(deps, mail, { ...words, to: mail.recipient }));
    deps.fail('system-mail.after-submit');
    if (isDone) await deleteMail(client, mail.id);
    else await postponeMail(client, mail.id, retryMs(mail.attempts));
    return true;
  });
}

async function write(
  deps: SystemMailDeps,
  client: pg.PoolClient,
  mail: DueMail,
): Promise<Omit<SystemLetter, 'to'> | null> {
  const { config } = deps;
  switch (mail.kind) {
    case 'password_reset':
      return writeReset(deps, client, mail);
    case 'new_sign_in':
      return signInLetter(config, mail.recipient, mail.createdAt, mail.data);
    case 'change': {
      if (!isMailedChange(mail.data.action)) return null; // of a newer version
      const tenant = mail.tenantId === null ? null : await selectTenant(client, mail.tenantId);
      return tenant && changeLetter(config, tenant.name, mail.createdAt, mail.data);
    }
    case 'own_change': {
      if (!OWN_CHANGES.includes(mail.data.action)) return null; // of a newer version
      const tenant = mail.tenantId === null ? null : await selectTenant(client, mail.tenantId);
      const about = { email: mail.recipient, tenantName: tenant?.name ?? null, at: mail.createdAt };
      return ownChangeLetter(config, about, mail.data);
    }
    case 'domain_verified':
      return verifiedLetter(config, mail.data);
    case 'alert': {
      const tenant = mail.tenantId === null ? null : await selectTenant(client, mail.tenantId);
      return tenant && alertLetter(config, tenant.name, mail.createdAt, mail.data);
    }
    default:
      mail satisfies never;
      return null; // of a newer version
  }
}

// Null for an address that has no account. The token is that of the mail's id, so a second try has the same link; it is
// not made again when an earlier try, whose answer was lost, had already brought it to the person.
async function writeReset(
  { config }: SystemMailDeps,
  client: pg.PoolClient,
  { id, recipient, data, attempts }: Extract<DueMail, { kind: 'password_reset' }>,
): Promise<Omit<SystemLetter, 'to'> | null> {
  const person = await lockPerson(client, recipient);
  const memberships = person && (await selectMemberships(client, person.id, null));
  if (!person || !memberships?.length) return null;
  if (person.passwordHash === null) return resetLetter(config, recipient, data, null);
  const token = resetToken(config, id);
  const isNew = attempts === 0;
  if (!(await updateReset(client, person.id, { hash: sha256(token), seconds: RESET_SECONDS, isNew })))
    return null;
  for (const { tenant } of isNew ? memberships : []) {
    await insertAudit(client, nobody(data.ip), {
      tenantId: tenant.id,
      action: 'user.password_reset_asked',
      subject: toId('usr', person.id),
    });
  }
  return resetLetter(config, recipient, data, token);
}

// False when it is worth another try.
async function submit({ db, sender, config, log }: SystemMailDeps, mail: DueMail, letter: SystemLetter) {
  const { id, kind, isLate } = mail;
  const written = await writeSystemMail({ db, config }, letter);
  if (!written.ok) {
    const waits = written.isTemporary && !isLate;
    log[waits ? 'warn' : 'info'](
      { mail: id, kind, why: written.why, waits },
      'mail of this service was not sent',
    );
    return !waits;
  }
  const sent = await submitSystemMail(sender, kind === 'password_reset' ? 'reset' : 'notice', written, {
    id,
  });
  if (sent.ok && sent.status === 'dropped')
    log.warn({ mail: id, kind, why: sent.reason }, 'mail of this service was dropped');
  if (sent.ok) return true;
  log.warn({ mail: id, kind, code: sent.code, why: sent.message }, 'mail of this service was not sent');
  return isLate || (sent.code !== 'unavailable' && sent.code !== 'domain_not_verified');
}

function retryMs(attempts: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts, 20), LONGEST_RETRY_MS);
}
