// /campaigns/{id}/…: what is done with a campaign, and the recipients that no sender would take.

import { z } from 'zod';

import { idInput, idView } from '../../../core/base/id-input.ts';
import { toId } from '../../../core/base/ids.ts';
import { launchInput, testInput } from '../../../core/campaign/campaign-input.ts';
import { listFailed } from '../../../core/campaign/campaigns.ts';
import {
  cancelCampaign as cancel,
  launchCampaign as launch,
  pauseCampaign as pause,
  resumeCampaign as resume,
  retryRecipients,
  undoLaunch as undo,
} from '../../../core/campaign/move-campaign.ts';
import { sendTest } from '../../../core/preflight/campaign-preview.ts';
import { preflightCampaign as preflight } from '../../../core/preflight/preflight.ts';
import { decodeCursor, UUID_KEY } from '../../cursor.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { jsonBody } from '../../endpoint.ts';
import { defineRoute } from '../route.ts';
import { campaignView, GROUP, viewCampaign } from './campaigns.ts';
import { campaignPreflightView, toCampaignPreflightView } from './preflight-view.ts';

const params = z.object({ id: idInput('cmp') });

/** POST /campaigns/{id}/launch */
export const launchCampaign = defineRoute(
  {
    operationId: 'launchCampaign',
    method: 'POST',
    path: '/campaigns/{id}/launch',
    access: 'campaigns:write',
    group: GROUP,
    summary: 'Launch or schedule a campaign',
    description:
      'Every contact of the audience who is still subscribed when the campaign reaches them gets exactly one message. ' +
      'With `scheduled_at` in the future it starts then; until then `undo-launch` takes it back. The sending domain must be verified and not paused. ' +
      'A launch that reaches nobody now (no contacts, or all unsubscribed or suppressed) is 422 and says how many they are; so is ' +
      'a `scheduled_at` more than a minute in the past.',
    params,
    body: { ...jsonBody(launchInput), optional: true },
    response: campaignView,
    status: 202,
    example: { scheduled_at: '2030-06-01T08:00:00Z' },
  },
  async ({ deps, caller, by, params: { id }, body }) => {
    const launched = await launch(deps, by, caller.tenantId, id, body);
    return { data: await viewCampaign(deps, caller.tenantId, launched) };
  },
);

/** POST /campaigns/{id}/undo-launch */
export const undoLaunch = defineRoute(
  {
    operationId: 'undoLaunch',
    method: 'POST',
    path: '/campaigns/{id}/undo-launch',
    access: 'campaigns:write',
    group: GROUP,
    summary: 'Undo a launch',
    description:
      'Makes a draft of a scheduled campaign again: nothing of it was sent. One that has started answers 409; pause it.',
    params,
    response: campaignView,
    status: 200,
  },
  async ({ deps, caller, by, params: { id } }) => {
    const done = await undo(deps, by, caller.tenantId, id);
    return { data: await viewCampaign(deps, caller.tenantId, done) };
  },
);

/** POST /campaigns/{id}/preflight */
export const preflightCampaign = defineRoute(
  {
    operationId: 'preflightCampaign',
    method: 'POST',
    path: '/campaigns/{id}/preflight',
    access: 'campaigns:read',
    group: GROUP,
    summary: 'Check a campaign before its launch',
    description:
      'The sender rules for its domain, its words as some of its recipients would get them, whom it reaches, and how many ' +
      'messages leave on which day under the cap. Changes nothing.',
    params,
    response: campaignPreflightView,
    status: 200,
  },
  async ({ deps, caller, params: { id } }) => ({
    data: toCampaignPreflightView(await preflight(deps, caller.tenantId, id)),
  }),
);

/** POST /campaigns/{id}/test */
export const sendCampaignTest = defineRoute(
  {
    operationId: 'sendCampaignTest',
    method: 'POST',
    path: '/campaigns/{id}/test',
    access: 'campaigns:write',
    group: GROUP,
    summary: 'Send a test',
    description:
      'One message as a contact would get it, with [Test] before its subject. Nothing of it is counted in the campaign.',
    params,
    body: jsonBody(testInput),
    response: z.object({
      message_id: idView('msg'),
      status: z.enum(['queued', 'deferred', 'dropped']),
    }),
    status: 202,
    example: { to: 'you@example.com' },
  },
  async ({ deps, caller, by, params: { id }, body }) => {
    const sent = await sendTest(deps, by, caller.tenantId, id, body);
    return { data: { message_id: toId('msg', sent.id), status: sent.status } };
  },
);

/** POST /campaigns/{id}/pause */
export const pauseCampaign = defineRoute(
  {
    operationId: 'pauseCampaign',
    method: 'POST',
    path: '/campaigns/{id}/pause',
    access: 'campaigns:write',
    group: GROUP,
    summary: 'Pause a campaign',
    description:
      'No more messages are created, and waiting messages are held. Messages being delivered right now still go out.',
    params,
    response: campaignView,
    status: 200,
  },
  async ({ deps, caller, by, params: { id } }) => {
    const done = await pause(deps, by, caller.tenantId, id);
    return { data: await viewCampaign(deps, caller.tenantId, done) };
  },
);

/** POST /campaigns/{id}/resume */
export const resumeCampaign = defineRoute(
  {
    operationId: 'resumeCampaign',
    method: 'POST',
    path: '/campaigns/{id}/resume',
    access: 'campaigns:write',
    group: GROUP,
    summary: 'Resume a paused campaign',
    description: 'Continues where it stopped. Nobody receives the campaign twice.',
    params,
    response: campaignView,
    status: 200,
  },
  async ({ deps, caller, by, params: { id } }) => {
    const done = await resume(deps, by, caller.tenantId, id);
    return { data: await viewCampaign(deps, caller.tenantId, done) };
  },
);

/** POST /campaigns/{id}/cancel */
export const cancelCampaign = defineRoute(
  {
    operationId: 'cancelCampaign',
    method: 'POST',
    path: '/campaigns/{id}/cancel',
    access: 'campaigns:write',
    group: GROUP,
    summary: 'Cancel a campaign',
    description: 'Cannot be undone. Waiting messages are cancelled; sent messages are not affected.',
    params,
    response: campaignView,
    status: 200,
  },
  async ({ deps, caller, by, params: { id } }) => {
    const done = await cancel(deps, by, caller.tenantId, id);
    return { data: await viewCampaign(deps, caller.tenantId, done) };
  },
);

/** GET /campaigns/{id}/failed */
export const listFailedRecipients = defineRoute(
  {
    operationId: 'listFailedRecipients',
    method: 'GET',
    path: '/campaigns/{id}/failed',
    access: 'campaigns:read',
    group: GROUP,
    summary: 'List failed recipients',
    description:
      'Contacts for whom no message could be created, for example without a variable that the template requires.',
    params,
    query: z.strictObject(pageQuery),
    response: pageOf(
      z.object({ contact_id: idView('con'), email: z.string().nullable(), error: z.string() }).meta({
        id: 'FailedRecipient',
      }),
    ),
    status: 200,
  },
  async ({ deps, caller, params: { id }, query }) => {
    const [after = null] = query.after === undefined ? [] : decodeCursor(query.after, [UUID_KEY]);
    const rows = await listFailed(deps, caller.tenantId, id, { after, limit: query.limit + 1 });
    return {
      data: toPage(
        rows,
        query.limit,
        (row) => [row.contactId],
        (row) => ({ contact_id: toId('con', row.contactId), email: row.email, error: row.error }),
      ),
    };
  },
);

/** POST /campaigns/{id}/retry */
export const retryFailedRecipients = defineRoute(
  {
    operationId: 'retryFailedRecipients',
    method: 'POST',
    path: '/campaigns/{id}/retry',
    access: 'campaigns:write',
    group: GROUP,
    summary: 'Retry failed recipients',
    description: 'For a campaign that is sending or was sent.',
    params,
    response: z.object({ retried: z.int(), campaign: campaignView }),
    status: 202,
  },
  async ({ deps, caller, by, params: { id } }) => {
    const { campaign, retried } = await retryRecipients(deps, by, caller.tenantId, id);
    return { data: { retried, campaign: await viewCampaign(deps, caller.tenantId, campaign) } };
  },
);
