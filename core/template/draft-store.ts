// Drafts of templates in PostgreSQL: one for each person and template.

import { and, eq, getTableColumns, sql, type SQL } from 'drizzle-orm';

import { NIL_UUID } from '../base/ids.ts';
import { orm } from '../db/orm.ts';
import type { Queryable } from '../db/pool.ts';
import { templateDrafts } from '../db/schema/template.ts';

/** Whose draft it is, and of which template; null for one that was never saved. Ids are UUIDs. */
export interface DraftKey {
  tenantId: string;
  userId: string;
  templateId: string | null;
}

const { tenantId: _, userId: __, templateId: ___, ...COLUMNS } = getTableColumns(templateDrafts);

/** A stored draft. */
export type TemplateDraft = Pick<typeof templateDrafts.$inferSelect, keyof typeof COLUMNS>;

/** The draft, or null. */
export async function selectDraft(db: Queryable, key: DraftKey): Promise<TemplateDraft | null> {
  const [row] = await orm(db).select(COLUMNS).from(templateDrafts).where(isOf(key));
  return row ?? null;
}

/**
 * Stores a draft in place of the one at revision `seen`, or where there is none. The same content again is no conflict: it
 * is the repetition of a save whose answer was lost. Null when a draft of another revision is there.
 */
export async function upsertDraft(
  db: Queryable,
  key: DraftKey,
  seen: string | null,
  draft: Pick<TemplateDraft, 'baseVersion' | 'revision' | 'content'>,
): Promise<TemplateDraft | null> {
  const { revision, content } = templateDrafts;
  const [row] = await orm(db)
    .insert(templateDrafts)
    .values({ ...keyed(key), ...draft })
    .onConflictDoUpdate({
      target: [templateDrafts.tenantId, templateDrafts.userId, templateDrafts.templateId],
      set: { ...draft, savedAt: sql`excluded.saved_at` }, // Citus takes no now() here
      setWhere: sql`${revision} = ${seen}::uuid or ${content} = excluded.content`,
    })
    .returning(COLUMNS);
  return row ?? null;
}

/** Deletes the draft, if there is one. */
export async function deleteDraft(db: Queryable, key: DraftKey): Promise<void> {
  await orm(db).delete(templateDrafts).where(isOf(key));
}

/** Deletes all drafts of a template, whoever wrote them. */
export async function deleteDraftsOf(db: Queryable, tenantId: string, templateId: string): Promise<void> {
  await orm(db)
    .delete(templateDrafts)
    .where(and(eq(templateDrafts.tenantId, tenantId), eq(templateDrafts.templateId, templateId)));
}

function isOf(key: DraftKey): SQL | undefined {
  const { tenantId, userId, templateId } = keyed(key);
  return and(
    eq(templateDrafts.tenantId, tenantId),
    eq(templateDrafts.userId, userId),
    eq(templateDrafts.templateId, templateId),
  );
}

function keyed({ templateId, ...person }: DraftKey) {
  return { ...person, templateId: templateId ?? NIL_UUID };
}
