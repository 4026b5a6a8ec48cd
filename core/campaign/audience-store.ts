// Whom a campaign reaches: counts, a few contacts to try its words on, and who lacks a variable.
// SQL by hand: aggregates over an audience in one statement each.

import type { Audience } from './campaign.ts';
import type { RecipientContact } from './expand-store.ts';
import type { Queryable } from '../db/pool.ts';

/** Why a contact of an audience gets no message. Who left by a link, or complained, is unsubscribed too and counted by that. */
export const LEFT_OUT = {
  unsubscribed: 'The contact has unsubscribed',
  suppressed_bounce: 'The address is suppressed: mail to it bounced',
  suppressed_complaint: 'The address is suppressed: its reader reported spam',
  suppressed_unsubscribe: 'The address is suppressed: its reader unsubscribed by a link',
  suppressed_manual: 'The address is suppressed: somebody of the account put it there',
  missing_variable: 'The contact has no value for a variable that the template requires',
};
export type LeftOutReason = keyof typeof LEFT_OUT;

/** The contacts of an audience: those who get a message, and everybody else with the reason. They add up to `total`. */
export interface AudienceCounts {
  total: number;
  sendable: number;
  unsubscribed: number;
  suppressed: number;
  /** Only reasons that somebody has. */
  leftOut: { reason: LeftOutReason; contacts: number }[];
}

/** How many of the recipients that were looked at have no value for a variable. */
export interface Lacking {
  /** Recipients that were looked at: all, or the first of a large audience. */
  recipients: number;
  byName: Map<string, number>;
}

// Whether a contact `c` has no value for the variable `q.name`.
const LACKS = `case q.name
  when 'email' then false
  when 'first_name' then c.first_name is null
  when 'last_name' then c.last_name is null
  else not c.attributes ? q.name end`;

// Contacts whose attributes are read: about a second.
const MOST_READ = 100_000;

/** Counts the audience as it is now. `required`: variables without which a contact gets no message. */
export async function countAudience(
  db: Queryable,
  tenantId: string,
  audience: Audience,
  required: readonly string[] = [],
): Promise<AudienceCounts> {
  const { rows } = await db.query<{
    what: LeftOutReason | 'sendable';
    contacts: number;
    unsubscribed: number;
  }>(
    `select case when s.reason in ('complaint', 'unsubscribe') then 'suppressed_' || s.reason
         when c.status = 'unsubscribed' then 'unsubscribed'
         when s.email is not null then 'suppressed_' || s.reason
         when exists (select from unnest($3::text[]) as q(name) where ${LACKS}) then 'missing_variable'
         else 'sendable' end as what,
       count(*)::int as contacts, count(*) filter (where c.status = 'unsubscribed')::int as unsubscribed
     ${membersOf(audience)}
     left join suppressions s on s.tenant_id = c.tenant_id and s.email = c.email_key
     where c.tenant_id = $1 and ${isMember(audience)} group by 1`,
    [tenantId, valueOf(audience), required],
  );
  const leftOut = Object.keys(LEFT_OUT).flatMap((reason) => {
    const row = rows.find(({ what }) => what === reason);
    return row ? [{ reason: reason as LeftOutReason, contacts: row.contacts }] : [];
  });
  const total = rows.reduce((sum, { contacts }) => sum + contacts, 0);
  const sendable = rows.find(({ what }) => what === 'sendable')?.contacts ?? 0;
  const unsubscribed = rows.reduce((sum, row) => sum + row.unsubscribed, 0);
  const missing = rows.find(({ what }) => what === 'missing_variable')?.contacts ?? 0;
  return { total, sendable, unsubscribed, suppressed: total - sendable - unsubscribed - missing, leftOut };
}

/** Whether somebody of the audience would get a message, but for variables that are missing. */
export async function hasRecipient(db: Queryable, tenantId: string, audience: Audience): Promise<boolean> {
  const { rows } = await db.query(
    `select 1 ${membersOf(audience)}
     left join suppressions s on s.tenant_id = c.tenant_id and s.email = c.email_key
     where c.tenant_id = $1 and ${isMember(audience)} and c.status = 'subscribed' and s.email is null limit 1`,
    [tenantId, valueOf(audience)],
  );
  return rows.length > 0;
}

/** The first contacts that would get a message. */
export async function selectSample(
  db: Queryable,
  tenantId: string,
  audience: Audience,
  limit: number,
): Promise<RecipientContact[]> {
  const { rows } = await db.query<RecipientContact>(
    `select c.email, c.first_name as "firstName", c.last_name as "lastName", c.attributes
     ${membersOf(audience)}
     where c.tenant_id = $1 and ${isMember(audience)} and c.status = 'subscribed' order by c.id limit $3`,
    [tenantId, valueOf(audience), limit],
  );
  return rows;
}

/** Counts who lacks a value: the names of contacts' own fields, or attributes. */
export async function countLacking(
  db: Queryable,
  tenantId: string,
  audience: Audience,
  names: readonly string[],
): Promise<Lacking> {
  const { rows } = await db.query<{ recipients: number; name: string; lacking: number }>(
    `with looked as materialized (
       select c.first_name, c.last_name, c.attributes
       ${membersOf(audience)}
       where c.tenant_id = $1 and ${isMember(audience)} and c.status = 'subscribed' limit $3)
     select (select count(*)::int from looked) as recipients, q.name,
       (select count(*)::int from looked c where ${LACKS}) as lacking
     from unnest($4::text[]) as q(name)`,
    [tenantId, valueOf(audience), MOST_READ, names],
  );
  const byName = new Map(rows.filter(({ lacking }) => lacking > 0).map((row) => [row.name, row.lacking]));
  return { recipients: rows[0]?.recipients ?? 0, byName };
}

function membersOf(audience: Audience): string {
  return 'listId' in audience
    ? 'from contact_list_members m join contacts c on c.tenant_id = m.tenant_id and c.id = m.contact_id'
    : 'from contacts c';
}

function isMember(audience: Audience): string {
  if ('listId' in audience) return 'm.tenant_id = $1 and m.list_id = $2::uuid';
  return '($2::text is null or $2 = any(c.tags))';
}

function valueOf(audience: Audience): string | null {
  if ('listId' in audience) return audience.listId;
  return 'tag' in audience ? audience.tag : null;
}
