// Reads what came to a return path or a complaint address: a bounce, a complaint, an automatic answer, or none of
// these. Rules and tables only.
// Guarantee: never rejects, whatever the bytes: what cannot be read is `unreadable`. Time and memory are bounded by the
// limits of dsn-mime.ts.

import { readArf, saysFeedbackReport, type ArfReport } from './arf-report.ts';
import { isAutoReply } from './auto-submitted.ts';
import { headerOf, readReportParts, walkParts, type ReportPart } from './dsn-mime.ts';
import { looksLikeBounce, readAnnouncement } from './dsn-sign.ts';
import { readDeliveryStatus, type DsnFields } from './dsn-status.ts';
import { readTextRecipients, reportText } from './dsn-text.ts';
import { judgeRecipient, type ReportedRecipient } from './judge-recipient.ts';

/**
 * What a message is. `standard` is true when it has a delivery-status part (RFC 3464). `unreadable` is a bug of a reader: no
 * known message is.
 */
export type Report =
  | { kind: 'dsn'; standard: boolean; recipients: ReportedRecipient[] }
  | { kind: 'arf'; arf: ArfReport }
  | { kind: 'auto_reply' }
  | { kind: 'other' }
  | { kind: 'unreadable' };

/** Reads a whole message. Never rejects. */
export async function readReport(bytes: Buffer): Promise<Report> {
  return read(bytes).catch(() => ({ kind: 'unreadable' }));
}

async function read(bytes: Buffer): Promise<Report> {
  const root = await readReportParts(bytes);
  const arf = readArf(root);
  if (arf) return { kind: 'arf', arf };
  if (saysFeedbackReport(root)) return { kind: 'other' };
  const fields = readDeliveryStatus(root);
  if (fields.length > 0) return { kind: 'dsn', standard: true, recipients: fromFields(root, fields) };
  const bounce = looksLikeBounce(root);
  if (!bounce && isAutoReply((name) => headerOf(root, name))) return { kind: 'auto_reply' };
  if (!bounce) return { kind: 'other' };
  const recipients = fromText(root);
  if (recipients.some((one) => one.class !== 'uncategorized'))
    return { kind: 'dsn', standard: false, recipients };
  return (await readInner(root)) ?? { kind: 'dsn', standard: false, recipients };
}

// Some gateways wrap the real report in another one that says nothing.
async function readInner(root: ReportPart): Promise<Report | null> {
  for (const part of walkParts(root)) {
    if (part.type !== 'message/rfc822' || part.text === '') continue;
    const inner = await readReportParts(Buffer.from(part.text, 'utf8'));
    const fields = readDeliveryStatus(inner);
    if (fields.length > 0) return { kind: 'dsn', standard: true, recipients: fromFields(inner, fields) };
  }
  return null;
}

function fromText(root: ReportPart): ReportedRecipient[] {
  const announced = readAnnouncement(root);
  const { recipients, before } = readTextRecipients(root);
  const [only, ...others] = recipients;
  const aside = only && others.length === 0 ? before : '';
  const judged = recipients.map(({ address, words }) =>
    judgeRecipient({
      address,
      originalAddress: '',
      words,
      status: '',
      action: null,
      aside,
      host: '',
      standard: false,
      announced,
    }),
  );
  return withFailures(judged);
}

function fromFields(root: ReportPart, fields: DsnFields[]): ReportedRecipient[] {
  const texts = readTextRecipients(root).recipients;
  const announced = readAnnouncement(root);
  const whole = fields.length === 1 ? reportText(root) : '';
  return fields.map((one) => {
    const own = texts.find(({ address }) => address !== '' && address === one.address)?.words;
    return judgeRecipient({
      address: one.address,
      originalAddress: one.originalAddress,
      words: one.diagnostic,
      status: one.status,
      action: one.action,
      aside: own ?? whole,
      host: one.reportingMta,
      standard: true,
      announced,
    });
  });
}

// A report names addresses that did not fail too (its own postmaster, "on behalf of"): those with no reason given go,
// unless nobody is left.
function withFailures(recipients: ReportedRecipient[]): ReportedRecipient[] {
  const explained = recipients.filter((one) => one.diagnostic !== '' || one.class !== 'uncategorized');
  return explained.length > 0 ? explained : recipients;
}
