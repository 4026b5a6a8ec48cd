// What a campaign must be like to be stored, and its sending domain to be launched.

import { AppError, invalidField, invalidFields } from '../base/errors.ts';
import { selectList } from '../contact/list-store.ts';
import type { Database } from '../db/pool.ts';
import { countAudience, hasRecipient } from './audience-store.ts';
import { tenantSuspended } from '../tenant/suspended.ts';
import { selectTemplate } from '../template/template-store.ts';
import type { TemplateRenderer } from '../template/renderer.ts';
import type { Campaign, CampaignContent, CampaignState } from './campaign.ts';
import { contentProblem } from './campaign-input.ts';
import { sendingDomain } from './campaign-message.ts';
import { readDomainState } from './domain-state-store.ts';

/** What checking needs. */
export interface CheckDeps {
  db: Database;
  renderer: Pick<TemplateRenderer, 'checkSyntax'>;
}

/**
 * Refuses a content without words, with words that do not parse, or that names a list or template that is not there. An
 * unfinished one may lack words, and they need not parse.
 */
export async function checkContent(
  deps: CheckDeps,
  tenantId: string,
  content: CampaignContent,
  isUnfinished = false,
): Promise<void> {
  const problem = contentProblem(content, isUnfinished);
  if (problem) throw invalidField(problem.path, problem.message);
  const { audience, templateId, subject, html, text } = content;
  if ('listId' in audience && !(await selectList(deps.db.pool, tenantId, audience.listId)))
    throw invalidField('audience.list_id', 'does not exist');
  if (templateId !== null && !(await selectTemplate(deps.db.pool, tenantId, templateId)))
    throw invalidField('template_id', 'does not exist');
  if (isUnfinished) return;
  const own = { subject: subject ?? '-', html, text: templateId === null ? text : '-', variables: [] };
  const details = await deps.renderer.checkSyntax(own, tenantId);
  if (details.length > 0) throw invalidFields(details);
}

/** Refuses a suspended tenant, and a sending domain that is not verified, or paused. Returns the time by the store's clock. */
export async function checkDomain(
  { db }: Pick<CheckDeps, 'db'>,
  tenantId: string,
  content: CampaignContent,
): Promise<Date> {
  const name = sendingDomain(content);
  const state = await readDomainState(db.pool, tenantId, name);
  if (state.suspended) throw tenantSuspended();
  if (state.status !== 'verified') {
    const why =
      state.status === null
        ? 'it is not one of your domains. Add it first'
        : 'it is not verified. Publish its DNS records, then check DNS';
    throw new AppError('domain_not_verified', `You cannot send from ${name}: ${why}.`);
  }
  if (state.paused) {
    const why = state.pausedReason ?? 'it was paused by an administrator';
    throw new AppError('domain_paused', `Sending from ${name} is paused: ${why}.`);
  }
  return state.now;
}

/** Refuses an audience of nobody who would get a message, with the counts. */
export async function checkAudience(
  { db }: Pick<CheckDeps, 'db'>,
  tenantId: string,
  { audience }: CampaignContent,
): Promise<void> {
  if (await hasRecipient(db.pool, tenantId, audience)) return;
  const { total, unsubscribed, suppressed } = await countAudience(db.pool, tenantId, audience);
  const who = `${total} contacts, ${unsubscribed} unsubscribed, ${suppressed} suppressed`;
  throw invalidField('audience', `reaches nobody: ${who}`);
}

/** Whether a campaign in this state can be changed, launched and deleted. */
export function isEditable(state: CampaignState): boolean {
  return state === 'draft' || state === 'scheduled';
}

/** The refusal of a change by somebody who saw another content than the stored one. */
export function changedMeanwhile(): AppError {
  return new AppError(
    'conflict',
    'This campaign was changed elsewhere since you read it. Read it again before you change or launch it.',
  );
}

/** The refusal of what a campaign's state does not allow. */
export function wrongState({ state }: Campaign, what: string): AppError {
  return new AppError('conflict', `A campaign that is ${state} cannot ${what}.`);
}
