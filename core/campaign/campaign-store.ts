// Campaigns as rows: what their tenant writes and reads, and the moves between states.
// SQL by hand: conditional writes (on conflict, compare and set) that no two callers may see differently.

import type { Campaign, CampaignContent, CampaignState, CampaignTask, FailedRecipient } from './campaign.ts';
import { idPage, type IdPage } from '../db/id-page.ts';
import type { Queryable } from '../db/pool.ts';
import { CLOCK } from '../db/citus-forms.ts';
import { suspendedSql } from '../tenant/suspended.ts';

/** The content of a campaign, for other stores' statements. */
export const CONTENT_COLUMNS = `name, header_from as "from", reply_to as "replyTo", subject,
  template_id as "templateId", html, text, audience, track_opens as "trackOpens", track_clicks as "trackClicks"`;

const COLUMNS = `id, version, ${CONTENT_COLUMNS}, state, pause_reason as "pauseReason", pause_message as "pauseMessage",
  scheduled_at as "scheduledAt", launched_at as "launchedAt", completed_at as "completedAt",
  created_at as "createdAt", updated_at as "updatedAt"`;

/** Inserts a draft. A second one of the same id violates the primary key. */
export async function insertCampaign(
  db: Queryable,
  tenantId: string,
  id: string,
  content: CampaignContent,
): Promise<void> {
  await db.query({
    name: 'campaign-insert',
    text: `insert into campaigns (id, tenant_id, name, header_from, reply_to, subject, template_id, html, text,
             audience, track_opens, track_clicks)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    values: [id, tenantId, ...contentValues(content)],
  });
}

/** Writes a content over that of a campaign in one of `states`, and of `version` if one is given. False when it is not. */
export async function updateContent(
  db: Queryable,
  tenantId: string,
  id: string,
  content: CampaignContent,
  of: { states: readonly CampaignState[]; version: number | null },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'campaign-update',
    text: `update campaigns
           set name = $3, header_from = $4, reply_to = $5, subject = $6, template_id = $7, html = $8, text = $9,
               audience = $10, track_opens = $11, track_clicks = $12, version = version + 1, updated_at = now()
           where id = $1 and tenant_id = $2 and state = any($13::text[]) and ($14::int is null or version = $14)`,
    values: [id, tenantId, ...contentValues(content), of.states, of.version],
  });
  return rowCount === 1;
}

/** Deletes a draft or scheduled campaign. Returns its name, or null when it is neither, or not there. */
export async function deleteCampaignRow(db: Queryable, tenantId: string, id: string): Promise<string | null> {
  const { rows } = await db.query<{ name: string }>(
    `delete from campaigns where id = $1 and tenant_id = $2 and state in ('draft', 'scheduled') returning name`,
    [id, tenantId],
  );
  return rows[0]?.name ?? null;
}

/** One campaign, or null. */
export async function selectCampaign(db: Queryable, tenantId: string, id: string): Promise<Campaign | null> {
  const { rows } = await db.query<Campaign>({
    name: 'campaign-by-id',
    text: `select ${COLUMNS} from campaigns where tenant_id = $1 and id = $2`,
    values: [tenantId, id],
  });
  return rows[0] ?? null;
}

/** A page of campaigns. */
export async function selectCampaigns(
  db: Queryable,
  tenantId: string,
  page: IdPage & { state: CampaignState | null },
): Promise<Campaign[]> {
  const { where, order } = idPage('id', page);
  const { rows } = await db.query<Campaign>(
    `select ${COLUMNS} from campaigns
     where tenant_id = $1 and ${where} and ($4::text is null or state = $4) order by ${order} limit $5`,
    [tenantId, page.before, page.after ?? null, page.state, page.limit],
  );
  return rows;
}

const NEWEST = 2_000; // campaigns whose names are read: about 5 ms

/** Of the newest campaigns those with a text in their name or subject, letter case apart, newest first. */
export async function selectCampaignsLike(
  db: Queryable,
  tenantId: string,
  text: string,
  limit: number,
): Promise<Campaign[]> {
  const { rows } = await db.query<Campaign>({
    name: 'campaign-like',
    text: `select ${COLUMNS} from campaigns where tenant_id = $1 and id in (
             select id from (
               select id, name, subject from campaigns where tenant_id = $1 order by id desc limit $4) newest
             where strpos(lower(concat_ws(' ', name, subject)), lower($2)) > 0)
           order by id desc limit $3`,
    values: [tenantId, text, limit, NEWEST],
  });
  return rows;
}

/** A state to move to, with the work that it means for a scheduler. */
export interface CampaignMove {
  from: CampaignState[];
  to: CampaignState;
  task: Exclude<CampaignTask, 'settle'> | null;
  pauseReason?: 'requested';
  /** Only if its content is still this one. */
  version?: number;
  scheduledAt?: Date;
}

/** Moves a campaign, if it is in one of the states to move from. */
export async function moveCampaign(
  db: Queryable,
  tenantId: string,
  id: string,
  move: CampaignMove,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'campaign-move',
    text: `update campaigns
           set state = $4, task = $5, due_at = case when $5::text is not null then clock.now end,
               pause_reason = $6, pause_message = null,
               scheduled_at = case when $4 in ('draft', 'scheduled') then $7 else coalesce($7, scheduled_at) end,
               launched_at = case when $4 = 'sending' then coalesce(launched_at, clock.now) else launched_at end,
               completed_at = case when $4 = 'cancelled' then clock.now end, updated_at = now()
           from ${CLOCK}
           where id = $1 and tenant_id = $2 and state = any($3::text[]) and ($8::int is null or version = $8)`,
    values: [
      id,
      tenantId,
      move.from,
      move.to,
      move.task,
      move.pauseReason ?? null,
      move.scheduledAt ?? null,
      move.version ?? null,
    ],
  });
  return rowCount === 1;
}

/** Launches what is scheduled for `now` or earlier; null is the database's clock. Returns how many. */
export async function launchScheduled(db: Queryable, now: Date | null): Promise<number> {
  const { rowCount } = await db.query({
    name: 'campaign-launch-scheduled',
    text: `update campaigns
           set state = 'sending', task = 'expand', due_at = now(), launched_at = now(), updated_at = now()
           from (select coalesce($1, now()) as now) as clock
           where state = 'scheduled' and scheduled_at <= clock.now and not ${suspendedSql('campaigns.tenant_id')}`,
    values: [now],
  });
  return rowCount ?? 0;
}

/** A page of the recipients that no sender would take, by contact id. */
export async function selectFailed(
  db: Queryable,
  tenantId: string,
  campaignId: string,
  page: { after: string | null; limit: number },
): Promise<FailedRecipient[]> {
  const { rows } = await db.query<FailedRecipient>({
    name: 'campaign-failed',
    text: `select r.contact_id as "contactId", c.email, r.error
           from campaign_recipients r left join contacts c on c.tenant_id = $1 and c.id = r.contact_id
           where r.campaign_id = $2 and r.tenant_id = $1 and r.error is not null
             and ($3::uuid is null or r.contact_id > $3)
           order by r.contact_id limit $4`,
    values: [tenantId, campaignId, page.after, page.limit],
  });
  return rows;
}

/** Marks the failed recipients to be tried again. Returns how many there are. */
export async function retryFailed(db: Queryable, tenantId: string, campaignId: string): Promise<number> {
  const { rowCount } = await db.query({
    name: 'campaign-retry-failed',
    text: `update campaign_recipients set retry = true
           where campaign_id = $1 and tenant_id = $2 and error is not null and not retry`,
    values: [campaignId, tenantId],
  });
  return rowCount ?? 0;
}

function contentValues(content: CampaignContent): unknown[] {
  return [
    content.name,
    content.from,
    content.replyTo,
    content.subject,
    content.templateId,
    content.html,
    content.text,
    JSON.stringify(content.audience),
    content.trackOpens,
    content.trackClicks,
  ];
}
