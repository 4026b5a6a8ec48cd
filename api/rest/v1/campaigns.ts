// /campaigns: one message to many contacts.

import { z } from 'zod';

import { estimateEnd, type Eta } from '../../../core/campaign/eta.ts';
import { idInput, idView } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import type { Campaign, CampaignStats } from '../../../core/campaign/campaign.ts';
import { campaignChange, newCampaign } from '../../../core/campaign/campaign-input.ts';
import { sendingDomain } from '../../../core/campaign/campaign-message.ts';
import {
  changeCampaign as change,
  createCampaign as create,
  deleteCampaign as remove,
  duplicateCampaign as duplicate,
  getCampaign as get,
  listCampaigns as list,
} from '../../../core/campaign/campaigns.ts';
import { readQueues, readStats } from '../../../core/campaign/stats-store.ts';
import { readForecastDomains } from '../../../core/warmup/forecast-store.ts';
import { decodeCursor, UUID_KEY } from '../../cursor.ts';
import type { ApiDeps } from '../../deps.ts';
import { deletedAnswer } from '../deleted.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { jsonBody } from '../../endpoint.ts';
import { defineRoute } from '../route.ts';

/** Heading of all campaign routes. */
export const GROUP = 'Campaigns';
const params = z.object({ id: idInput('cmp') });
const time = z.iso.datetime();
const status = z.enum(['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled']);

const stats = z
  .object({
    recipients: z.int(),
    queued: z.int(),
    deferred: z.int(),
    dropped: z.int(),
    delivered: z.int(),
    bounced: z.int(),
    expired: z.int(),
    cancelled: z.int(),
    failed: z.int().meta({ description: 'their message could not be created; see `GET …/failed`' }),
    complained: z.int(),
    opened: z.int(),
    clicked: z.int(),
    unsubscribed: z.int(),
  } satisfies Record<keyof CampaignStats, z.ZodType>)
  .meta({ id: 'CampaignStats', description: 'Exact counts; queued to failed add up to the recipients' });

const eta = z.object({
  at: time
    .nullable()
    .meta({ description: 'when the last message is expected to be sent; null: not at the current cap' }),
  per_day: z.int().meta({ description: 'campaign messages that the domain can send today' }),
  assumption: z.string(),
});

/** A campaign in the contract's words. */
export const campaignView = z
  .object({
    id: idView('cmp'),
    version: z.int().meta({ description: 'goes up with every change of the content' }),
    name: z.string(),
    from: z.string(),
    reply_to: z.string().nullable(),
    subject: z.string().nullable(),
    template_id: idView('tpl').nullable(),
    html: z.string().nullable(),
    text: z.string().nullable(),
    audience: z.union([
      z.object({ list_id: idView('lst') }),
      z.object({ tag: z.string() }),
      z.object({ all: z.literal(true) }),
    ]),
    track_opens: z.boolean().nullable(),
    track_clicks: z.boolean().nullable(),
    status,
    pause_reason: z.string().nullable().meta({ description: '`requested`, or an error code' }),
    pause_message: z.string().nullable(),
    scheduled_at: time.nullable(),
    launched_at: time.nullable(),
    completed_at: time.nullable(),
    created_at: time,
    updated_at: time,
    stats,
    eta: eta.nullable().meta({ description: 'only of a single campaign that is being sent' }),
  })
  .meta({ id: 'Campaign', description: 'One message to the subscribed contacts of an audience' });

/** POST /campaigns */
export const createCampaign = defineRoute(
  {
    operationId: 'createCampaign',
    method: 'POST',
    path: '/campaigns',
    access: 'campaigns:write',
    group: GROUP,
    summary: 'Create a draft',
    description:
      'Subject, html and text are Liquid; `email`, `first_name`, `last_name` and the contact’s attributes are the ' +
      'variables. `{{ unsubscribe_url }}` is the recipient’s unsubscribe link, the same as in the List-Unsubscribe ' +
      'header; its page asks for confirmation. An attribute of that name is ignored.',
    body: jsonBody(newCampaign),
    response: campaignView,
    status: 201,
    example: {
      name: 'June news',
      from: 'Shop <news@example.com>',
      subject: 'News for {{ first_name | default: "you" }}',
      html: '<p>Hello {{ first_name }}</p>',
      audience: { all: true },
    },
  },
  async ({ deps, caller, by, body }) => ({
    data: await viewCampaign(deps, caller.tenantId, await create(deps, by, caller.tenantId, body)),
  }),
);

/** GET /campaigns */
export const listCampaigns = defineRoute(
  {
    operationId: 'listCampaigns',
    method: 'GET',
    path: '/campaigns',
    access: 'campaigns:read',
    group: GROUP,
    summary: 'List campaigns',
    query: z.strictObject({ ...pageQuery, status: status.optional() }),
    response: pageOf(campaignView),
    status: 200,
  },
  async ({ deps, caller, query }) => {
    const [before = null] = query.after === undefined ? [] : decodeCursor(query.after, [UUID_KEY]);
    const rows = await list(deps, caller.tenantId, {
      before,
      limit: query.limit + 1,
      state: query.status ?? null,
    });
    const counted = await readStats(
      deps.db.pool,
      caller.tenantId,
      rows.map((row) => row.id),
    );
    return {
      data: toPage(
        rows,
        query.limit,
        (row) => [row.id],
        (row) => toView(row, counted.get(row.id)!, null),
      ),
    };
  },
);

/** GET /campaigns/{id} */
export const getCampaign = defineRoute(
  {
    operationId: 'getCampaign',
    method: 'GET',
    path: '/campaigns/{id}',
    access: 'campaigns:read',
    group: GROUP,
    summary: 'Read a campaign',
    params,
    response: campaignView,
    status: 200,
  },
  async ({ deps, caller, params: { id } }) => ({
    data: await viewCampaign(deps, caller.tenantId, await get(deps, caller.tenantId, id)),
  }),
);

/** PATCH /campaigns/{id} */
export const patchCampaign = defineRoute(
  {
    operationId: 'changeCampaign',
    method: 'PATCH',
    path: '/campaigns/{id}',
    access: 'campaigns:write',
    group: GROUP,
    summary: 'Change a campaign',
    description:
      'Only for a draft or a scheduled campaign; otherwise 409, as when `version` is no longer the stored one.',
    params,
    body: jsonBody(campaignChange),
    response: campaignView,
    status: 200,
    example: { name: 'July news' },
  },
  async ({ deps, caller, by, params: { id }, body }) => ({
    data: await viewCampaign(deps, caller.tenantId, await change(deps, by, caller.tenantId, id, body)),
  }),
);

/** POST /campaigns/{id}/duplicate */
export const duplicateCampaign = defineRoute(
  {
    operationId: 'duplicateCampaign',
    method: 'POST',
    path: '/campaigns/{id}/duplicate',
    access: 'campaigns:write',
    group: GROUP,
    summary: 'Duplicate a campaign',
    description: 'Creates a draft with the same content, sender and audience, whatever became of the first.',
    params,
    response: campaignView,
    status: 201,
  },
  async ({ deps, caller, by, params: { id } }) => ({
    data: await viewCampaign(deps, caller.tenantId, await duplicate(deps, by, caller.tenantId, id)),
  }),
);

/** DELETE /campaigns/{id} */
export const deleteCampaign = defineRoute(
  {
    operationId: 'deleteCampaign',
    method: 'DELETE',
    path: '/campaigns/{id}',
    access: 'campaigns:write',
    group: GROUP,
    summary: 'Delete a campaign',
    description: 'Only for a draft or a scheduled campaign; otherwise 409.',
    params,
    response: deletedAnswer,
    status: 200,
  },
  async ({ deps, caller, by, params: { id } }) => {
    await remove(deps, by, caller.tenantId, id);
    return { data: { id: toId('cmp', id), deleted: true as const } };
  },
);

/** A campaign as REST shows it, with its counts and, while it is being sent, its estimated end. */
export async function viewCampaign(
  deps: Pick<ApiDeps, 'db'>,
  tenantId: string,
  campaign: Campaign,
): Promise<z.input<typeof campaignView>> {
  const counted = (await readStats(deps.db.pool, tenantId, [campaign.id])).get(campaign.id)!;
  if (campaign.state !== 'sending') return toView(campaign, counted, null);
  const [domains, queues] = await Promise.all([
    readForecastDomains(deps.db.pool, tenantId, { names: [sendingDomain(campaign)] }),
    readQueues(deps.db.pool, tenantId, [campaign.id]),
  ]);
  return toView(campaign, counted, estimateEnd(counted, domains[0] ?? null, queues.get(campaign.id) ?? null));
}

function toView(campaign: Campaign, counted: CampaignStats, end: Eta | null): z.input<typeof campaignView> {
  const { audience } = campaign;
  return {
    id: toId('cmp', campaign.id),
    version: campaign.version,
    name: campaign.name,
    from: campaign.from,
    reply_to: campaign.replyTo,
    subject: campaign.subject,
    template_id: campaign.templateId === null ? null : toId('tpl', campaign.templateId),
    html: campaign.html,
    text: campaign.text,
    audience: 'listId' in audience ? { list_id: toId('lst', audience.listId) } : audience,
    track_opens: campaign.trackOpens,
    track_clicks: campaign.trackClicks,
    status: campaign.state,
    pause_reason: campaign.pauseReason,
    pause_message: campaign.pauseMessage,
    scheduled_at: campaign.scheduledAt?.toISOString() ?? null,
    launched_at: campaign.launchedAt?.toISOString() ?? null,
    completed_at: campaign.completedAt?.toISOString() ?? null,
    created_at: campaign.createdAt.toISOString(),
    updated_at: campaign.updatedAt.toISOString(),
    stats: counted,
    eta: end && { at: end.at?.toISOString() ?? null, per_day: end.perDay, assumption: end.assumption },
  };
}
