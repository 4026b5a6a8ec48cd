// A report at the complaint address. Anybody can write there, so it counts only when the mail that it returns says which
// message it was by something that an outsider cannot make up: the token of a return path, the token of an unsubscribe
// link, or a Message-ID of ours, whose UUIDv7 has 42 random bits or more.
//
// The first is known to the servers on the way of that one message, the second to its recipient. The third is known to
// all recipients of a submission, and to readers of an archive that shows it: it is worth as much as a recipient's
// word, and counts for those recipients only that it was sent to. A Feedback-ID of ours names a campaign, not a message:
// any of its recipients could complain in the name of another.

import type pg from 'pg';

import { setOutcome, suppress } from '../core/inbound/report-store.ts';
import { COMPLAINT_TYPES, type ArfReport } from '../core/mail/report/arf-report.ts';
import { normalizeEmail } from '../core/mail/address.ts';
import { readMessageId } from '../core/mail/compose/message-id.ts';
import type { Report } from '../core/mail/report/dsn.ts';
import { readReturnPath } from '../core/mail/return-path.ts';
import {
  addReportEvent,
  findByMessageId,
  hasEvent,
  lockReportedMessage,
  type GroupMember,
  type ReportedMessage,
} from '../core/message/report-store.ts';
import type { trackingKeys } from '../core/tracking/token.ts';
import { readUnsubscribeUrl } from '../core/tracking/unsubscribe-url.ts';

/** A message that came to a complaint address. */
export interface ComplaintMail {
  /** UUID of the inbound message. */
  id: string;
  tenantId: string;
  /** UUID of the domain whose complaint address it is. */
  domainId: string;
}

/** Keys of what a returned mail may carry, the newest first. */
export interface ReportKeys {
  returnPath: readonly Buffer[];
  tracking: ReturnType<typeof trackingKeys>;
}

const MAX_TYPE_CHARS = 40;

/** Records what a report says, in the caller's transaction. Returns the id of the event it made, if any. */
export async function acceptComplaint(
  client: pg.PoolClient,
  mail: ComplaintMail,
  report: Report,
  keys: ReportKeys,
): Promise<string | null> {
  const { outcome, eventId } =
    report.kind === 'arf'
      ? await apply(client, mail, report.arf, keys)
      : { outcome: report.kind === 'unreadable' ? 'unreadable' : 'no report', eventId: null };
  await setOutcome(client, mail.tenantId, mail.id, outcome);
  return eventId;
}

async function apply(
  client: pg.PoolClient,
  mail: ComplaintMail,
  arf: ArfReport,
  keys: ReportKeys,
): Promise<{ outcome: string; eventId: string | null }> {
  const nothing = (outcome: string) => ({ outcome, eventId: null });
  if (!COMPLAINT_TYPES.includes(arf.feedbackType))
    return nothing(`not a complaint: ${arf.feedbackType}`.slice(0, 100));
  const found = await findReported(client, mail, arf, keys);
  if (found.id === null) return nothing(found.why);
  const message = await lockReportedMessage(client, mail.tenantId, found.id);
  if (!message || message.domainId !== mail.domainId) return nothing('no such message');
  return complain(client, message, arf);
}

type Found = { id: string } | { id: null; why: string };

async function findReported(
  client: pg.PoolClient,
  mail: ComplaintMail,
  arf: ArfReport,
  keys: ReportKeys,
): Promise<Found> {
  const token = firstOf(arf.returnPaths, (address) => readReturnPath(address, keys.returnPath));
  if (token) return { id: token.messageId };
  const link = firstOf(arf.unsubscribeUrls, (url) => readUnsubscribeUrl(url, keys.tracking));
  const id = link?.messageId ?? firstOf(arf.messageIds, readMessageId);
  if (id === null) return { id: null, why: 'names no message of ours' };
  const group = await findByMessageId(client, mail.tenantId, mail.domainId, id);
  // A link was in one copy only, also that of the first, whose id is in the Message-ID of all; and whom the header To names
  // says nothing about that copy: it may have been a Bcc.
  const sent = link ? group.filter((one) => one.id === id) : group;
  const named = link ? { ...arf, addressees: [] } : arf;
  return sent.length === 0 ? { id: null, why: 'no such message' } : pickRecipient(sent, named);
}

// Of several recipients only the report itself can name one: the header shows the same to all of them.
function pickRecipient(sent: GroupMember[], { recipients, addressees }: ArfReport): Found {
  const named = recipients.length > 0 || sent.length > 1 ? recipients : addressees;
  if (named.length === 0) {
    return sent.length === 1 ? sent[0]! : { id: null, why: 'names none of several recipients' };
  }
  const keys = new Set(named.map((address) => normalizeEmail(address)));
  return (
    sent.find(({ rcptTo }) => keys.has(normalizeEmail(rcptTo))) ?? {
      id: null,
      why: 'names another recipient',
    }
  );
}

function firstOf<T, R>(items: T[], read: (item: T) => R | null): R | null {
  for (const item of items) {
    const found = read(item);
    if (found !== null) return found;
  }
  return null;
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
