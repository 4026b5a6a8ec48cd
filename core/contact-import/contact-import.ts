// What an import is.
//
// Words: an import is *uploading* while its bytes come in, then *pending* until a scheduler claims it, *running* until
// its last row, and *completed*; *failed* means that the file itself could not be read to its end, or that every row failed.

import type { CsvLayout } from './csv-layout.ts';

/** Where an import stands. */
type ImportStatus = 'uploading' | 'pending' | 'running' | 'completed' | 'failed';

/** What the stored bytes are: a CSV file of contacts in UTF-8, contacts as one JSON text per line, or a CSV file of suppressions. */
type ImportFormat = 'csv' | 'json-lines' | 'suppressions';

/** Why a row was not imported. Row 0 is the file itself. */
export interface ImportError {
  row: number;
  email: string;
  message: string;
}

/** What became of rows. */
export interface ImportCounts {
  total: number;
  created: number;
  updated: number;
  skipped: number;
  failed: number;
}

/** An import as its tenant sees it. */
export interface ContactImport extends ImportCounts {
  id: string;
  kind: 'contacts' | 'suppressions';
  /** The header of a CSV file; null for JSON. */
  columnNames: string[] | null;
  status: ImportStatus;
  listId: string | null;
  errors: ImportError[];
  sizeBytes: number;
  /** Octets that are worked off. */
  doneBytes: number;
  createdAt: Date;
  finishedAt: Date | null;
}

/** An import in the hands of one scheduler: it writes only while `claimVersion` is still the row's. */
export interface ImportClaim {
  id: string;
  tenantId: string;
  format: ImportFormat;
  layout: CsvLayout | null;
  listId: string | null;
  updateExisting: boolean;
  sizeBytes: number;
  cursorBytes: number;
  /** Number of the row that begins at the cursor; the header is row 1. */
  nextRow: number;
  claimVersion: number;
}

/** Errors that are kept and shown. */
export const MAX_ERRORS = 100;

/** Contacts of a JSON import. */
export const MAX_JSON_CONTACTS = 10_000;
