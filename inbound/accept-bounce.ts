// A report at a return path of ours: what it says becomes an event of the message that the address names, and, when the
// address does not exist any more, a suppression.

import type pg from 'pg';

import { setOutcome, suppress } from '../core/inbound/report-store.ts';
import { normalizeEmail } from '../core/mail/address.ts';
import type { Report } from '../core/mail/report/dsn.ts';
import type { ReportedRecipient } from '../core/mail/report/judge-recipient.ts';
import { findOwnRecipient } from '../core/mail/report/own-recipient.ts';
import {
  addReportEvent,
  bounceDelivered,
  hasEvent,
  lockReportedMessage,
  noteReturned,
  type ReportedMessage,
} from '../core/message/report-store.ts';

/** A message that came to a return path. */
export interface BounceMail {
  /** UUID of the inbound message. */
  id: string;
  tenantId: string;
  /** UUID of the message that the return path names. */
  aboutMessageId: string;
}

/** Records what a report says, in the caller's transaction. Returns the id of the event it made, if any. */
export async function acceptBounce(
  client: pg.PoolClient,
  mail: BounceMail,
  report: Report,
): Promise<string | null> {
  const message = await lockReportedMessage(client, mail.tenantId, mail.aboutMessageId);
  const { outcome, eventId } = message
    ? await apply(client, message, report)
    : { outcome: 'no such message', eventId: null };
  await setOutcome(client, mail.tenantId, mail.id, outcome);
  return eventId;
}

interface Applied {
  outcome: string;
  eventId: string | null;
}

async function apply(client: pg.PoolClient, message: ReportedMessage, report: Report): Promise<Applied> {
  if (report.kind === 'auto_reply') return { outcome: 'automatic reply', eventId: null };
  if (report.kind === 'unreadable') return { outcome: 'unreadable', eventId: null };
  if (report.kind !== 'dsn') return { outcome: 'no report', eventId: null };
  const about = findOwnRecipient(report.recipients, message.rcptTo);
  if (!about) return { outcome: 'names another recipient', eventId: null };
  switch (about.outcome) {
    case 'delivered':
      return { outcome: 'delivered', eventId: null };
    case 'delayed':
      return delayed(client, message, about);
    case 'failed':
      return failed(client, message, about);
    default:
      return about.outcome satisfies never;
  }
}

async function delayed(
  client: pg.PoolClient,
  message: ReportedMessage,
  about: ReportedRecipient,
): Promise<Applied> {
  const data = { reason: 'remote_4xx', ...dataOf(about) };
  if (await hasEvent(client, message, 'deferred', { source: 'dsn', diagnostic: about.diagnostic })) {
    return { outcome: 'known already', eventId: null };
  }
  return { outcome: 'delayed', eventId: await addReportEvent(client, message, { type: 'deferred', data }) };
}

async function failed(
  client: pg.PoolClient,
  message: ReportedMessage,
  about: ReportedRecipient,
): Promise<Applied> {
  if (about.suppresses) await suppress(client, message, normalizeEmail(message.rcptTo), 'bounce');
  // One final bounce per message: a second report, or one after a refusal at delivery, adds nothing.
  if (message.state === 'bounced' || (await hasEvent(client, message, 'bounced', {}))) {
    return { outcome: 'known already', eventId: null };
  }
  const data = { kind: about.kind, ...dataOf(about) };
  if (message.state === 'delivered') await bounceDelivered(client, message, data);
  else await noteReturned(client, message);
  const eventId = await addReportEvent(client, message, { type: 'bounced', data });
  return { outcome: `${about.kind} bounce`, eventId };
}

function dataOf(about: ReportedRecipient): Record<string, unknown> {
  return {
    class: about.class,
    smtp_code: about.smtpCode,
    enhanced_code: about.enhancedCode,
    diagnostic: about.diagnostic,
    source: 'dsn',
  };
}
