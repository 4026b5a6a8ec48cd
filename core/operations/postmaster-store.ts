// Mail to postmaster and abuse addresses of ours, and the notice about it. Bounded in all directions, since anybody may
// write there.

import type pg from 'pg';

import { uuidTimeMs } from '../base/ids.ts';
import { inTransaction } from '../db/transaction.ts';
import { addNotices } from './notice-store.ts';

/** Such a message. */
export interface PostmasterMail {
  /** UUID. */
  id: string;
  recipient: string;
  mailFrom: string;
  peer: string;
  subject: string;
  sizeBytes: number;
  receivedAt: Date;
}

/** Messages kept; the oldest go. With the 256 KiB that one may have they take 256 MB at most. */
const MAX_KEPT = 1_000;

/** Messages a day from one network, so that no single one can push the others out. */
const MAX_PER_NETWORK = 20;

/** Keeps a message and tells the operators, once an hour at most. False when its network has sent too many. */
export async function keepPostmasterMail(
  pool: pg.Pool,
  mail: Omit<PostmasterMail, 'sizeBytes' | 'receivedAt'> & { network: string; raw: Buffer },
  notice: string,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query({
      name: 'postmaster-keep',
      text: `with allowed as materialized (
               select $1::uuid as id, $2::text as recipient, $3::text as mail_from, $4::text as peer, $5::text as network,
                 $6::text as subject, $7::bytea as raw
               where (select count(*) from postmaster_mails
                      where network = $5 and received_at > now() - interval '1 day') < $8),
             kept as (
               insert into postmaster_mails (id, recipient, mail_from, peer, network, subject, raw)
               select * from allowed)
             select 1 from allowed`,
      values: [
        mail.id,
        mail.recipient,
        mail.mailFrom,
        mail.peer,
        mail.network,
        mail.subject,
        mail.raw,
        MAX_PER_NETWORK,
      ],
    });
    if (rowCount === 0) return false;
    await client.query({
      name: 'postmaster-trim',
      text: 'delete from postmaster_mails where id in (select id from postmaster_mails order by id desc offset $1)',
      values: [MAX_KEPT],
    });
    const hour = new Date(uuidTimeMs(mail.id)).toISOString().slice(0, 13);
    await addNotices(client, [{ event: `postmaster.${hour}`, text: notice }]);
    return true;
  });
}

/** A page of what is kept, the newest first. */
export async function listPostmasterMail(
  pool: pg.Pool,
  page: { before: string | undefined; limit: number },
): Promise<PostmasterMail[]> {
  const { rows } = await pool.query<PostmasterMail>({
    name: 'postmaster-list',
    text: `select id, recipient, mail_from as "mailFrom", peer, subject, octet_length(raw) as "sizeBytes",
             received_at as "receivedAt"
           from postmaster_mails where $1::uuid is null or id < $1 order by id desc limit $2`,
    values: [page.before ?? null, page.limit],
  });
  return rows;
}

/** The bytes of one message, or null. */
export async function readPostmasterMail(pool: pg.Pool, id: string): Promise<Buffer | null> {
  const { rows } = await pool.query<{ raw: Buffer }>({
    name: 'postmaster-read',
    text: 'select raw from postmaster_mails where id = $1',
    values: [id],
  });
  return rows[0]?.raw ?? null;
}

/** Deletes what is older than so many days. */
export async function deleteOldPostmasterMail(pool: pg.Pool, days: number): Promise<void> {
  await pool.query({
    name: 'postmaster-retention',
    text: `delete from postmaster_mails where received_at < now() - $1 * interval '1 day'`,
    values: [days],
  });
}
