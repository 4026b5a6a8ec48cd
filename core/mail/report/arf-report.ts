// Feedback loop reports (RFC 5965, ARF): which kind, about which mail of ours.

import { headerOf, readFields, walkParts, type ReportPart } from './dsn-mime.ts';

/** One report. Lists hold what was found, in order; anyone may write anything into them. */
export interface ArfReport {
  /** `abuse`, `fraud`, `virus`, `not-spam`, `opt-out`, `auth-failure`, `other`, … in lower case. */
  feedbackType: string;
  userAgent: string;
  /** Envelope senders that the reported mail had: one of them may be a return path of ours. */
  returnPaths: string[];
  /** Message-IDs that the reported mail had. */
  messageIds: string[];
  /** Where the reported mail said that one can unsubscribe. */
  unsubscribeUrls: string[];
  /** Who complained, when the report says so. */
  recipients: string[];
  /** Whom the reported mail was addressed to, by its own header. */
  addressees: string[];
}

/** Feedback types that mean "this person does not want this mail" (RFC 5965 section 7.3, RFC 6430 for not-spam). */
export const COMPLAINT_TYPES: readonly string[] = [
  'abuse',
  'fraud',
  'virus',
  'other',
  'opt-out',
  'opt-out-list',
  'miscategorized',
];

// Of the part that is the returned mail; some write "header" for its headers alone.
const RETURNED = /^(?:message\/(?:rfc822|global)|(?:text|message)\/(?:rfc822|global)-headers?)$/;

const MAX_LISTED = 50;
// Words that providers put in place of a local part (RFC 6590): nobody is named by them.
const REDACTED = /^(?:redacted|hashed|hidden|removed|undisclosed|xxx|\*)[^@]*@/;
const ADDRESS = /[^\s<>;,"'()[\]]{1,100}@[a-z0-9.-]{1,253}/gi;

/** The feedback report in a message, or null when it is none. */
export function readArf(root: ReportPart): ArfReport | null {
  const parts = [...walkParts(root)];
  const feedback = parts.find((part) => part.type === 'message/feedback-report');
  if (!feedback) return readOther(root, parts);
  const fields = readFields(feedback.text.replace(/^\n+/, ''));
  const all = (name: string) => fields.get(name) ?? [];
  const original = originalHeaders(parts);
  return {
    ...readOriginal(original),
    feedbackType: (all('feedback-type')[0] ?? 'other').toLowerCase().trim() || 'other',
    userAgent: all('user-agent')[0] ?? '',
    returnPaths: addresses([
      ...all('original-mail-from'),
      ...(original.get('return-path') ?? []),
      ...(original.get('x-original-mail-from') ?? []),
      ...(original.get('received') ?? []).filter((line) => /envelope-from|return-path/i.test(line)),
    ]),
    recipients: complainants([...all('original-rcpt-to'), ...all('removal-recipient')]),
  };
}

// Reports of the same meaning in other forms: Microsoft's Junk Mail Reporting Program sends the mail itself, Apple an
// unsubscription.
function readOther(root: ReportPart, parts: ReportPart[]): ArfReport | null {
  const original = originalHeaders(parts);
  const microsoft =
    original.has('x-hmxmroriginalrecipient') ||
    (/^complaint about message from /i.test(headerOf(root, 'subject').trim()) &&
      /staff@hotmail\.com/i.test(headerOf(root, 'from')));
  const apple = /^true$/i.test(headerOf(root, 'x-apple-unsubscribe'));
  if (!microsoft && !apple) return null;
  return {
    ...readOriginal(original),
    feedbackType: microsoft ? 'abuse' : 'opt-out',
    userAgent: microsoft ? 'JMRP' : '',
    returnPaths: addresses(original.get('return-path') ?? []),
    recipients: complainants(original.get('x-hmxmroriginalrecipient') ?? []),
  };
}

// What says which mail it was where the provider has taken the return path out, as Microsoft and AOL do.
function readOriginal(
  original: Map<string, string[]>,
): Pick<ArfReport, 'messageIds' | 'unsubscribeUrls' | 'addressees'> {
  const links = (original.get('list-unsubscribe') ?? []).join(',').replace(/\s+/g, '');
  return {
    messageIds: (original.get('message-id') ?? []).slice(0, MAX_LISTED),
    unsubscribeUrls: [...links.matchAll(/<([^<>]+)>/g)].slice(0, MAX_LISTED).map(([, url = '']) => url),
    addressees: complainants([...(original.get('to') ?? []), ...(original.get('cc') ?? [])]),
  };
}

/** Whether a message says that it is a feedback report, however broken the rest. */
export function saysFeedbackReport(root: ReportPart): boolean {
  return /report-type\s*=\s*"?feedback-report/i.test(headerOf(root, 'content-type'));
}

function originalHeaders(parts: ReportPart[]): Map<string, string[]> {
  const original = parts.find((part) => RETURNED.test(part.type));
  return original ? readFields(original.text.replace(/^\n+/, '')) : new Map<string, string[]>();
}

function complainants(texts: string[]): string[] {
  return addresses(texts).filter((address) => !REDACTED.test(address));
}

function addresses(texts: string[]): string[] {
  const found = texts.flatMap((text) => text.match(ADDRESS) ?? []).map((address) => address.toLowerCase());
  return [...new Set(found)].slice(0, MAX_LISTED);
}
