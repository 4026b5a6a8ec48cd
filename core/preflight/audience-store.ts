// Whom a campaign reaches: counts, a few contacts to try its words on, and who lacks a variable.
// SQL by hand: aggregates over an audience in one statement each.

import type { Audience } from '../campaign/campaign.ts';
import type { RecipientContact } from '../campaign/expand-store.ts';
import type { Queryable } from '../db/pool.ts';

/** The contacts of an audience; those who are unsubscribed are no recipients, the suppressed get no message. */
export interface AudienceCounts {
  total: number;
  sendable: number;
  unsubscribed: number;
  suppressed: number;
}

/** How many of the recipients that were looked at have no value for a variable. */
export interface Lacking {
  /** Recipients that were looked at: all, or the first of a large audience. */
  recipients: number;
  byName: Map<string, number>;
}

// Contacts whose attributes are read: about a second.
const MOST_READ = 100_000;

/** Counts the audience as it is now. */
export async function countAudience(
  db: Queryable,
  tenantId: string,
  audience: Audience,
): Promise<AudienceCounts> {
  const { rows } = await db.query<AudienceCounts>(
    `select count(*)::int as total,
       count(*) filter (where c.status = 'unsubscribed')::int as unsubscribed,
       count(*) filter (where c.status = 'subscribed' and s.email is not null)::int as suppressed,
       count(*) filter (where c.status = 'subscribed' and s.email is null)::int as sendable
     ${membersOf(audience)}
     left join suppressions s on s.tenant_id = c.tenant_id and s.email = c.email_key
     where c.tenant_id = $1 and ${isMember(audience)}`,
    [tenantId, valueOf(audience)],
  );
  return rows[0]!;
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
       (select count(*)::int from looked where case q.name
          when 'email' then false
          when 'first_name' then first_name is null
          when 'last_name' then last_name is null
          else not attributes ? q.name end) as lacking
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
