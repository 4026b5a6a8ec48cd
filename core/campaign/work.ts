// What a scheduler does for the campaign that has been due longest.

import type { Failpoint } from '../base/failpoint.ts';
import { newUuid } from '../base/ids.ts';
import { inTransaction } from '../db/transaction.ts';
import { cancelCampaignMail, holdCampaignMail, resumeCampaignMail } from '../message/campaign-mail-store.ts';
import { selectList } from '../contact/list-store.ts';
import type { TemplateContent } from '../template/template.ts';
import type { CampaignClaim } from './campaign.ts';
import { campaignWords } from './campaign-words.ts';
import { messageMaker } from './campaign-message.ts';
import { insertContent } from './content-store.ts';
import { expandCampaign, type ExpandDeps } from './expand.ts';
import {
  beginExpanding,
  beginSettling,
  claimCampaign,
  keepCampaign,
  pauseForRefusal,
  releaseCampaign,
} from './expand-store.ts';
import { forgetUnsubmitted, settle } from './end-store.ts';

/** What the work needs. */
export interface CampaignWorkDeps extends ExpandDeps {
  /** How long a message that was held lives from then on. */
  maxAgeMs: number;
}

/** How long to work on one campaign at a time. */
export interface CampaignSlice {
  sliceMs: number;
  signal: AbortSignal;
}

const SENDER_PAUSE_MS = 2_000; // before a sender that did not answer is asked again
const SETTLE_PAUSE_MS = 2_000; // between checks whether anything still waits
const BATCH = 2_000; // messages held or cancelled in one transaction: about 60 ms

/** Works for one slice on the campaign that has been due longest. False when none is due. */
export async function workOnCampaign(deps: CampaignWorkDeps, slice: CampaignSlice): Promise<boolean> {
  const claim = await claimCampaign(deps.db.pool, deps.leaseMs);
  if (claim === null) return false;
  switch (claim.task) {
    case 'expand':
      await expand(deps, claim, slice);
      break;
    case 'settle':
      if (!(await settle(deps.db.pool, claim))) await releaseCampaign(deps.db.pool, claim, SETTLE_PAUSE_MS);
      break;
    case 'hold':
      await finish(deps, claim, 'campaign.after-hold', () => holdCampaignMail(deps.db.pool, claim, BATCH));
      break;
    case 'release':
      if (
        await inBatches(deps, claim, 'campaign.after-release', () =>
          resumeCampaignMail(deps.db.pool, claim, deps.maxAgeMs, BATCH),
        )
      )
        await beginExpanding(deps.db.pool, claim);
      else await releaseCampaign(deps.db.pool, claim, 0);
      break;
    case 'cancel':
      await finish(deps, claim, 'campaign.after-cancel', () => cancelNext(deps, claim));
      break;
    default:
      claim.task satisfies never;
  }
  deps.publish(claim);
  return true;
}

async function expand(deps: CampaignWorkDeps, claim: CampaignClaim, slice: CampaignSlice): Promise<void> {
  const { pool } = deps.db;
  const templateId = await prepare(deps, claim);
  if (templateId === null) return;
  const ended = await expandCampaign(deps, claim, messageMaker(claim, templateId), slice);
  switch (ended) {
    case 'finished':
      // A list that goes while it is read looks like one that was read to its end.
      if (!(await pausedWithoutList(deps, claim))) await beginSettling(pool, claim);
      return;
    case 'time_up':
    case 'stopped':
      return releaseCampaign(pool, claim, 0);
    case 'sender_unavailable':
      return releaseCampaign(pool, claim, SENDER_PAUSE_MS);
    default:
      return ended satisfies never;
  }
}

// The template to render: the campaign's own content is kept as one when it is first expanded, so that all recipients
// get the same. Null when there is none; the campaign is paused then.
async function prepare(deps: CampaignWorkDeps, claim: CampaignClaim): Promise<string | null> {
  const { pool } = deps.db;
  if (await pausedWithoutList(deps, claim)) return null;
  if (claim.contentTemplateId !== null) return claim.contentTemplateId;
  const content = await ownContent(deps, claim);
  if (content === 'template') return claim.templateId;
  if (content === 'missing') {
    await pauseForRefusal(pool, claim, 'template_not_found', 'The campaign’s template was deleted.');
    return null;
  }
  const id = newUuid();
  const kept = await inTransaction(pool, (client) => insertContent(client, claim, id, content));
  return kept ? id : null;
}

// The list was deleted, so the remaining recipients are unknown: the campaign is paused, and can only be cancelled.
async function pausedWithoutList({ db }: CampaignWorkDeps, claim: CampaignClaim): Promise<boolean> {
  const { tenantId, audience } = claim;
  if (!('listId' in audience) || (await selectList(db.pool, tenantId, audience.listId))) return false;
  await pauseForRefusal(db.pool, claim, 'list_not_found', 'The campaign’s list was deleted.');
  return true;
}

async function ownContent(
  deps: CampaignWorkDeps,
  claim: CampaignClaim,
): Promise<TemplateContent | 'template' | 'missing'> {
  const content = await campaignWords(deps.db, claim.tenantId, claim);
  if (content === null) return 'missing';
  return claim.templateId !== null && claim.subject === null ? 'template' : content;
}

async function cancelNext({ db }: CampaignWorkDeps, claim: CampaignClaim): Promise<number> {
  const cancelled = await inTransaction(db.pool, (client) => cancelCampaignMail(client, claim, BATCH));
  return cancelled > 0 ? cancelled : forgetUnsubmitted(db.pool, claim);
}

async function finish(
  deps: CampaignWorkDeps,
  claim: CampaignClaim,
  step: Failpoint,
  next: () => Promise<number>,
): Promise<void> {
  const done = await inBatches(deps, claim, step, next);
  await releaseCampaign(deps.db.pool, claim, done ? null : 0);
}

// True when nothing is left, false when the claim was lost or there is another task now.
async function inBatches(
  deps: CampaignWorkDeps,
  claim: CampaignClaim,
  step: Failpoint,
  next: () => Promise<number>,
): Promise<boolean> {
  while ((await next()) > 0) {
    deps.fail(step);
    if (!(await keepCampaign(deps.db.pool, claim, deps.leaseMs))) return false;
  }
  return true;
}
