// The moves of a campaign's mail that is with the senders and has not been tried: held while the campaign is paused,
// resumed, or cancelled with it. In batches, because a campaign may be a million; what is in flight is left to its sender.
// SQL by hand: row locks, their order and the fence of a claim decide here.

import type pg from 'pg';

import { newUuid } from '../base/ids.ts';
import type { Queryable } from '../db/pool.ts';
import { insertEvents } from './event-store.ts';
import { HELD_UNTIL } from './message-columns.ts';
import { jsonText, noteSql } from './note-decision.ts';
import { CLOCK, later } from '../db/citus-forms.ts';

/** A campaign, by its UUIDs. */
export interface CampaignRef {
  tenantId: string;
  id: string;
}

/** Holds the next messages. Returns how many; 0 when all are held. */
export async function holdCampaignMail(db: Queryable, campaign: CampaignRef, limit: number): Promise<number> {
  const { rowCount } = await db.query({
    name: 'message-hold-campaign',
    text: `with waiting as materialized (
             select id, tenant_id from messages
             where campaign_id = $1 and tenant_id = $2 and state in ('queued', 'deferred') and claimed_by is null
               and coalesce(next_attempt_at, deferred_until) < $3
             order by id limit $4 for update)
           update messages m
           set next_attempt_at = case when m.next_attempt_at is not null then $3::timestamptz end,
               deferred_until = case when m.deferred_until is not null then $3::timestamptz end,
               ${noteSql('campaign_paused', {}, { ofRow: { state: jsonText('m.state') } })}
           from waiting w where m.id = w.id and m.tenant_id = w.tenant_id`,
    values: [campaign.id, campaign.tenantId, HELD_UNTIL, limit],
  });
  return rowCount ?? 0;
}

/** Resumes the next held messages, with their full time to live. Returns how many; 0 when none are held. */
export async function resumeCampaignMail(
  db: Queryable,
  campaign: CampaignRef,
  maxAgeMs: number,
  limit: number,
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'message-resume-campaign',
    text: `with held as materialized (
             select id, tenant_id from messages
             where campaign_id = $1 and tenant_id = $2 and state in ('queued', 'deferred') and claimed_by is null
               and coalesce(next_attempt_at, deferred_until) >= $3
             order by id limit $4 for update)
           update messages m
           set next_attempt_at = case when m.next_attempt_at is not null then clock.now end,
               deferred_until = case when m.deferred_until is not null then clock.now end,
               expires_at = case when m.expires_at is not null
                 then ${later('clock.now', 'make_interval(secs => $5::float8 / 1000)')} end,
               ${noteSql('campaign_resumed', {}, { ofRow: { state: jsonText('m.state') } })}
           from held h, ${CLOCK} where m.id = h.id and m.tenant_id = h.tenant_id`,
    values: [campaign.id, campaign.tenantId, HELD_UNTIL, limit, maxAgeMs],
  });
  return rowCount ?? 0;
}

/** Cancels the next messages, each with its event. Raising the claim version fences a sender that believes otherwise. */
export async function cancelCampaignMail(
  client: pg.ClientBase,
  campaign: CampaignRef,
  limit: number,
): Promise<number> {
  const { rows } = await client.query<{ id: string; domainId: string; rcptTo: string }>({
    name: 'message-cancel-campaign',
    text: `with waiting as materialized (
             select id, tenant_id from messages
             where campaign_id = $1 and tenant_id = $2 and state in ('queued', 'deferred') and claimed_by is null
             order by id limit $3 for update)
           update messages m
           set state = 'cancelled', defer_reason = null, deferred_until = null, next_attempt_at = null,
               claim_version = m.claim_version + 1, finished_at = now(), ${noteSql('cancelled', { by: `'campaign'` })}
           from waiting w where m.id = w.id and m.tenant_id = w.tenant_id
           returning m.id, m.domain_id as "domainId", m.rcpt_to as "rcptTo"`,
    values: [campaign.id, campaign.tenantId, limit],
  });
  if (rows.length === 0) return 0;
  await insertEvents(
    client,
    rows.map(({ id: messageId, domainId, rcptTo: recipient }) => ({
      id: newUuid(),
      tenantId: campaign.tenantId,
      type: 'cancelled' as const,
      messageId,
      domainId,
      campaignId: campaign.id,
      recipient,
      data: {},
    })),
  );
  return rows.length;
}
