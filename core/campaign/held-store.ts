// Mail of a campaign that is with the senders and has not been tried: held while the campaign is paused, let go, or
// cancelled with it. In batches, because a campaign may be a million; what a sender has in hand is left to it.

import type pg from 'pg';

import { newUuid } from '../base/ids.ts';
import type { CampaignClaim } from './campaign.ts';
import type { Queryable } from '../db/pool.ts';

// Held mail is due at the end of time: no release and no delivery finds it, and it reserves no slots of any day.
const HELD_UNTIL = '9999-12-31T00:00:00Z';

/** Holds the next messages. Returns how many; 0 when all are held. */
export async function holdMessages(db: Queryable, claim: CampaignClaim, limit: number): Promise<number> {
  const { rowCount } = await db.query({
    name: 'campaign-hold',
    text: `with waiting as materialized (
             select id, tenant_id from messages
             where campaign_id = $1 and tenant_id = $2 and state in ('queued', 'deferred') and claimed_by is null
               and coalesce(next_attempt_at, deferred_until) < $3
             order by id limit $4 for update)
           update messages m
           set next_attempt_at = case when m.next_attempt_at is not null then $3::timestamptz end,
               deferred_until = case when m.deferred_until is not null then $3::timestamptz end
           from waiting w where m.id = w.id and m.tenant_id = w.tenant_id`,
    values: [claim.id, claim.tenantId, HELD_UNTIL, limit],
  });
  return rowCount ?? 0;
}

/** Lets go of the next messages, with their full time to live. Returns how many; 0 when none are held. */
export async function letGo(
  db: Queryable,
  claim: CampaignClaim,
  maxAgeMs: number,
  limit: number,
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'campaign-let-go',
    text: `with held as materialized (
             select id, tenant_id from messages
             where campaign_id = $1 and tenant_id = $2 and state in ('queued', 'deferred') and claimed_by is null
               and coalesce(next_attempt_at, deferred_until) >= $3
             order by id limit $4 for update)
           update messages m
           set next_attempt_at = case when m.next_attempt_at is not null then now() end,
               deferred_until = case when m.deferred_until is not null then now() end,
               expires_at = case when m.expires_at is not null
                 then now() + make_interval(secs => $5::float8 / 1000) end
           from held h where m.id = h.id and m.tenant_id = h.tenant_id`,
    values: [claim.id, claim.tenantId, HELD_UNTIL, limit, maxAgeMs],
  });
  return rowCount ?? 0;
}

/** Cancels the next messages, each with its event. Raising the claim version fences a sender that believes otherwise. */
export async function cancelMessages(
  client: pg.ClientBase,
  claim: CampaignClaim,
  limit: number,
): Promise<number> {
  const { rows } = await client.query<{ id: string; domainId: string; rcptTo: string }>({
    name: 'campaign-cancel-messages',
    text: `with waiting as materialized (
             select id, tenant_id from messages
             where campaign_id = $1 and tenant_id = $2 and state in ('queued', 'deferred') and claimed_by is null
             order by id limit $3 for update)
           update messages m
           set state = 'cancelled', defer_reason = null, deferred_until = null, next_attempt_at = null,
               claim_version = m.claim_version + 1, finished_at = now()
           from waiting w where m.id = w.id and m.tenant_id = w.tenant_id
           returning m.id, m.domain_id as "domainId", m.rcpt_to as "rcptTo"`,
    values: [claim.id, claim.tenantId, limit],
  });
  if (rows.length === 0) return 0;
  await client.query({
    name: 'campaign-cancel-events',
    text: `insert into events (id, tenant_id, type, message_id, domain_id, campaign_id, recipient, occurred_at, data)
           select q.id, $1, 'cancelled', q.message_id, q.domain_id, $2, q.recipient, now(), '{}'
           from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::text[]) as q(id, message_id, domain_id, recipient)`,
    values: [
      claim.tenantId,
      claim.id,
      rows.map(() => newUuid()),
      rows.map((row) => row.id),
      rows.map((row) => row.domainId),
      rows.map((row) => row.rcptTo),
    ],
  });
  return rows.length;
}

/** Forgets who had a turn and no message yet: nobody will make one. Returns how many; at most a few batches. */
export async function forgetUnsubmitted(db: Queryable, claim: CampaignClaim): Promise<number> {
  const { rowCount } = await db.query({
    name: 'campaign-forget-unsubmitted',
    text: `delete from campaign_recipients r using campaigns c
           where c.id = $1 and c.tenant_id = $2 and c.claim_version = $3 and c.task = 'cancel'
             and r.campaign_id = $1 and r.tenant_id = $2 and r.error is null
             and (c.confirmed_to is null or r.contact_id > c.confirmed_to)
             and not exists (select from messages m where m.id = r.message_id and m.tenant_id = $2)`,
    values: [claim.id, claim.tenantId, claim.claimVersion],
  });
  return rowCount ?? 0;
}

/** Ends the campaign when no message of it waits for its first try. False while one does. */
export async function settle(db: Queryable, claim: CampaignClaim): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'campaign-settle',
    text: `update campaigns
           set state = 'sent', task = null, due_at = null, completed_at = now(), claimed_until = null,
               updated_at = now()
           where id = $1 and tenant_id = $2 and claim_version = $3 and state = 'sending' and task = 'settle'
             and not exists (
               select from messages m
               where m.campaign_id = $1 and m.tenant_id = $2 and m.state in ('queued', 'sending', 'deferred')
                 and m.attempts = 0)`,
    values: [claim.id, claim.tenantId, claim.claimVersion],
  });
  return rowCount === 1;
}
