// Creating, reading, changing and deleting templates. Liquid that does not parse is refused here, not at delivery.

import { isDeepStrictEqual } from 'node:util';

import { actorName, type Actor } from '../audit/actor.ts';
import { change, type ChangeDeps, type ChangeEntry } from '../audit/change.ts';
import { AppError, invalidField, invalidFields, notFound, type FieldProblem } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import type { Queryable } from '../db/pool.ts';
import { isForeignKeyViolation, isUniqueViolation } from '../db/sql-state.ts';
import { deleteDraft, deleteDraftsOf } from './draft-store.ts';
import type { TemplateRenderer } from './renderer.ts';
import type { Template, TemplateContent, VersionEntry } from './template.ts';
import { hasBody, type NewTemplate, type TemplateChange } from './template-input.ts';
import {
  deleteTemplateRow,
  insertTemplate,
  insertVersion,
  selectTemplate,
  selectTemplates,
  selectVersion,
  selectVersions,
  updateTemplateRow,
} from './template-store.ts';

/** What the verbs need. */
export interface TemplateDeps extends ChangeDeps {
  renderer: Pick<TemplateRenderer, 'checkSyntax'>;
}

const TRIES = 3; // of a change that meets another one

/**
 * Creates a template at version 1. A retry of the same request gives the template that is there. Throws
 * validation_failed for bad Liquid, conflict for a name that is in use.
 */
export async function createTemplate(
  deps: TemplateDeps,
  by: Actor,
  tenantId: string,
  input: NewTemplate,
): Promise<Template> {
  const id = by.changeId ?? newUuid();
  const { name, test_data: testData, ...content } = input;
  await refuseBadLiquid(deps, tenantId, content);
  try {
    await refuseTakenName(name, () =>
      change(deps, by, async (client, record) => {
        await insertTemplate(client, { id, tenantId, name, testData });
        const createdBy = actorName(by);
        await insertVersion(client, { templateId: id, tenantId, version: 1, createdBy }, content);
        await endDraft(client, by, tenantId, null);
        await record(templateEntry('template.created', tenantId, id, { name }));
      }),
    );
  } catch (error) {
    const made = await selectTemplate(deps.db.pool, tenantId, id);
    if (!made || !(error instanceof AppError)) throw error;
    return made;
  }
  return getTemplate(deps, tenantId, id);
}

/** One template. Throws not_found. */
export async function getTemplate(
  deps: Pick<TemplateDeps, 'db'>,
  tenantId: string,
  id: string,
): Promise<Template> {
  const template = await selectTemplate(deps.db.pool, tenantId, id);
  if (!template) throw notFound('template');
  return template;
}

/** A page of a tenant's templates, newest first, older than the id `before`. */
export function listTemplates(
  deps: Pick<TemplateDeps, 'db'>,
  tenantId: string,
  page: { before: string | null; limit: number },
): Promise<Template[]> {
  return selectTemplates(deps.db.pool, tenantId, page);
}

/** A page of a template's versions, newest first, older than the version `before`. Throws not_found. */
export async function listVersions(
  deps: Pick<TemplateDeps, 'db'>,
  tenantId: string,
  id: string,
  page: { before: number | null; limit: number },
): Promise<VersionEntry[]> {
  await getTemplate(deps, tenantId, id);
  return selectVersions(deps.db.pool, tenantId, id, page);
}

/** What a template says at a version. Throws not_found for either. */
export async function getVersion(
  deps: Pick<TemplateDeps, 'db'>,
  tenantId: string,
  id: string,
  version: number,
): Promise<VersionEntry & TemplateContent> {
  await getTemplate(deps, tenantId, id);
  const content = await selectVersion(deps.db.pool, tenantId, id, version);
  if (!content) throw notFound('version');
  const [entry] = await selectVersions(deps.db.pool, tenantId, id, { before: version + 1, limit: 1 });
  return { ...entry!, ...content };
}

/**
 * Changes what is named. New content is a new version; mail that was accepted before keeps the old one. Throws conflict
 * when the template is at another version than `expected_version`.
 */
export async function changeTemplate(
  deps: TemplateDeps,
  by: Actor,
  tenantId: string,
  id: string,
  fields: TemplateChange,
): Promise<Template> {
  const { expected_version: expected, ...changes } = fields;
  return tryChange(deps, tenantId, id, expected, (current) => changeVersion(deps, by, current, changes));
}

/**
 * Makes a new version that says what an older one said; none when the template says that already. What was stored once
 * is not checked again. Throws not_found, and conflict as `changeTemplate` does.
 */
export async function restoreVersion(
  deps: TemplateDeps,
  by: Actor,
  tenantId: string,
  id: string,
  version: number,
  expected: number | undefined,
): Promise<Template> {
  const { subject, html, text, variables } = await getVersion(deps, tenantId, id, version);
  const content = { subject, html, text, variables };
  return tryChange(deps, tenantId, id, expected, (current) =>
    changeVersion(deps, by, current, content, version),
  );
}

// `apply` gives false when somebody else changed the template meanwhile.
async function tryChange(
  deps: TemplateDeps,
  tenantId: string,
  id: string,
  expected: number | undefined,
  apply: (current: Template) => Promise<boolean>,
): Promise<Template> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const current = await getTemplate(deps, tenantId, id);
    if (expected !== undefined && expected !== current.version)
      throw new AppError(
        'conflict',
        `The template is at version ${current.version}, not ${expected}: someone saved it meanwhile. Read it and try again.`,
      );
    if (await apply(current)) return getTemplate(deps, tenantId, id);
  }
  throw new AppError('conflict', 'The template is being changed by someone else. Try again.');
}

/** Deletes a template. Mail accepted before is still rendered from it. Throws not_found. */
export async function deleteTemplate(
  deps: ChangeDeps,
  by: Actor,
  tenantId: string,
  id: string,
): Promise<void> {
  await change(deps, by, async (client, record) => {
    const template = await selectTemplate(client, tenantId, id);
    if (!template || !(await deleteTemplateRow(client, tenantId, id))) throw notFound('template');
    await deleteDraftsOf(client, tenantId, id);
    await record(templateEntry('template.deleted', tenantId, id, { name: template.name }));
  });
}

// False when somebody else changed it meanwhile.
async function changeVersion(
  deps: TemplateDeps,
  by: Actor,
  current: Template,
  fields: TemplateChange,
  restoredFrom: number | null = null,
): Promise<boolean> {
  const { id, tenantId } = current;
  const before: TemplateContent = contentOf(current);
  const content: TemplateContent = contentOf({ ...before, ...definedOnly(fields) });
  const name = fields.name ?? current.name;
  const testData = fields.test_data ?? current.testData;
  const isNew = !isDeepStrictEqual(content, before);
  if (!hasBody(content)) throw invalidField('html', 'is required: give html and/or text');
  if (isNew && restoredFrom === null) await refuseBadLiquid(deps, tenantId, content);
  const version = isNew ? current.version + 1 : current.version;
  return refuseTakenName(name, () =>
    change(deps, by, async (client, record) => {
      const row = { id, tenantId, name, version, testData, expected: current.version };
      if (!(await updateTemplateRow(client, row))) return false;
      const owner = { templateId: id, tenantId, version, createdBy: actorName(by), restoredFrom };
      if (isNew) await insertVersion(client, owner, content);
      await endDraft(client, by, tenantId, id);
      const restored = restoredFrom === null ? {} : { restored_from: restoredFrom };
      await record(templateEntry('template.changed', tenantId, id, { name, version, ...restored }));
      return true;
    }),
  );
}

// What a person saves is no draft of theirs any more. Keys and services have none.
async function endDraft(
  client: Queryable,
  by: Actor,
  tenantId: string,
  templateId: string | null,
): Promise<void> {
  if (by.kind === 'user') await deleteDraft(client, { tenantId, userId: by.userId, templateId });
}

function templateEntry(
  action: `template.${string}`,
  tenantId: string,
  id: string,
  details: Record<string, unknown>,
): ChangeEntry {
  return { action, tenantId, subject: toId('tpl', id), details };
}

function contentOf({ subject, html, text, variables }: TemplateContent): TemplateContent {
  const declared = variables.map((one) => ({
    name: one.name,
    required: one.required,
    default: one.default,
  }));
  return { subject, html, text, variables: declared };
}

function definedOnly(fields: TemplateChange): Partial<TemplateContent> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

async function refuseBadLiquid(
  deps: TemplateDeps,
  tenantId: string,
  content: TemplateContent,
): Promise<void> {
  const details: FieldProblem[] = await deps.renderer.checkSyntax(content, tenantId);
  if (details.length > 0) throw invalidFields(details);
}

async function refuseTakenName<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('conflict', `A template named ${name} already exists.`);
    if (isForeignKeyViolation(error)) throw notFound('tenant');
    throw error;
  }
}
