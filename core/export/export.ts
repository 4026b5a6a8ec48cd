// What an export is: a filtered list as a CSV file, written in the background and kept for a day.

import type { listExports } from '../db/schema/export.ts';
import type { Scope } from '../key/scope.ts';

/** What lists can be exported. */
export const EXPORT_KINDS = ['messages', 'contacts', 'suppressions', 'events', 'audit_log'] as const;

/** Which list. */
export type ExportKind = (typeof EXPORT_KINDS)[number];

/** What the caller needs to export a list and to fetch the file: what it needs to read that list. `owner` is the role of a person. */
export const EXPORT_SCOPES: Readonly<Record<ExportKind, Scope | 'owner'>> = {
  messages: 'transactional:read',
  contacts: 'contacts:read',
  suppressions: 'suppressions:read',
  events: 'events:read',
  audit_log: 'owner',
};

/** Where an export stands. */
export const EXPORT_STATUSES = ['pending', 'running', 'completed', 'failed'] as const;

/** An export as its tenant sees it. */
export type ListExport = Pick<
  typeof listExports.$inferSelect,
  'id' | 'kind' | 'status' | 'rows' | 'sizeBytes' | 'isCut' | 'createdAt' | 'finishedAt' | 'expiresAt'
>;

/** An export in the hands of one scheduler: it writes only while `claimVersion` is still the row's. */
export type ExportClaim = Pick<
  typeof listExports.$inferSelect,
  'id' | 'tenantId' | 'kind' | 'filter' | 'cursor' | 'rows' | 'sizeBytes' | 'claimVersion'
>;

/** Rows of one file: what a spreadsheet opens (Excel has 1,048,576 with the header). */
export const MAX_EXPORT_ROWS = 1_000_000;

/** Octets of one file, give or take one batch. */
export const MAX_EXPORT_BYTES = 256 * 1024 * 1024;

/** Exports of a tenant under way at once. */
export const MAX_OPEN_EXPORTS = 10;

/** Exports that a tenant has at once; the oldest that ended makes place for a new one. */
export const MAX_KEPT_EXPORTS = 12;

/** Hours for which a file is kept after it is whole. */
export const EXPORT_KEPT_HOURS = 24;
