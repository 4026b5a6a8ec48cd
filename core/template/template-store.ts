// Templates and their versions in PostgreSQL. A deleted template keeps its versions: accepted mail is rendered from
// them. Its name is free again.

import type { Template, TemplateContent } from './template.ts';
import type { Queryable } from '../db/pool.ts';

const COLUMNS = `t.id, t.tenant_id as "tenantId", t.name, t.version, v.subject, v.html, v.text, v.variables,
  t.created_at as "createdAt", t.updated_at as "updatedAt"`;
const CURRENT = `templates t join template_versions v
  on v.template_id = t.id and v.version = t.version and v.tenant_id = t.tenant_id`;

/** Inserts a template; its first version is another insert. */
export async function insertTemplate(
  db: Queryable,
  template: { id: string; tenantId: string; name: string },
): Promise<void> {
  await db.query('insert into templates (id, tenant_id, name, version) values ($1, $2, $3, 1)', [
    template.id,
    template.tenantId,
    template.name,
  ]);
}

/** Inserts a version. */
export async function insertVersion(
  db: Queryable,
  owner: { templateId: string; tenantId: string; version: number },
  content: TemplateContent,
): Promise<void> {
  await db.query(
    `insert into template_versions (template_id, version, tenant_id, subject, html, text, variables)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      owner.templateId,
      owner.version,
      owner.tenantId,
      content.subject,
      content.html,
      content.text,
      JSON.stringify(content.variables),
    ],
  );
}

/** One template at its current version, or null. */
export async function selectTemplate(db: Queryable, tenantId: string, id: string): Promise<Template | null> {
  const { rows } = await db.query<Template>({
    name: 'template.by-id',
    text: `select ${COLUMNS} from ${CURRENT} where t.tenant_id = $1 and t.id = $2 and t.deleted_at is null`,
    values: [tenantId, id],
  });
  return rows[0] ?? null;
}

/** A page of a tenant's templates, newest first. */
export async function selectTemplates(
  db: Queryable,
  tenantId: string,
  page: { before: string | null; limit: number },
): Promise<Template[]> {
  const { rows } = await db.query<Template>({
    name: 'template.list',
    text: `select ${COLUMNS} from ${CURRENT}
           where t.tenant_id = $1 and t.deleted_at is null and ($2::uuid is null or t.id < $2)
           order by t.id desc limit $3`,
    values: [tenantId, page.before, page.limit],
  });
  return rows;
}

/** These templates at their current versions, as far as the tenant has them. */
export async function selectTemplatesById(
  db: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<Template[]> {
  const { rows } = await db.query<Template>({
    name: 'template.by-ids',
    text: `select ${COLUMNS} from ${CURRENT}
           where t.tenant_id = $1 and t.deleted_at is null and t.id = any($2::uuid[])`,
    values: [tenantId, ids],
  });
  return rows;
}

/** What a version says, whether or not the template was deleted since; null when there is no such version. */
export async function selectVersion(
  db: Queryable,
  tenantId: string,
  templateId: string,
  version: number,
): Promise<TemplateContent | null> {
  const { rows } = await db.query<TemplateContent>({
    name: 'template.version',
    text: `select subject, html, text, variables from template_versions
           where template_id = $1 and version = $2 and tenant_id = $3`,
    values: [templateId, version, tenantId],
  });
  return rows[0] ?? null;
}

/** Moves a template to its next name and version, if it is still at the one that was read. */
export async function updateTemplateRow(
  db: Queryable,
  template: { id: string; tenantId: string; name: string; version: number; expected: number },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update templates set name = $3, version = $4, updated_at = now()
     where tenant_id = $1 and id = $2 and version = $5 and deleted_at is null`,
    [template.tenantId, template.id, template.name, template.version, template.expected],
  );
  return rowCount === 1;
}

/** Deletes a template. False when there was none. */
export async function deleteTemplateRow(db: Queryable, tenantId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'update templates set deleted_at = now() where tenant_id = $1 and id = $2 and deleted_at is null',
    [tenantId, id],
  );
  return rowCount === 1;
}
