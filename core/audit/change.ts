// The one way to change something for somebody: the change, its rows of the audit log, and the mail to owners who should
// know of it in one transaction; live views are notified after the commit. A notice may be lost: whoever polls reads the
// record. The mail is not (core/system-mail/).

import type pg from 'pg';

import { publishChange, type ChangeTopic } from '../clients/live.ts';
import type { Nats } from '../clients/nats.ts';
import type { Database } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { mailOwners } from '../system-mail/system-mail-store.ts';
import { isMailedChange, type MailedChange } from '../system-mail/system-mail.ts';
import { insertAudit, type AuditEntry } from './audit-store.ts';
import { actorName, type Actor } from './actor.ts';

/** What a change needs. */
export interface ChangeDeps {
  db: Database;
  /** For live views; the command line goes without. */
  nats?: Pick<Nats, 'publish'>;
}

/** What a change needs that live views show. */
export type LiveChangeDeps = Required<ChangeDeps>;

/** A row for the audit log, and the topic of live views that show its subject. */
export interface ChangeEntry extends AuditEntry {
  topic?: ChangeTopic;
  /** What the owners get mail about, where that is not the action itself. */
  mailedAs?: MailedChange;
}

/** Records what a change did, in its transaction. A change that records nothing changed nothing. */
export type RecordChange = (entry: ChangeEntry) => Promise<void>;

/** Runs a change in one transaction, commits, then notifies live views. Rolls back when `work` throws. */
export async function change<T>(
  deps: ChangeDeps,
  by: Actor,
  work: (client: pg.PoolClient, record: RecordChange) => Promise<T>,
): Promise<T> {
  const recorded: ChangeEntry[] = [];
  const result = await inTransaction(deps.db.pool, (client) =>
    work(client, async (entry) => {
      await insertAudit(client, by, entry);
      await mailAbout(client, by, entry);
      recorded.push(entry);
    }),
  );
  for (const { tenantId, topic, subject } of recorded)
    if (deps.nats && tenantId !== null && topic) publishChange(deps.nats, tenantId, topic, subject);
  return result;
}

async function mailAbout(
  client: pg.PoolClient,
  by: Actor,
  { tenantId, action: audited, mailedAs, details = {} }: ChangeEntry,
): Promise<void> {
  const action = mailedAs ?? audited;
  if (tenantId === null || !isMailedChange(action)) return;
  const data = { action, by: actorName(by), ip: by.ip, details };
  await mailOwners(client, tenantId, { kind: 'change', data });
}
