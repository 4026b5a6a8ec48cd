// The outbox of mail to people. A row is written in the transaction of what it is about: there is no change without its
// mail, and no mail without its change. It is deleted when the mail is submitted.
// SQL by hand: rows are locked and skipped.

import type pg from 'pg';

import { newUuid } from '../base/ids.ts';
import type { Queryable } from '../db/pool.ts';
import type { SystemMail } from './system-mail.ts';
import { RUNNING_CLOCK, later } from '../db/citus-forms.ts';

/** To whom, and for the owners of which tenant. */
export interface Addressee {
  recipient: string;
  tenantId: string | null;
}

/** Mail that is due, locked until the transaction ends. */
export type DueMail = SystemMail &
  Addressee & { id: string; createdAt: Date; attempts: number; isLate: boolean };

const MOST_OWNERS = 50; // of a tenant get mail about it
const LATE = '20 hours'; // the sender knows an id that it was given before for a day

/** Writes a mail into the outbox. Its id, a UUIDv7, becomes that of the message. */
export async function addSystemMail(db: Queryable, to: Addressee, mail: SystemMail): Promise<void> {
  await db.query({
    name: 'system-mail-add',
    text: `insert into system_mails (id, tenant_id, recipient, kind, data) values ($1, $2, $3, $4, $5)`,
    values: [newUuid(), to.tenantId, to.recipient, mail.kind, mail.data],
  });
}

/** Writes a mail to each owner that a tenant has now. */
export async function mailOwners(db: Queryable, tenantId: string, mail: SystemMail): Promise<void> {
  for (const recipient of await selectOwners(db, tenantId)) {
    await addSystemMail(db, { recipient, tenantId }, mail);
  }
}

/** Addresses of a tenant's owners. */
export async function selectOwners(db: Queryable, tenantId: string): Promise<string[]> {
  const { rows } = await db.query<{ email: string }>({
    name: 'system-mail-owners',
    text: `select u.email from memberships m join users u on u.id = m.user_id
           where m.tenant_id = $1 and m.role = 'owner' order by u.id limit ${MOST_OWNERS}`,
    values: [tenantId],
  });
  return rows.map((row) => row.email);
}

/** The due mail to send next, locked: resets first, then the longest due. Mail that another scheduler is sending is passed over. */
export async function lockDueMail(client: pg.ClientBase): Promise<DueMail | null> {
  const { rows } = await client.query<DueMail>({
    name: 'system-mail-lock-due',
    text: `select id, tenant_id as "tenantId", recipient, kind, data, created_at as "createdAt", attempts,
                  created_at < now() - interval '${LATE}' as "isLate"
           from system_mails where next_attempt_at <= now()
           order by kind <> 'password_reset', next_attempt_at, id limit 1 for update skip locked`,
  });
  return rows[0] ?? null;
}

/** It was submitted, or there is nothing to submit. */
export async function deleteMail(client: pg.ClientBase, id: string): Promise<void> {
  await client.query({
    name: 'system-mail-delete',
    text: 'delete from system_mails where id = $1',
    values: [id],
  });
}

/** It is due again later. */
export async function postponeMail(client: pg.ClientBase, id: string, retryInMs: number): Promise<void> {
  await client.query({
    name: 'system-mail-postpone',
    text: `update system_mails
           set attempts = attempts + 1, next_attempt_at = ${later('clock.now', `$2 * interval '1 millisecond'`)}
           from ${RUNNING_CLOCK}
           where id = $1`,
    values: [id, retryInMs],
  });
}

/** How many mails are in the outbox. */
export async function countUnsubmittedMail(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ waiting: number }>({
    name: 'system-mail-count',
    text: 'select count(*)::int as waiting from system_mails',
  });
  return rows[0]!.waiting;
}
