// One row of an import of suppressions: an address, why it is suppressed, and since when.

import type { SuppressionReason } from '../suppression/suppression-store.ts';
import { statusOfWord } from './column-names.ts';
import type { CsvColumn, SuppressAs } from './csv-layout.ts';
import { bad, blank, cellsProblem, cellText, readAddress, type ReadRow } from './read-row.ts';

/** Reads the cells of a CSV row. A row without a reason gets the reason of the import. */
export function readSuppression(cells: string[], columns: CsvColumn[], suppress: SuppressAs): ReadRow {
  let email = '';
  let reason: SuppressionReason | null = null;
  let since: Date | null = null;
  let problem = cellsProblem(cells, columns);
  for (const [at, column] of columns.entries()) {
    const cell = cellText(cells, at);
    if (cell === '' || !('field' in column)) continue;
    if (column.field === 'email') email = cell;
    else if (column.field === 'reason') {
      const said = reasonOf(cell);
      if (said === 'subscribed') problem ??= 'is subscribed';
      else reason ??= said;
    } else {
      since ??= readTime(cell);
      if (column.field === 'bounced_at') reason ??= 'bounce';
      if (column.field === 'unsubscribed_at') reason ??= 'unsubscribe';
    }
  }
  const address = readAddress(email);
  if (typeof address === 'string') problem ??= address;
  if (problem !== null || typeof address === 'string') return bad(email, problem ?? '');
  const { emailKey } = address;
  const row = {
    ...blank(),
    email: address.email,
    emailKey,
    suppress: reason ?? suppress.reason,
    suppressedAt: since,
  };
  return { ok: true, contact: row };
}

const REFUSAL = /(?:^|[^\d.])[45](?:\d\d|\.\d{1,3}\.\d{1,3})(?![\d.])/; // SendGrid and Mailgun list the reply of the server

function reasonOf(cell: string): SuppressionReason | 'subscribed' | null {
  const word = statusOfWord(cell);
  if (word !== null) return word.suppress ?? (word.status === 'subscribed' ? 'subscribed' : 'unsubscribe');
  return REFUSAL.test(cell) ? 'bounce' : null;
}

const SECONDS = /^\d{9,10}$/; // since 1970, as SendGrid has it
const MILLISECONDS = /^\d{12,13}$/;
const WITHOUT_ZONE = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?: ?UTC)?$/;

// A time that nobody can read, or that is still to come, is left out: the entry begins now.
function readTime(cell: string): Date | null {
  if (SECONDS.test(cell)) return new Date(Number(cell) * 1000);
  if (MILLISECONDS.test(cell)) return new Date(Number(cell));
  const time = new Date(cell.replace(WITHOUT_ZONE, '$1T$2Z'));
  return Number.isNaN(time.getTime()) || time.getTime() < 0 ? null : time;
}
