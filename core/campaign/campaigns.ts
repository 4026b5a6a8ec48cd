// Creating, reading, changing, launching, pausing, resuming and cancelling campaigns.

import { AppError, invalidField, notFound } from '../base/errors.ts';
import { problemSentence } from '../base/field-problems.ts';
import { selectList } from '../contact/list-store.ts';
import type { Database } from '../db/pool.ts';
import { isUniqueViolation } from '../db/sql-state.ts';
import { inTransaction } from '../db/transaction.ts';
import { selectTemplate } from '../template/template-store.ts';
import type { TemplateRenderer } from '../template/renderer.ts';
import type { Campaign, CampaignContent, CampaignState, FailedRecipient } from './campaign.ts';
import { applyChange, contentProblem, type CampaignChange } from './campaign-input.ts';
import { sendingDomain } from './campaign-message.ts';
import {
  deleteCampaignRow,
  insertCampaign,
  moveCampaign,
  retryFailed,
  selectCampaign,
  selectCampaigns,
  selectFailed,
  updateContent,
  type CampaignMove,
} from './campaign-store.ts';
import { readDomainState } from './domain-state-store.ts';
import { hasActed, moveOnce, type CampaignAct, type CampaignEffect } from './move-once.ts';

/** What the verbs need. */
export interface CampaignDeps {
  db: Database;
  renderer: Pick<TemplateRenderer, 'checkSyntax'>;
}

type Db = Pick<CampaignDeps, 'db'>;

const EMPTY: CampaignContent = {
  name: '',
  from: '',
  replyTo: null,
  subject: null,
  templateId: null,
  html: null,
  text: null,
  audience: { all: true },
  trackOpens: null,
  trackClicks: null,
};

/** Creates a draft under the given id; the same id again gives the campaign that is there. */
export async function createCampaign(
  deps: CampaignDeps,
  tenantId: string,
  id: string,
  input: CampaignChange,
): Promise<Campaign> {
  const content = applyChange(EMPTY, input);
  await checkContent(deps, tenantId, content);
  try {
    await insertCampaign(deps.db.pool, tenantId, id, content);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
  }
  return getCampaign(deps, tenantId, id);
}

/** One campaign. Throws not_found. */
export async function getCampaign({ db }: Db, tenantId: string, id: string): Promise<Campaign> {
  const campaign = await selectCampaign(db.pool, tenantId, id);
  if (!campaign) throw notFound('campaign');
  return campaign;
}

/** A page of campaigns, newest first, older than the id `before`. */
export function listCampaigns(
  { db }: Db,
  tenantId: string,
  page: { before: string | null; limit: number; state: CampaignState | null },
): Promise<Campaign[]> {
  return selectCampaigns(db.pool, tenantId, page);
}

/** Changes what is named, in a draft or scheduled campaign; any other is a conflict. */
export async function changeCampaign(
  deps: CampaignDeps,
  tenantId: string,
  id: string,
  change: CampaignChange,
): Promise<Campaign> {
  const before = await getCampaign(deps, tenantId, id);
  const content = applyChange(before, change);
  if (!isEditable(before.state)) throw wrongState(before, 'be changed');
  await checkContent(deps, tenantId, content);
  if (!(await updateContent(deps.db.pool, tenantId, id, content)))
    throw wrongState(await getCampaign(deps, tenantId, id), 'be changed');
  return getCampaign(deps, tenantId, id);
}

/** Deletes a draft or scheduled campaign; any other is a conflict. */
export async function deleteCampaign(deps: Db, tenantId: string, id: string): Promise<void> {
  if (await deleteCampaignRow(deps.db.pool, tenantId, id)) return;
  throw wrongState(await getCampaign(deps, tenantId, id), 'be deleted');
}

/**
 * Launches a draft or scheduled campaign now, or schedules it. The sending domain must be ready for it. Of this and the
 * next three: the same effect again gives the campaign as it is.
 */
export async function launchCampaign(
  deps: CampaignDeps,
  tenantId: string,
  id: string,
  scheduledAt: Date | null,
  effect?: CampaignEffect,
): Promise<Campaign> {
  const campaign = await getCampaign(deps, tenantId, id);
  if (await hasActed(deps.db, tenantId, 'launched', effect)) return campaign;
  if (!isEditable(campaign.state)) throw wrongState(campaign, 'be launched');
  await checkContent(deps, tenantId, campaign);
  const now = await checkDomain(deps, tenantId, campaign);
  const later = scheduledAt !== null && scheduledAt > now;
  const to: CampaignMove = {
    from: ['draft', 'scheduled'],
    to: later ? 'scheduled' : 'sending',
    task: later ? null : 'expand',
    ...(later && { scheduledAt }),
  };
  return move(deps, { tenantId, id }, 'launched', to, effect);
}

/** Pauses a campaign that is being sent: what no sender has in hand yet is held. */
export function pauseCampaign(
  deps: Db,
  tenantId: string,
  id: string,
  effect?: CampaignEffect,
): Promise<Campaign> {
  const to: CampaignMove = {
    from: ['sending'],
    to: 'paused',
    task: 'hold',
    pauseReason: 'requested',
  };
  return move(deps, { tenantId, id }, 'paused', to, effect);
}

/** Resumes a paused campaign. */
export function resumeCampaign(
  deps: Db,
  tenantId: string,
  id: string,
  effect?: CampaignEffect,
): Promise<Campaign> {
  const to: CampaignMove = { from: ['paused'], to: 'sending', task: 'release' };
  return move(deps, { tenantId, id }, 'resumed', to, effect);
}

/** Cancels a campaign that is not over: messages that wait are cancelled with it. */
export function cancelCampaign(
  deps: Db,
  tenantId: string,
  id: string,
  effect?: CampaignEffect,
): Promise<Campaign> {
  const to: CampaignMove = {
    from: ['scheduled', 'sending', 'paused'],
    to: 'cancelled',
    task: 'cancel',
  };
  return move(deps, { tenantId, id }, 'cancelled', to, effect);
}

/** A page of the recipients that no sender would take, with the reason. Throws not_found. */
export async function listFailed(
  deps: Db,
  tenantId: string,
  id: string,
  page: { after: string | null; limit: number },
): Promise<FailedRecipient[]> {
  await getCampaign(deps, tenantId, id);
  return selectFailed(deps.db.pool, tenantId, id, page);
}

/** Tries failed recipients again, in a campaign that is being sent or was. Tells how many. */
export async function retryRecipients(
  deps: Db,
  tenantId: string,
  id: string,
): Promise<{ campaign: Campaign; retried: number }> {
  return inTransaction(deps.db.pool, async (client) => {
    const from: CampaignState[] = ['sending', 'sent'];
    const retried = await retryFailed(client, tenantId, id);
    if (retried > 0) {
      const moved = await moveCampaign(client, tenantId, id, { from, to: 'sending', task: 'expand' });
      if (!moved) throw wrongState(await getCampaign(deps, tenantId, id), 'be retried');
    }
    const campaign = await selectCampaign(client, tenantId, id);
    if (!campaign) throw notFound('campaign');
    return { campaign, retried };
  });
}

async function move(
  deps: Db,
  of: { tenantId: string; id: string },
  act: CampaignAct,
  to: CampaignMove,
  effect: CampaignEffect | undefined,
): Promise<Campaign> {
  const moved = await moveOnce(deps.db, of, act, to, effect);
  const campaign = await getCampaign(deps, of.tenantId, of.id);
  if (!moved) throw wrongState(campaign, `be ${act}`);
  return campaign;
}

async function checkContent(deps: CampaignDeps, tenantId: string, content: CampaignContent): Promise<void> {
  const problem = contentProblem(content);
  if (problem) throw invalidField(problem.path, problem.message);
  const { audience, templateId, subject, html, text } = content;
  if ('listId' in audience && !(await selectList(deps.db.pool, tenantId, audience.listId)))
    throw invalidField('audience.list_id', 'there is no such list');
  if (templateId !== null && !(await selectTemplate(deps.db.pool, tenantId, templateId)))
    throw invalidField('template_id', 'there is no such template');
  const own = { subject: subject ?? '-', html, text: templateId === null ? text : '-', variables: [] };
  const details = await deps.renderer.checkSyntax(own, tenantId);
  if (details.length > 0)
    throw new AppError('validation_failed', `Not valid: ${problemSentence(details)}.`, { details });
}

async function checkDomain(deps: Db, tenantId: string, content: CampaignContent): Promise<Date> {
  const name = sendingDomain(content);
  const state = await readDomainState(deps.db.pool, tenantId, name);
  if (state.status !== 'verified') {
    const why = state.status === null ? 'it is not one of your sending domains' : 'it is not verified';
    throw new AppError('domain_not_verified', `Mail from ${name} cannot be sent: ${why}.`);
  }
  if (state.paused) {
    const why = state.pausedReason ?? 'it was paused by an operator';
    throw new AppError('domain_paused', `Sending from ${name} is paused: ${why}.`);
  }
  return state.now;
}

function isEditable(state: CampaignState): boolean {
  return state === 'draft' || state === 'scheduled';
}

function wrongState({ state }: Campaign, what: string): AppError {
  return new AppError('conflict', `A campaign that is ${state} cannot ${what}.`);
}
