// Templates and their versions in PostgreSQL. A deleted template keeps its versions: accepted mail is rendered from
// them. Its name is free again.

import { and, desc, eq, getTableColumns, inArray, isNull, lt, sql, type SQL } from 'drizzle-orm';

import { orm, prepared } from '../db/orm.ts';
import type { Queryable } from '../db/pool.ts';
import { templates, templateVersions } from '../db/schema/template.ts';
import { KEPT_VERSIONS, type Template, type TemplateContent, type VersionEntry } from './template.ts';

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
  template: { id: string; tenantId: string; name: string; testData?: Record<string, unknown> | undefined },
): Promise<void> {
  await orm(db)
    .insert(templates)
    .values({ ...template, version: 1 });
}

/** Inserts a version. */
export async function insertVersion(
  db: Queryable,
  owner: {
    templateId: string;
    tenantId: string;
    version: number;
    createdBy?: string;
    restoredFrom?: number | null;
  },
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

/** A page of a template's versions, newest first, older than `before`. */
export function selectVersions(
  db: Queryable,
  tenantId: string,
  templateId: string,
  page: { before: number | null; limit: number },
): Promise<VersionEntry[]> {
  const { version, subject, createdAt, createdBy, restoredFrom } = templateVersions;
  return orm(db)
    .select({ version, subject, createdAt, createdBy, restoredFrom })
    .from(templateVersions)
    .where(
      and(
        eq(templateVersions.tenantId, tenantId),
        eq(templateVersions.templateId, templateId),
        page.before === null ? undefined : lt(version, page.before),
      ),
    )
    .orderBy(desc(version))
    .limit(page.limit);
}

const DELETED_AT_ONCE = 500; // versions in one statement: at most half a GiB of content

/**
 * Deletes versions of all tenants that no message can need: replaced before `replacedBefore` and not among the newest
 * of their template. Returns how many.
 */
export async function deleteOldVersions(db: Queryable, replacedBefore: Date): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { rowCount } = await db.query(
      `delete from template_versions where (template_id, version) in (
         select v.template_id, v.version
         from template_versions v
         join templates t on t.id = v.template_id
         join template_versions n on n.template_id = v.template_id and n.version = v.version + 1
         where v.version <= t.version - $2 and n.created_at < $1
         order by v.version -- none is left behind the gap of its successor
         limit $3)`,
      [replacedBefore, KEPT_VERSIONS, DELETED_AT_ONCE],
    );
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < DELETED_AT_ONCE) return deleted;
  }
}

/** Moves a template to its next name, version and test data, if it is still at the version that was read. */
export async function updateTemplateRow(
  db: Queryable,
  template: {
    id: string;
    tenantId: string;
    name: string;
    version: number;
    expected: number;
    testData: Record<string, unknown>;
  },
): Promise<boolean> {
  const { name, version, testData } = template;
  const { rowCount } = await orm(db)
    .update(templates)
    .set({ name, version, testData, updatedAt: sql`now()` })
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
