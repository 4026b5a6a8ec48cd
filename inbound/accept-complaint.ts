// A report at the complaint address. Anybody can write there, so it counts only when the mail that it quotes carries a
// return path of ours: its token names the message, and cannot be made up.

import type pg from 'pg';

import { setOutcome, suppress } from '../core/inbound/report-store.ts';
import { COMPLAINT_TYPES, type ArfReport } from '../core/mail/report/arf-report.ts';
import { normalizeEmail } from '../core/mail/address.ts';
import type { Report } from '../core/mail/report/dsn.ts';
import { readReturnPath } from '../core/mail/return-path.ts';
import {
  addReportEvent,
  hasEvent,
  lockReportedMessage,
  type ReportedMessage,
} from '../core/message/report-store.ts';

/** A message that came to a complaint address. */
export interface ComplaintMail {
  /** UUID of the inbound message. */
  id: string;
  tenantId: string;
  /** UUID of the domain whose complaint address it is. */
  domainId: string;
}

const MAX_TYPE_CHARS = 40;

/** Records what a report says, in the caller's transaction. Returns the id of the event it made, if any. */
export async function acceptComplaint(
  client: pg.PoolClient,
  mail: ComplaintMail,
  report: Report,
  keys: readonly Buffer[],
): Promise<string | null> {
  const { outcome, eventId } =
    report.kind === 'arf'
      ? await apply(client, mail, report.arf, keys)
      : { outcome: 'no report', eventId: null };
  await setOutcome(client, mail.tenantId, mail.id, outcome);
  return eventId;
}

async function apply(
  client: pg.PoolClient,
  mail: ComplaintMail,
  arf: ArfReport,
  keys: readonly Buffer[],
): Promise<{ outcome: string; eventId: string | null }> {
  const nothing = (outcome: string) => ({ outcome, eventId: null });
  if (!COMPLAINT_TYPES.includes(arf.feedbackType))
    return nothing(`not a complaint: ${arf.feedbackType}`.slice(0, 100));
  const token = arf.returnPaths
    .map((address) => readReturnPath(address, keys))
    .find((found) => found !== null);
  if (!token) return nothing('no token of ours');
  const message = await lockReportedMessage(client, mail.tenantId, token.messageId);
  if (!message || message.domainId !== mail.domainId) return nothing('no such message');
  return complain(client, message, arf);
}

async function complain(
  client: pg.PoolClient,
  message: ReportedMessage,
  arf: ArfReport,
): Promise<{ outcome: string; eventId: string | null }> {
  await suppress(client, message, normalizeEmail(message.rcptTo), 'complaint');
  if (await hasEvent(client, message, 'complaint', {})) return { outcome: 'known already', eventId: null };
  const feedbackType = arf.feedbackType.replace(/[^a-z0-9-]/g, '').slice(0, MAX_TYPE_CHARS) || 'other';
  const eventId = await addReportEvent(client, message, {
    type: 'complaint',
    data: { feedback_type: feedbackType, source: 'arf' },
  });
  return { outcome: 'complaint', eventId };
}
