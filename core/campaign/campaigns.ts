// Creating, reading, changing and deleting campaigns.

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps, type LiveChangeDeps } from '../audit/change.ts';
import { notFound } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import type { IdPage } from '../db/id-page.ts';
import type { Queryable } from '../db/pool.ts';
import { isUniqueViolation } from '../db/sql-state.ts';
import type { Campaign, CampaignContent, CampaignState, FailedRecipient } from './campaign.ts';
import { applyChange, MAX_NAME_CHARS, type CampaignChange } from './campaign-input.ts';
import {
  deleteCampaignRow,
  insertCampaign,
  selectCampaign,
  selectCampaigns,
  selectFailed,
  updateContent,
} from './campaign-store.ts';
import { changedMeanwhile, checkContent, isEditable, wrongState, type CheckDeps } from './check-campaign.ts';

/** What the verbs need. */
export interface CampaignDeps extends CheckDeps, LiveChangeDeps {}

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

/** Creates a draft. A retry of the same request gives the campaign that is there. */
export async function createCampaign(
  deps: CampaignDeps,
  by: Actor,
  tenantId: string,
  input: CampaignChange,
): Promise<Campaign> {
  const content = applyChange(EMPTY, input);
  await checkContent(deps, tenantId, content, input.unfinished);
  const id = by.changeId ?? newUuid();
  await insertDraft(deps, by, tenantId, id, content);
  return getCampaign(deps, tenantId, id);
}

async function insertDraft(
  deps: CampaignDeps,
  by: Actor,
  tenantId: string,
  id: string,
  content: CampaignContent,
): Promise<void> {
  try {
    await change(deps, by, async (client, record) => {
      await insertCampaign(client, tenantId, id, content);
      await record({ ...campaignEntry('campaign.created', tenantId, id), details: { name: content.name } });
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
  }
}

/** Makes a draft that says the same to the same contacts, also of a campaign whose list or template is gone. */
export async function duplicateCampaign(
  deps: CampaignDeps,
  by: Actor,
  tenantId: string,
  id: string,
): Promise<Campaign> {
  const original = await getCampaign(deps, tenantId, id);
  const copy = { ...original, name: `Copy of ${original.name}`.slice(0, MAX_NAME_CHARS).toWellFormed() };
  const newId = by.changeId ?? newUuid();
  await insertDraft(deps, by, tenantId, newId, copy);
  return getCampaign(deps, tenantId, newId);
}

/** One campaign. Throws not_found. */
export function getCampaign({ db }: Db, tenantId: string, id: string): Promise<Campaign> {
  return requireCampaign(db.pool, tenantId, id);
}

/** One campaign, inside a transaction too. Throws not_found. */
export async function requireCampaign(db: Queryable, tenantId: string, id: string): Promise<Campaign> {
  const campaign = await selectCampaign(db, tenantId, id);
  if (!campaign) throw notFound('campaign');
  return campaign;
}

/** A page of campaigns. */
export function listCampaigns(
  { db }: Db,
  tenantId: string,
  page: IdPage & { state: CampaignState | null },
): Promise<Campaign[]> {
  return selectCampaigns(db.pool, tenantId, page);
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

/**
 * Changes what is named, in a draft or scheduled campaign; any other is a conflict, and so is a `version` that is no
 * longer the stored one. Only a draft may be left unfinished.
 */
export async function changeCampaign(
  deps: CampaignDeps,
  by: Actor,
  tenantId: string,
  id: string,
  fields: CampaignChange,
): Promise<Campaign> {
  const before = await getCampaign(deps, tenantId, id);
  const { version = null, unfinished = false, ...changes } = fields;
  const content = applyChange(before, changes);
  if (!isEditable(before.state)) throw wrongState(before, 'be changed');
  if (version !== null && version !== before.version) throw changedMeanwhile();
  const isUnfinished = unfinished && before.state === 'draft';
  await checkContent(deps, tenantId, content, isUnfinished);
  const states: CampaignState[] = isUnfinished ? ['draft'] : ['draft', 'scheduled'];
  await change(deps, by, async (client, record) => {
    if (!(await updateContent(client, tenantId, id, content, { states, version }))) {
      const now = await requireCampaign(client, tenantId, id);
      throw states.includes(now.state) ? changedMeanwhile() : wrongState(now, 'be changed');
    }
    await record({
      ...campaignEntry('campaign.changed', tenantId, id),
      details: { name: content.name, fields: Object.keys(changes) },
    });
  });
  return getCampaign(deps, tenantId, id);
}

/** Deletes a draft or scheduled campaign; any other is a conflict. */
export async function deleteCampaign(
  deps: ChangeDeps,
  by: Actor,
  tenantId: string,
  id: string,
): Promise<void> {
  await change(deps, by, async (client, record) => {
    const name = await deleteCampaignRow(client, tenantId, id);
    if (name === null) throw wrongState(await requireCampaign(client, tenantId, id), 'be deleted');
    await record({ ...campaignEntry('campaign.deleted', tenantId, id), details: { name } });
  });
}

/** The row of the audit log for a change of a campaign; live views show it. */
export function campaignEntry(action: `campaign.${string}`, tenantId: string, id: string) {
  return { action, tenantId, subject: toId('cmp', id), topic: 'campaigns' as const };
}
