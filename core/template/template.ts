// What a template is, and the bounds of one.

import type { templates, TemplateVariable, templateVersions } from '../db/schema/template.ts';

export type { TemplateVariable };

/** What a template says; every change of it is a new version. */
export type TemplateContent = Pick<
  typeof templateVersions.$inferSelect,
  'subject' | 'html' | 'text' | 'variables'
>;

/** A template at its current version; the id is a UUID. */
export type Template = Omit<typeof templates.$inferSelect, 'deletedAt' | 'campaignId'> & TemplateContent;

/** One version in a template's history, without what it says. */
export interface VersionEntry {
  version: number;
  subject: string;
  createdAt: Date;
  /** In words; null where it is not known. */
  createdBy: string | null;
  /** The version whose content this is again. */
  restoredFrom: number | null;
}

/** A rendered template; a part that the template does not have is empty. */
export interface Rendered {
  subject: string;
  html: string;
  text: string;
}

/** What rendering gives: the same template and variables fail again in the same way. */
export type RenderResult = ({ ok: true } & Rendered) | { ok: false; reason: string };

/** The three parts of a template. */
export const PARTS = ['subject', 'html', 'text'] as const;

/** Characters of html or text; Gmail shows 102 KiB, and newsletters inline their pictures as links. */
export const MAX_PART_CHARS = 512 * 1024;

/** Characters of a subject as it is written, outputs included. */
export const MAX_SUBJECT_SOURCE_CHARS = 2_000;

/** Characters of a rendered subject: one line of RFC 5322 (998); what is longer is cut. */
export const MAX_SUBJECT_CHARS = 998;

/** Characters of a rendered html or text. */
export const MAX_OUTPUT_CHARS = 2 * 1024 * 1024;

/** `{{` and `{%` of all parts together: each costs about 1 KB once it is parsed. */
export const MAX_TAGS = 20_000;

/** Characters of a template's test data, as JSON: it is read with every template of a list. */
export const MAX_TEST_DATA_CHARS = 64 * 1024;

/** Newest versions that are always kept; older ones until no message can need them (scheduler/jobs/retention.ts). */
export const KEPT_VERSIONS = 100;

/** Variables of a template. */
export const MAX_VARIABLES = 100;

/** Characters of the variables of one render, as JSON. */
export const MAX_VARIABLES_JSON_CHARS = 2 * 1024 * 1024;
