// Creating, reading, changing and deleting templates. Liquid that does not parse is refused here, not at delivery.

import { isDeepStrictEqual } from 'node:util';

import type { Actor } from '../audit/actor.ts';
import { change, type ChangeDeps, type ChangeEntry } from '../audit/change.ts';
import { AppError, invalidField, invalidFields, notFound, type FieldProblem } from '../base/errors.ts';
import { newUuid, toId } from '../base/ids.ts';
import { isForeignKeyViolation, isUniqueViolation } from '../db/sql-state.ts';
import type { TemplateRenderer } from './renderer.ts';
import type { Template, TemplateContent } from './template.ts';
import { hasBody, type NewTemplate, type TemplateChange } from './template-input.ts';
import {
  deleteTemplateRow,
  insertTemplate,
  insertVersion,
  selectTemplate,
  selectTemplates,
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
  const { name, ...content } = input;
  await refuseBadLiquid(deps, tenantId, content);
  try {
    await refuseTakenName(name, () =>
      change(deps, by, async (client, record) => {
        await insertTemplate(client, { id, tenantId, name });
        await insertVersion(client, { templateId: id, tenantId, version: 1 }, content);
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

/** Changes what is named. New content is a new version; mail that was accepted before keeps the old one. */
export async function changeTemplate(
  deps: TemplateDeps,
  by: Actor,
  tenantId: string,
  id: string,
  fields: TemplateChange,
): Promise<Template> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const current = await getTemplate(deps, tenantId, id);
    if (await changeVersion(deps, by, current, fields)) return getTemplate(deps, tenantId, id);
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
    await record(templateEntry('template.deleted', tenantId, id, { name: template.name }));
  });
}

// False when somebody else changed it meanwhile.
async function changeVersion(
  deps: TemplateDeps,
  by: Actor,
  current: Template,
  fields: TemplateChange,
): Promise<boolean> {
  const { id, tenantId } = current;
  const before: TemplateContent = contentOf(current);
  const content: TemplateContent = contentOf({ ...before, ...definedOnly(fields) });
  const name = fields.name ?? current.name;
  const isNew = !isDeepStrictEqual(content, before);
  if (!hasBody(content)) throw invalidField('html', 'is required: give html and/or text');
  if (isNew) await refuseBadLiquid(deps, tenantId, content);
  const version = isNew ? current.version + 1 : current.version;
  return refuseTakenName(name, () =>
    change(deps, by, async (client, record) => {
      const row = { id, tenantId, name, version, expected: current.version };
      if (!(await updateTemplateRow(client, row))) return false;
      if (isNew) await insertVersion(client, { templateId: id, tenantId, version }, content);
      await record(templateEntry('template.changed', tenantId, id, { name, version }));
      return true;
    }),
  );
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
