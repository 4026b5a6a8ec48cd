// The report of a campaign, and its recipients as a file.

import { csvRow } from '../base/csv.ts';
import { toId } from '../base/ids.ts';
import type { Database } from '../db/pool.ts';
import { requireCampaign } from './campaigns.ts';
import {
  selectRecipients,
  selectReportHours,
  selectReportLinks,
  type RecipientFilter,
  type RecipientRow,
  type ReportHour,
  type ReportLink,
} from './report-store.ts';

/** What came of a campaign. `by`: how long one of `points` is; they have no gaps. */
export interface CampaignReport {
  by: 'hour' | 'day';
  /** Oldest first, from the first open or click to the last. */
  points: ReportHour[];
  /** Most recipients first. */
  links: ReportLink[];
}

interface Deps {
  db: Database;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MOST_HOURS = 72; // drawn by hour; what took longer is drawn by day

/** The report as it is now. Throws not_found. */
export async function readReport({ db }: Deps, tenantId: string, id: string): Promise<CampaignReport> {
  await requireCampaign(db.pool, tenantId, id);
  const [hours, links] = await Promise.all([
    selectReportHours(db.pool, tenantId, id),
    selectReportLinks(db.pool, tenantId, id),
  ]);
  return { ...withoutGaps(hours), links };
}

/** A page of the recipients and what they did, by contact id. Throws not_found. */
export async function listRecipients(
  { db }: Deps,
  tenantId: string,
  id: string,
  page: { filter: RecipientFilter | null; after: string | null; limit: number },
): Promise<RecipientRow[]> {
  await requireCampaign(db.pool, tenantId, id);
  return selectRecipients(db.pool, tenantId, id, page);
}

const CSV_PAGE = 1_000; // recipients of one statement: about 30 ms

/** All recipients as CSV with a header line, read piece by piece. Cells that a spreadsheet would run are made text. */
export async function* recipientsCsv(
  { db }: Deps,
  tenantId: string,
  id: string,
  filter: RecipientFilter | null,
): AsyncGenerator<Buffer> {
  yield Buffer.from(csvRow(CSV_COLUMNS.map(([name]) => name)));
  for (let after: string | null = null; ;) {
    const rows: RecipientRow[] = await selectRecipients(db.pool, tenantId, id, {
      filter,
      after,
      limit: CSV_PAGE,
    });
    if (rows.length > 0)
      yield Buffer.from(rows.map((row) => csvRow(CSV_COLUMNS.map(([, cell]) => cell(row)))).join(''));
    if (rows.length < CSV_PAGE) return;
    after = rows.at(-1)!.contactId;
  }
}

const time = (at: Date | null) => at?.toISOString() ?? '';
const CSV_COLUMNS: readonly [string, (row: RecipientRow) => string][] = [
  ['email', (row) => row.email ?? ''],
  ['status', (row) => row.state],
  ['finished_at', (row) => time(row.finishedAt)],
  ['opened_at', (row) => time(row.openedAt)],
  ['clicked_at', (row) => time(row.clickedAt)],
  ['unsubscribed_at', (row) => time(row.unsubscribedAt)],
  ['complained_at', (row) => time(row.complainedAt)],
  ['machine_opened_at', (row) => time(row.machineOpenedAt)],
  ['contact_id', (row) => toId('con', row.contactId)],
  ['message_id', (row) => toId('msg', row.messageId)],
];

function withoutGaps(hours: ReportHour[]): Pick<CampaignReport, 'by' | 'points'> {
  const [first, last] = [hours[0], hours.at(-1)];
  if (!first || !last) return { by: 'hour', points: [] };
  const span = last.at.getTime() - first.at.getTime();
  const by = span <= MOST_HOURS * HOUR_MS ? 'hour' : 'day';
  const step = by === 'hour' ? HOUR_MS : DAY_MS;
  const from = Math.floor(first.at.getTime() / step) * step;
  const points = Array.from(
    { length: Math.floor((last.at.getTime() - from) / step) + 1 },
    (_, n): ReportHour => ({
      at: new Date(from + n * step),
      opens: 0,
      clicks: 0,
      machineOpens: 0,
      machineClicks: 0,
    }),
  );
  for (const hour of hours) {
    const point = points[Math.floor((hour.at.getTime() - from) / step)]!;
    for (const name of ['opens', 'clicks', 'machineOpens', 'machineClicks'] as const)
      point[name] += hour[name];
  }
  return { by, points };
}
