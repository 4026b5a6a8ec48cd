// Drafts of templates: what a person wrote in the editor, kept until it is saved as a version or discarded. Only that person
// sees it, and no mail is made from it.

import { AppError } from '../base/errors.ts';
import { newUuid } from '../base/ids.ts';
import type { Database } from '../db/pool.ts';
import { deleteDraft, selectDraft, upsertDraft, type DraftKey, type TemplateDraft } from './draft-store.ts';
import type { DraftSave } from './template-input.ts';
import { getTemplate } from './templates.ts';

/** The person's draft, or null. Throws not_found when the tenant does not have the template. */
export async function readDraft(deps: { db: Database }, key: DraftKey): Promise<TemplateDraft | null> {
  await requireTemplate(deps, key);
  return selectDraft(deps.db.pool, key);
}

/**
 * Saves the person's draft in place of the revision that the caller saw. Throws not_found when the tenant does not have the
 * template, and conflict when another tab saved the draft since that revision.
 */
export async function saveDraft(
  deps: { db: Database },
  key: DraftKey,
  { revision, base_version: baseVersion, content }: DraftSave,
): Promise<TemplateDraft> {
  await requireTemplate(deps, key);
  const draft = { baseVersion: baseVersion ?? null, revision: newUuid(), content };
  const saved = await upsertDraft(deps.db.pool, key, revision ?? null, draft);
  if (saved) return saved;
  throw new AppError('conflict', 'The draft was saved in another tab meanwhile. Read it and try again.');
}

/** Deletes the person's draft, if there is one. Throws not_found when the tenant does not have the template. */
export async function discardDraft(deps: { db: Database }, key: DraftKey): Promise<void> {
  await requireTemplate(deps, key);
  await deleteDraft(deps.db.pool, key);
}

async function requireTemplate(deps: { db: Database }, { tenantId, templateId }: DraftKey): Promise<void> {
  if (templateId !== null) await getTemplate(deps, tenantId, templateId);
}
