// Templates and what they said at each version.

import { sql } from 'drizzle-orm';
import { integer, json, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';

import { time, timeOfInsert } from './columns.ts';
import { tenants } from './tenant.ts';

/** One variable of a template. */
export interface TemplateVariable {
  name: string;
  required: boolean;
  default: string | number | boolean | null;
}

/**
 * A template; its content is in its versions. A campaign's own content is one that no list shows: it counts as deleted,
 * but names its campaign.
 */
export const templates = pgTable(
  'templates',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenants.id),
    name: text('name').notNull(),
    version: integer('version').notNull(),
    createdAt: timeOfInsert('created_at'),
    updatedAt: timeOfInsert('updated_at'),
    deletedAt: time('deleted_at'),
    campaignId: uuid('campaign_id'),
    /** Values for previews, in the order in which they were written. */
    testData: json('test_data').$type<Record<string, unknown>>().notNull().default({}),
  },
  (t) => [
    uniqueIndex('templates_name')
      .on(t.tenantId, t.name)
      .where(sql`deleted_at is null`),
  ],
);

/** A template in the dashboard's editor, as its controls hold it: what is half written cannot be a version yet. */
export interface DraftContent {
  name: string;
  subject: string;
  html: string;
  text: string;
  variables: { name: string; required: boolean; kind: 'text' | 'number' | 'boolean'; preset: string }[];
  testData: string;
}

/**
 * What a person wrote in the editor of a template and did not save as a version yet. No mail uses it. Deleted 30 days after
 * the last change.
 */
export const templateDrafts = pgTable(
  'template_drafts',
  {
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenants.id),
    userId: uuid('user_id').notNull(),
    /** All zeros for a template that was never saved. */
    templateId: uuid('template_id').notNull(),
    /** The template's version that the draft began from. */
    baseVersion: integer('base_version'),
    /** A random value for each save: a second tab that saw another one does not overwrite it. */
    revision: uuid('revision').notNull(),
    content: jsonb('content').$type<DraftContent>().notNull(),
    savedAt: timeOfInsert('saved_at'),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.userId, t.templateId] })],
);

/** What a template says at one version; never changed, because messages keep (template, version). */
export const templateVersions = pgTable(
  'template_versions',
  {
    templateId: uuid('template_id')
      .notNull()
      .references(() => templates.id),
    version: integer('version').notNull(),
    tenantId: uuid('tenant_id').notNull(),
    subject: text('subject').notNull(),
    html: text('html'),
    text: text('text'),
    variables: jsonb('variables').$type<TemplateVariable[]>().notNull(),
    createdAt: timeOfInsert('created_at'),
    /** In words, as in the audit log; null for versions from before this was kept. */
    createdBy: text('created_by'),
    /** The version whose content this is again. */
    restoredFrom: integer('restored_from'),
  },
  (t) => [primaryKey({ columns: [t.templateId, t.version] })],
);
