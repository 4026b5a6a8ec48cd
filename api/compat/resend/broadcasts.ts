// broadcasts.create, get, list, update, send, cancel and remove: campaigns of ours.

import { z } from 'zod';

import { idInput } from '../../../core/base/id-input.ts';
import { nowDate } from '../../../core/base/clock.ts';
import { requireValue } from '../../../core/base/field-problems.ts';
import { toId } from '../../../core/base/ids.ts';
import { launchInput, type LaunchInput } from '../../../core/campaign/campaign-input.ts';
import {
  changeCampaign,
  createCampaign,
  deleteCampaign,
  getCampaign,
  listCampaigns,
} from '../../../core/campaign/campaigns.ts';
import { cancelCampaign, launchCampaign } from '../../../core/campaign/move-campaign.ts';
import { jsonBody } from '../../endpoint.ts';
import { defineEndpoint } from '../service.ts';
import { changedBroadcast, createdBroadcast } from './broadcast-input.ts';
import { toBroadcast } from './broadcast-view.ts';
import { listQuery, toList, toPart } from './lists.ts';
import { readScheduledAt } from './scheduled-at.ts';

const GROUP = 'Broadcasts';
const ONE = '/broadcasts/{id}';
const params = z.object({ id: idInput('cmp') });
const launch = { ...jsonBody(z.object({ scheduled_at: z.unknown().optional() })), optional: true };

/** What Resend's `broadcasts` does. */
export const BROADCAST_ROUTES = [
  defineEndpoint(
    {
      method: 'POST',
      path: '/broadcasts',
      access: 'campaigns:write',
      group: GROUP,
      body: createdBroadcast,
      status: 201,
    },
    async ({ deps, caller: { tenantId }, by, body: { campaign, send, scheduledAt } }) => {
      const time = readTime(scheduledAt);
      const { id } = await createCampaign(deps, by, tenantId, campaign);
      if (send || time !== null) await launchCampaign(deps, by, tenantId, id, at(time));
      return { data: { id: toId('cmp', id) } };
    },
  ),
  defineEndpoint(
    {
      method: 'GET',
      path: '/broadcasts',
      access: 'campaigns:read',
      group: GROUP,
      query: listQuery,
      status: 200,
    },
    async ({ deps, caller, query }) => {
      const part = toPart(query, 'cmp');
      const rows = await listCampaigns(deps, caller.tenantId, { ...part.page, state: null });
      return { data: toList(rows, part, toBroadcast) };
    },
  ),
  defineEndpoint(
    { method: 'GET', path: ONE, access: 'campaigns:read', group: GROUP, params, status: 200 },
    async ({ deps, caller, params: { id } }) => ({
      data: { object: 'broadcast', ...toBroadcast(await getCampaign(deps, caller.tenantId, id)) },
    }),
  ),
  defineEndpoint(
    {
      method: 'PATCH',
      path: ONE,
      access: 'campaigns:write',
      group: GROUP,
      params,
      body: changedBroadcast,
      status: 200,
    },
    async ({ deps, caller, by, params: { id }, body }) => {
      await changeCampaign(deps, by, caller.tenantId, id, body);
      return { data: { id: toId('cmp', id) } };
    },
  ),
  defineEndpoint(
    {
      method: 'POST',
      path: `${ONE}/send`,
      access: 'campaigns:write',
      group: GROUP,
      params,
      body: launch,
      status: 200,
    },
    async ({ deps, caller, by, params: { id }, body }) => {
      await launchCampaign(deps, by, caller.tenantId, id, at(readTime(body.scheduled_at)));
      return { data: { id: toId('cmp', id) } };
    },
  ),
  defineEndpoint(
    { method: 'POST', path: `${ONE}/cancel`, access: 'campaigns:write', group: GROUP, params, status: 200 },
    async ({ deps, caller, by, params: { id } }) => {
      await cancelCampaign(deps, by, caller.tenantId, id);
      return { data: { object: 'broadcast', id: toId('cmp', id) } };
    },
  ),
  defineEndpoint(
    { method: 'DELETE', path: ONE, access: 'campaigns:write', group: GROUP, params, status: 200 },
    async ({ deps, caller, by, params: { id } }) => {
      await deleteCampaign(deps, by, caller.tenantId, id);
      return { data: { object: 'broadcast', id: toId('cmp', id), deleted: true } };
    },
  ),
];

// Without a time it is launched now.
function at(time: Date | null): LaunchInput {
  return time === null ? {} : { scheduled_at: time };
}

function readTime(given: unknown): Date | null {
  if (given === undefined || given === null) return null;
  return requireValue(launchInput, { scheduled_at: readScheduledAt(given, nowDate()) }).scheduled_at ?? null;
}
