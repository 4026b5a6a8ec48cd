// Templates and their versions in PostgreSQL. A deleted template keeps its versions: accepted mail is rendered from
// them. Its name is free again.

import { and, desc, eq, getTableColumns, inArray, isNull, lt, sql, type SQL } from 'drizzle-orm';

import { orm, prepared } from '../db/orm.ts';
import type { Queryable } from '../db/pool.ts';
import { templates, templateVersions } from '../db/schema/template.ts';
import type { Template, TemplateContent } from './template.ts';

const CONTENT = {
  subject: templateVersions.subject,
  html: templateVersions.html,
  text: templateVersions.text,
  variables: templateVersions.variables,
};
const { deletedAt: _, campaignId: __, ...columns } = getTableColumns(templates);

/** Inserts a template; its first version is another insert. */
export async function insertTemplate(
  db: Queryable,
  template: { id: string; tenantId: string; name: string },
): Promise<void> {
  await orm(db)
    .insert(templates)
    .values({ ...template, version: 1 });
}

/** Inserts a version. */
export async function insertVersion(
  db: Queryable,
  owner: { templateId: string; tenantId: string; version: number },
  content: TemplateContent,
): Promise<void> {
  const { subject, html, text, variables } = content;
  await orm(db)
    .insert(templateVersions)
    .values({ ...owner, subject, html, text, variables });
}

/** One template at its current version, or null. */
export async function selectTemplate(db: Queryable, tenantId: string, id: string): Promise<Template | null> {
  const [row] = await selectCurrent(db, tenantId, eq(templates.id, id));
  return row ?? null;
}

/** A page of a tenant's templates, newest first. */
export function selectTemplates(
  db: Queryable,
  tenantId: string,
  page: { before: string | null; limit: number },
): Promise<Template[]> {
  const older = page.before === null ? undefined : lt(templates.id, page.before);
  return selectCurrent(db, tenantId, older).orderBy(desc(templates.id)).limit(page.limit);
}

/** These templates at their current versions, as far as the tenant has them. */
export function selectTemplatesById(
  db: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<Template[]> {
  return selectCurrent(db, tenantId, inArray(templates.id, ids));
}

function selectCurrent(db: Queryable, tenantId: string, which: SQL | undefined) {
  return orm(db)
    .select({ ...columns, ...CONTENT })
    .from(templates)
    .innerJoin(
      templateVersions,
      and(
        eq(templateVersions.templateId, templates.id),
        eq(templateVersions.version, templates.version),
        eq(templateVersions.tenantId, templates.tenantId),
      ),
    )
    .where(and(eq(templates.tenantId, tenantId), isNull(templates.deletedAt), which))
    .$dynamic();
}

const contentOfVersion = prepared((db) =>
  db
    .select(CONTENT)
    .from(templateVersions)
    .where(
      and(
        eq(templateVersions.templateId, sql.placeholder('templateId')),
        eq(templateVersions.version, sql.placeholder('version')),
        eq(templateVersions.tenantId, sql.placeholder('tenantId')),
      ),
    )
    .prepare('template.version'),
);

/** What a version says, whether or not the template was deleted since; null when there is no such version. */
export async function selectVersion(
  db: Queryable,
  tenantId: string,
  templateId: string,
  version: number,
): Promise<TemplateContent | null> {
  const [row] = await contentOfVersion(db).execute({ tenantId, templateId, version });
  return row ?? null;
}

/** Moves a template to its next name and version, if it is still at the one that was read. */
export async function updateTemplateRow(
  db: Queryable,
  template: { id: string; tenantId: string; name: string; version: number; expected: number },
): Promise<boolean> {
  const { rowCount } = await orm(db)
    .update(templates)
    .set({ name: template.name, version: template.version, updatedAt: sql`now()` })
    .where(and(isLive(template.tenantId, template.id), eq(templates.version, template.expected)));
  return rowCount === 1;
}

/** Deletes a template. False when there was none. */
export async function deleteTemplateRow(db: Queryable, tenantId: string, id: string): Promise<boolean> {
  const { rowCount } = await orm(db)
    .update(templates)
    .set({ deletedAt: sql`now()` })
    .where(isLive(tenantId, id));
  return rowCount === 1;
}

function isLive(tenantId: string, id: string): SQL | undefined {
  return and(eq(templates.tenantId, tenantId), eq(templates.id, id), isNull(templates.deletedAt));
}
