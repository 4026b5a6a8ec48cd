// Launching, pausing, resuming and cancelling campaigns, and trying failed recipients again. A retry of a request whose
// process died after its commit gives the campaign as it is.

import type { Actor } from '../audit/actor.ts';
import { isApplied } from '../audit/audit-store.ts';
import { change, type LiveChangeDeps } from '../audit/change.ts';
import { invalidFields } from '../base/errors.ts';
import { pastProblem } from '../message/scheduled-at.ts';
import type { Campaign, CampaignState } from './campaign.ts';
import type { LaunchInput } from './campaign-input.ts';
import { moveCampaign, retryFailed, type CampaignMove } from './campaign-store.ts';
import { campaignEntry, getCampaign, requireCampaign, type CampaignDeps } from './campaigns.ts';
import {
  changedMeanwhile,
  checkAudience,
  checkContent,
  checkDomain,
  isEditable,
  wrongState,
} from './check-campaign.ts';

/**
 * Launches a draft or scheduled campaign now, some seconds later, or schedules it: with the content that was checked here,
 * or not at all. The sending domain must be ready for it, and somebody must be there to get it; one that is scheduled may find
 * its contacts later.
 */
export async function launchCampaign(
  deps: CampaignDeps,
  by: Actor,
  tenantId: string,
  id: string,
  { scheduled_at: at, delay_seconds: delay = 0, version }: LaunchInput = {},
): Promise<Campaign> {
  const campaign = await getCampaign(deps, tenantId, id);
  if (await isApplied(deps.db.pool, tenantId, by, 'campaign.launched')) return campaign;
  if (!isEditable(campaign.state)) throw wrongState(campaign, 'be launched');
  if (version !== undefined && version !== campaign.version) throw changedMeanwhile();
  await checkContent(deps, tenantId, campaign);
  const now = await checkDomain(deps, tenantId, campaign);
  const problem = at && pastProblem(at, now);
  if (problem) throw invalidFields([problem]);
  if (at === undefined) await checkAudience(deps, tenantId, campaign);
  const scheduledAt = at ?? new Date(now.getTime() + delay * 1000);
  const later = scheduledAt > now;
  const to: CampaignMove = {
    from: ['draft', 'scheduled'],
    to: later ? 'scheduled' : 'sending',
    task: later ? null : 'expand',
    version: campaign.version,
    ...(later && { scheduledAt }),
  };
  return move(deps, by, { tenantId, id }, 'launched', to);
}

/** Makes a draft of a scheduled campaign again: nothing of it was sent. One that has started is a conflict. */
export function undoLaunch(deps: LiveChangeDeps, by: Actor, tenantId: string, id: string): Promise<Campaign> {
  return move(deps, by, { tenantId, id }, 'unscheduled', { from: ['scheduled'], to: 'draft', task: null });
}

/** Pauses a campaign that is being sent: what no sender has in flight yet is held. */
export function pauseCampaign(
  deps: LiveChangeDeps,
  by: Actor,
  tenantId: string,
  id: string,
): Promise<Campaign> {
  const to: CampaignMove = { from: ['sending'], to: 'paused', task: 'hold', pauseReason: 'requested' };
  return move(deps, by, { tenantId, id }, 'paused', to);
}

/** Resumes a paused campaign. */
export function resumeCampaign(
  deps: LiveChangeDeps,
  by: Actor,
  tenantId: string,
  id: string,
): Promise<Campaign> {
  return move(deps, by, { tenantId, id }, 'resumed', { from: ['paused'], to: 'sending', task: 'release' });
}

/** Cancels a campaign that is not over: messages that wait are cancelled with it. */
export function cancelCampaign(
  deps: LiveChangeDeps,
  by: Actor,
  tenantId: string,
  id: string,
): Promise<Campaign> {
  const to: CampaignMove = { from: ['scheduled', 'sending', 'paused'], to: 'cancelled', task: 'cancel' };
  return move(deps, by, { tenantId, id }, 'cancelled', to);
}

/** Tries failed recipients again, in a campaign that is being sent or was. Tells how many. */
export async function retryRecipients(
  deps: LiveChangeDeps,
  by: Actor,
  tenantId: string,
  id: string,
): Promise<{ campaign: Campaign; retried: number }> {
  return change(deps, by, async (client, record) => {
    const from: CampaignState[] = ['sending', 'sent'];
    const retried = await retryFailed(client, tenantId, id);
    const moved =
      retried > 0 && (await moveCampaign(client, tenantId, id, { from, to: 'sending', task: 'expand' }));
    const campaign = await requireCampaign(client, tenantId, id);
    if (retried === 0) return { campaign, retried };
    if (!moved) throw wrongState(campaign, 'be retried');
    const details = { name: campaign.name, recipients: retried };
    await record({ ...campaignEntry('campaign.retried', tenantId, id), details });
    return { campaign, retried };
  });
}

const REFUSED = {
  launched: 'be launched',
  unscheduled: 'be made a draft again. If it is still sending, pause or cancel it',
  paused: 'be paused',
  resumed: 'be resumed',
  cancelled: 'be cancelled',
};

async function move(
  deps: LiveChangeDeps,
  by: Actor,
  of: { tenantId: string; id: string },
  verb: keyof typeof REFUSED,
  to: CampaignMove,
): Promise<Campaign> {
  const { tenantId, id } = of;
  const action = `campaign.${verb}` as const;
  if (!(await isApplied(deps.db.pool, tenantId, by, action)))
    await change(deps, by, async (client, record) => {
      const moved = await moveCampaign(client, tenantId, id, to);
      const campaign = await requireCampaign(client, tenantId, id);
      if (!moved && to.from.includes(campaign.state)) throw changedMeanwhile();
      if (!moved) throw wrongState(campaign, REFUSED[verb]);
      const details = { name: campaign.name, ...(to.scheduledAt && { scheduled_at: to.scheduledAt }) };
      await record({ ...campaignEntry(action, tenantId, id), details });
    });
  return getCampaign(deps, tenantId, id);
}
