// What came of a campaign: opens and clicks over time, its links, and each recipient. Read from the events, so it is there
// for as long as messages are kept. What machines did (core/tracking/machine.ts) is told apart.
// SQL by hand: aggregates over the events of a campaign in one statement each.

import type { Queryable } from '../db/pool.ts';

/** One hour (UTC): messages that were first opened or clicked in it, by a person and by a machine. */
export interface ReportHour {
  at: Date;
  opens: number;
  clicks: number;
  machineOpens: number;
  machineClicks: number;
}

/** A link of the message, as it was before tracking. */
export interface ReportLink {
  url: string;
  /** Recipients who followed it. */
  recipients: number;
  /** All times that it was followed by a person. */
  clicks: number;
  machineClicks: number;
}

/** What a list of recipients is about. `machine_opened`: opened by machines, and by no person. */
export const RECIPIENT_FILTERS = [
  'opened',
  'clicked',
  'not_opened',
  'machine_opened',
  'unsubscribed',
  'complained',
  'bounced',
] as const;
export type RecipientFilter = (typeof RECIPIENT_FILTERS)[number];

/** One recipient and what became of the message to them. Times are of the first; null: never. */
export interface RecipientRow {
  contactId: string;
  messageId: string;
  email: string | null;
  /** State of the message; `failed` when none could be created. */
  state: string;
  finishedAt: Date | null;
  openedAt: Date | null;
  clickedAt: Date | null;
  machineOpenedAt: Date | null;
  unsubscribedAt: Date | null;
  complainedAt: Date | null;
}

const MOST_LINKS = 50; // the rest has next to no clicks
const MACHINE = (alias: string) =>
  `(coalesce(${alias}.data ->> 'machine_open', 'false') = 'true' or coalesce(${alias}.data ->> 'machine_click', 'false') = 'true')`;

/** Opens and clicks by hour, oldest first; hours without any are left out. */
export async function selectReportHours(
  db: Queryable,
  tenantId: string,
  campaignId: string,
): Promise<ReportHour[]> {
  const { rows } = await db.query<ReportHour>({
    name: 'campaign-report-hours',
    text: `with firsts as (
             select e.type, ${MACHINE('e')} as machine, min(e.occurred_at) as first_at from events e
             where e.tenant_id = $1 and e.campaign_id = $2 and e.type in ('open', 'click')
             group by e.message_id, 1, 2)
           select date_trunc('hour', first_at at time zone 'UTC') at time zone 'UTC' as "at",
             count(*) filter (where type = 'open' and not machine)::int as opens,
             count(*) filter (where type = 'click' and not machine)::int as clicks,
             count(*) filter (where type = 'open' and machine)::int as "machineOpens",
             count(*) filter (where type = 'click' and machine)::int as "machineClicks"
           from firsts group by 1 order by 1`,
    values: [tenantId, campaignId],
  });
  return rows;
}

/** The links that were followed, most recipients first. */
export async function selectReportLinks(
  db: Queryable,
  tenantId: string,
  campaignId: string,
): Promise<ReportLink[]> {
  const { rows } = await db.query<ReportLink>({
    name: 'campaign-report-links',
    text: `select e.data ->> 'url' as url,
             count(distinct e.message_id) filter (where not ${MACHINE('e')})::int as recipients,
             count(*) filter (where not ${MACHINE('e')})::int as clicks,
             count(*) filter (where ${MACHINE('e')})::int as "machineClicks"
           from events e
           where e.tenant_id = $1 and e.campaign_id = $2 and e.type = 'click' and e.data ->> 'url' is not null
           group by 1 order by 2 desc, 3 desc, 1 limit $3`,
    values: [tenantId, campaignId, MOST_LINKS],
  });
  return rows;
}

/** A page of the recipients, by contact id. */
export async function selectRecipients(
  db: Queryable,
  tenantId: string,
  campaignId: string,
  page: { filter: RecipientFilter | null; after: string | null; limit: number },
): Promise<RecipientRow[]> {
  const { rows } = await db.query<RecipientRow>({
    name: `campaign-recipients-${page.filter ?? 'all'}`,
    text: `select r.contact_id as "contactId", r.message_id as "messageId", coalesce(m.rcpt_to, c.email) as email,
             case when r.error is not null then 'failed' else coalesce(m.state, 'queued') end as state,
             m.finished_at as "finishedAt", seen.*
           from campaign_recipients r
           left join messages m on m.id = r.message_id and m.tenant_id = $1
           left join contacts c on c.id = r.contact_id and c.tenant_id = $1
           cross join lateral (
             select min(e.occurred_at) filter (where e.type = 'open' and not ${MACHINE('e')}) as "openedAt",
               min(e.occurred_at) filter (where e.type = 'click' and not ${MACHINE('e')}) as "clickedAt",
               min(e.occurred_at) filter (where e.type = 'open' and ${MACHINE('e')}) as "machineOpenedAt",
               min(e.occurred_at) filter (where e.type = 'unsubscribe') as "unsubscribedAt",
               min(e.occurred_at) filter (where e.type = 'complaint') as "complainedAt"
             from events e where e.message_id = r.message_id and e.tenant_id = $1) seen
           where r.campaign_id = $2 and r.tenant_id = $1 and ($3::uuid is null or r.contact_id > $3)
             and ${page.filter === null ? 'true' : FILTERS[page.filter]}
           order by r.contact_id limit $4`,
    values: [tenantId, campaignId, page.after, page.limit],
  });
  return rows;
}

// Few of many: found by the campaign's events, not recipient by recipient.
const HAS = (type: string, machine = false) => `r.message_id in (select e.message_id from events e
  where e.tenant_id = $1 and e.campaign_id = $2 and e.type = '${type}' and ${machine ? '' : 'not '}${MACHINE('e')})`;
const FILTERS: Record<RecipientFilter, string> = {
  opened: HAS('open'),
  clicked: HAS('click'),
  not_opened: `m.state = 'delivered' and not ${HAS('open')}`,
  machine_opened: `${HAS('open', true)} and not ${HAS('open')}`,
  unsubscribed: HAS('unsubscribe'),
  complained: HAS('complaint'),
  bounced: `m.state = 'bounced'`,
};
