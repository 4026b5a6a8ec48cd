// The recipients of a campaign: who is next, what was submitted, what the senders answered. Every write is fenced by
// the claim's version, so that a scheduler that was thought dead changes nothing when it wakes.
// SQL by hand: row locks, their order and the fence of a claim decide here.

import type pg from 'pg';

import type { CampaignClaim, PauseReason } from './campaign.ts';
import { CONTENT_COLUMNS } from './campaign-store.ts';
import type { Queryable } from '../db/pool.ts';
import { CLOCK, later } from '../db/citus-forms.ts';
import { suspendedSql } from '../tenant/suspended.ts';

/** A contact that gets a message. `stored`: its message is with a sender already. */
export interface Recipient {
  contactId: string;
  messageId: string;
  /** Null when the contact was deleted, or unsubscribed, before it was submitted. */
  contact: RecipientContact | null;
  stored: boolean;
}

/** What a message says of its recipient. */
export interface RecipientContact {
  email: string;
  firstName: string | null;
  lastName: string | null;
  attributes: Record<string, unknown>;
}

const LEASE = (parameter: string, now = 'now()') =>
  later(now, `make_interval(secs => ${parameter}::float8 / 1000)`);

/** Claims the campaign that has been due longest, for a lease; null when none is. Those of suspended tenants are not expanded. */
export async function claimCampaign(db: Queryable, leaseMs: number): Promise<CampaignClaim | null> {
  const { rows } = await db.query<CampaignClaim>({
    name: 'campaign-claim',
    text: `update campaigns
           set claim_version = claim_version + 1, claimed_until = ${LEASE('$1')}
           from ${CLOCK}
           where (id, tenant_id) = (
             select id, tenant_id from campaigns
             where task is not null and due_at <= now() and (claimed_until is null or claimed_until < now())
               and (task <> 'expand' or not ${suspendedSql('campaigns.tenant_id')})
             order by due_at limit 1 for update skip locked)
           returning id, tenant_id as "tenantId", ${CONTENT_COLUMNS}, task,
             coalesce(launched_at, clock.now) as "launchedAt", content_template_id as "contentTemplateId",
             marked_to as "markedTo", confirmed_to as "confirmedTo", claim_version as "claimVersion"`,
    values: [leaseMs],
  });
  return rows[0] ?? null;
}

/** Gives a claim back. The task is due again after a while, or done when `dueInMs` is null. */
export async function releaseCampaign(
  db: Queryable,
  claim: CampaignClaim,
  dueInMs: number | null,
): Promise<void> {
  await db.query({
    name: 'campaign-release',
    text: `update campaigns
           set claimed_until = null,
               due_at = case when task = $4 then ${LEASE('$5', 'clock.now')} else due_at end,
               task = case when task = $4 and $5::float8 is null then null else task end
           from ${CLOCK}
           where id = $1 and tenant_id = $2 and claim_version = $3`,
    values: [claim.id, claim.tenantId, claim.claimVersion, claim.task, dueInMs],
  });
}

/** Keeps the claim. False when it was lost or there is another task now: a pause, a cancellation. */
export async function keepCampaign(db: Queryable, claim: CampaignClaim, leaseMs: number): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'campaign-keep',
    text: `update campaigns set claimed_until = ${LEASE('$5')}
           where id = $1 and tenant_id = $2 and claim_version = $3 and task = $4`,
    values: [claim.id, claim.tenantId, claim.claimVersion, claim.task, leaseMs],
  });
  return rowCount === 1;
}

/** The next contacts of the audience: subscribed now, there when the campaign was launched, in the order of ids. */
export async function selectAudience(
  client: pg.ClientBase,
  claim: CampaignClaim,
  after: string | null,
  limit: number,
): Promise<(RecipientContact & { contactId: string })[]> {
  const { audience } = claim;
  const columns = `c.id as "contactId", c.email, c.first_name as "firstName", c.last_name as "lastName", c.attributes`;
  const common = [claim.tenantId, after, claim.launchedAt, limit];
  const due = `c.status = 'subscribed' and c.created_at <= $3`;
  if ('listId' in audience) {
    const { rows } = await client.query<RecipientContact & { contactId: string }>({
      name: 'campaign-audience-list',
      text: `select ${columns} from contact_list_members m
             join contacts c on c.tenant_id = m.tenant_id and c.id = m.contact_id
             where m.list_id = $5 and m.tenant_id = $1 and ($2::uuid is null or m.contact_id > $2) and ${due}
             order by m.contact_id limit $4`,
      values: [...common, audience.listId],
    });
    return rows;
  }
  const { rows } = await client.query<RecipientContact & { contactId: string }>({
    name: 'campaign-audience',
    text: `select ${columns} from contacts c
           where c.tenant_id = $1 and ($2::uuid is null or c.id > $2) and ${due}
             and ($5::text is null or $5 = any(c.tags))
           order by c.id limit $4`,
    values: [...common, 'tag' in audience ? audience.tag : null],
  });
  return rows;
}

/** Inserts recipients. A contact that has a row already violates the primary key: it must never get a second id. */
export async function insertRecipients(
  client: pg.ClientBase,
  claim: CampaignClaim,
  recipients: { contactId: string; messageId: string }[],
): Promise<void> {
  await client.query({
    name: 'campaign-insert-recipients',
    text: `insert into campaign_recipients (campaign_id, contact_id, tenant_id, message_id)
           select $1, contact_id, $2, message_id from unnest($3::uuid[], $4::uuid[]) as q(contact_id, message_id)`,
    values: [
      claim.id,
      claim.tenantId,
      recipients.map((one) => one.contactId),
      recipients.map((one) => one.messageId),
    ],
  });
}

/** Advances the cursor and keeps the claim. False when the claim was lost or the task is another: roll back. */
export async function advanceCursor(
  client: pg.ClientBase,
  claim: CampaignClaim,
  markedTo: string,
  leaseMs: number,
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'campaign-advance-cursor',
    text: `update campaigns set marked_to = $4, claimed_until = ${LEASE('$5')}
           where id = $1 and tenant_id = $2 and claim_version = $3 and task = 'expand'`,
    values: [claim.id, claim.tenantId, claim.claimVersion, markedTo, leaseMs],
  });
  return rowCount === 1;
}

/**
 * Recipients whose answer is not known: inserted after `confirmedTo` and up to the cursor `markedTo`, or to be tried
 * again. Two kinds, one statement each.
 */
export async function selectOpenRecipients(
  db: Queryable,
  claim: CampaignClaim,
  which: { after: string | null; upTo: string } | 'retry',
  limit: number,
): Promise<Recipient[]> {
  const retry = which === 'retry';
  const { rows } = await db.query<RecipientContact & Recipient & { there: boolean }>({
    name: retry ? 'campaign-open-retry' : 'campaign-open-marked',
    text: `select r.contact_id as "contactId", r.message_id as "messageId", c.email, c.first_name as "firstName",
             c.last_name as "lastName", c.attributes, c.id is not null as there,
             exists (select from messages m where m.id = r.message_id and m.tenant_id = $1) as stored
           from campaign_recipients r
           left join contacts c on c.tenant_id = $1 and c.id = r.contact_id and c.status = 'subscribed'
           where r.campaign_id = $2 and r.tenant_id = $1
             and ${retry ? 'r.error is not null and r.retry' : 'r.error is null and ($4::uuid is null or r.contact_id > $4) and r.contact_id <= $5'}
           order by r.contact_id limit $3`,
    values: [claim.tenantId, claim.id, limit, ...(retry ? [] : [which.after, which.upTo])],
  });
  return rows.map(({ contactId, messageId, stored, there, ...contact }) => ({
    contactId,
    messageId,
    stored,
    contact: there ? contact : null,
  }));
}

/** Gives recipients other message ids: only for those whose old one is certainly not stored. */
export async function renewMessageIds(
  db: Queryable,
  claim: CampaignClaim,
  recipients: { contactId: string; messageId: string }[],
): Promise<void> {
  await db.query({
    name: 'campaign-renew-ids',
    text: `update campaign_recipients r set message_id = q.message_id
           from unnest($3::uuid[], $4::uuid[]) as q(contact_id, message_id)
           where r.campaign_id = $1 and r.tenant_id = $2 and r.contact_id = q.contact_id
             and exists (select from campaigns c
                         where c.id = $1 and c.tenant_id = $2 and c.claim_version = $5 and c.task = 'expand'
                         for update)`,
    values: [
      claim.id,
      claim.tenantId,
      recipients.map((one) => one.contactId),
      recipients.map((one) => one.messageId),
      claim.claimVersion,
    ],
  });
}

/** What the senders answered about a batch. */
export interface BatchOutcome {
  /** Failed before and accepted now. */
  recovered: string[];
  failed: { contactId: string; error: string }[];
  /** Deleted or unsubscribed before they were submitted: no recipients at all. */
  gone: string[];
  /** Everything up to this contact is answered; null changes nothing. */
  confirmedTo: string | null;
}

/** Records the answers. False when the claim was lost: roll back, another scheduler finds out by itself. */
export async function recordAnswers(
  client: pg.ClientBase,
  claim: CampaignClaim,
  answers: BatchOutcome,
  leaseMs: number,
): Promise<boolean> {
  const { recovered, failed, gone, confirmedTo } = answers;
  const of = [claim.id, claim.tenantId];
  if (failed.length > 0)
    await client.query(
      `update campaign_recipients r set error = q.error, retry = false
       from unnest($3::uuid[], $4::text[]) as q(contact_id, error)
       where r.campaign_id = $1 and r.tenant_id = $2 and r.contact_id = q.contact_id`,
      [...of, failed.map((one) => one.contactId), failed.map((one) => one.error)],
    );
  if (recovered.length > 0)
    await client.query(
      `update campaign_recipients set error = null, retry = false
       where campaign_id = $1 and tenant_id = $2 and contact_id = any($3::uuid[])
         and error is not null`,
      [...of, recovered],
    );
  if (gone.length > 0)
    await client.query(
      'delete from campaign_recipients where campaign_id = $1 and tenant_id = $2 and contact_id = any($3::uuid[])',
      [...of, gone],
    );
  const { rowCount } = await client.query({
    name: 'campaign-confirm',
    text: `update campaigns
           set confirmed_to = coalesce(greatest(confirmed_to, $4), confirmed_to), claimed_until = ${LEASE('$5')}
           where id = $1 and tenant_id = $2 and claim_version = $3`,
    values: [...of, claim.claimVersion, confirmedTo, leaseMs],
  });
  return rowCount === 1;
}

/** Pauses a campaign for a refusal, unless it was paused or cancelled meanwhile. */
export async function pauseForRefusal(
  db: Queryable,
  claim: CampaignClaim,
  reason: PauseReason,
  message: string,
): Promise<void> {
  await db.query({
    name: 'campaign-pause-for-refusal',
    text: `update campaigns
           set state = 'paused', task = null, due_at = null, pause_reason = $4, pause_message = $5,
               claimed_until = null, updated_at = now()
           where id = $1 and tenant_id = $2 and claim_version = $3 and state = 'sending'`,
    values: [claim.id, claim.tenantId, claim.claimVersion, reason, message],
  });
}

/** What was held is due again: the campaign resumes at its cursor. */
export async function beginExpanding(db: Queryable, claim: CampaignClaim): Promise<void> {
  await db.query({
    name: 'campaign-begin-expanding',
    text: `update campaigns set task = 'expand', due_at = now(), claimed_until = null
           where id = $1 and tenant_id = $2 and claim_version = $3 and task = 'release'`,
    values: [claim.id, claim.tenantId, claim.claimVersion],
  });
}

/** The whole audience was submitted: what is left is to wait for the messages. */
export async function beginSettling(db: Queryable, claim: CampaignClaim): Promise<void> {
  await db.query({
    name: 'campaign-begin-settling',
    text: `update campaigns set task = 'settle', due_at = now(), claimed_until = null
           where id = $1 and tenant_id = $2 and claim_version = $3 and task = 'expand'`,
    values: [claim.id, claim.tenantId, claim.claimVersion],
  });
}
