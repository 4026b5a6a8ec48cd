// Reads what came to a return path or a complaint address: a bounce, a complaint, an automatic answer, or none of
// these. Rules and tables only.
// Guarantee: never throws, whatever the bytes; time and memory are bounded by the limits of dsn-mime.ts.

import type { BounceClass } from './bounce-classes.ts';
import { classifyBounce } from './classify-bounce.ts';
import { isAutoReply } from './auto-submitted.ts';
import { readArf, saysFeedbackReport, type ArfReport } from './arf-report.ts';
import { headerOf, readReportParts, type ReportPart } from './dsn-mime.ts';
import { findRefusal } from './dsn-refusal.ts';
import { readDeliveryStatus, type DsnFields } from './dsn-status.ts';
import { readTextRecipients, reportText } from './dsn-text.ts';

/** What a report says about one recipient. */
export interface ReportedRecipient {
  /** Lower case; empty when the report names nobody. */
  address: string;
  outcome: 'failed' | 'delayed' | 'delivered';
  class: BounceClass;
  kind: 'hard' | 'soft';
  infrastructure: boolean;
  suppresses: boolean;
  smtpCode: number | null;
  enhancedCode: string | null;
  diagnostic: string;
}

/** What a message is. `standard` is true when it has a delivery-status part (RFC 3464). */
export type Report =
  | { kind: 'dsn'; standard: boolean; recipients: ReportedRecipient[] }
  | { kind: 'arf'; arf: ArfReport }
  | { kind: 'auto_reply' }
  | { kind: 'other' };

const MAX_DIAGNOSTIC_CHARS = 1000;

// Only these say that the address itself is no good. A disabled or expired mailbox may come back, and a report, unlike
// a live refusal, often does not tell why it is closed: the recipient is not struck off for it.
const HARD_CLASSES: readonly BounceClass[] = ['invalid_recipient', 'invalid_domain', 'null_mx'];

/** Reads a whole message. */
export function readReport(bytes: Buffer): Report {
  const root = readReportParts(bytes);
  const arf = readArf(root);
  if (arf) return { kind: 'arf', arf };
  if (saysFeedbackReport(root)) return { kind: 'other' };
  const fields = readDeliveryStatus(root);
  if (fields.length > 0) return { kind: 'dsn', standard: true, recipients: fromFields(root, fields) };
  const bounce = looksLikeBounce(root);
  if (!bounce && isAutoReply((name) => headerOf(root, name))) return { kind: 'auto_reply' };
  if (!bounce) return { kind: 'other' };
  const recipients = readTextRecipients(root).map(({ address, words }) => judge(address, words, '', null));
  return { kind: 'dsn', standard: false, recipients: withFailures(recipients) };
}

const BOUNCE_FROM = /mailer-?daemon|postmaster|mail delivery|mail administrator|system administrator|mdaemon|no-?reply@/i;
const BOUNCE_SUBJECT =
  /undeliver|(?:delivery|mail|message|returned).{0,30}(?:fail|error|problem|status|unknown|return|could ?n.t|not delivered|rejected|delay)|failure (?:notice|delivery)|failed delivery|returned (?:mail|to sender)|mail system error|nondeliverable|could not be delivered|rejected/i;
const BOUNCE_TEXT =
  /could ?n(?:o|')t be delivered|not (?:be )?delivered|undeliver(?:able|ed)|unable to deliver|delivery (?:has |to ).{0,80}fail|failed (?:permanently|to deliver)|did not reach|permanent (?:fatal )?error|delivery errors?|returned mail|transcript of session|invalid final delivery|rejected by|unknown user|user unknown|error sending your mail|送信できません|送信に失敗|qmail-send program|mail system|delivery failed|not (?:been )?able to deliver|wasn't able to deliver|was rejected|were rejected/i;

// A person who writes "your mail bounced" is no bounce: two of three signs are needed.
function looksLikeBounce(root: ReportPart): boolean {
  if (headerOf(root, 'x-failed-recipients') !== '') return true;
  const returnPath = headerOf(root, 'return-path');
  const signs = [
    BOUNCE_FROM.test(headerOf(root, 'from')) || /^<?(?:mailer-daemon\S*)?>?$/i.test(returnPath.trim() || 'none'),
    BOUNCE_SUBJECT.test(headerOf(root, 'subject')),
    BOUNCE_TEXT.test(reportText(root)),
  ];
  return signs.filter(Boolean).length >= 2;
}

function fromFields(root: ReportPart, fields: DsnFields[]): ReportedRecipient[] {
  const texts = readTextRecipients(root);
  return fields.map((one) => {
    const said = texts.find(({ address }) => address !== '' && address === one.address)?.words ?? '';
    const only = fields.length === 1 && texts.length === 1 ? (texts[0]?.words ?? '') : '';
    return judge(one.address, one.diagnostic, one.status, one.action, said || only);
  });
}

function judge(
  address: string,
  words: string,
  status: string,
  action: DsnFields['action'],
  more = '',
): ReportedRecipient {
  const refusal = findRefusal(words, status);
  let bounce = classifyBounce({ reply: refusal, stage: 'dsn' });
  let used = refusal;
  // The diagnostic is missing or says nothing that we know: the text for people may.
  if ((words === '' || bounce.class === 'uncategorized') && more !== '') {
    const other = findRefusal(more, status);
    const second = classifyBounce({ reply: other, stage: 'dsn' });
    if (second.class !== 'uncategorized') [bounce, used] = [second, other];
  }
  const outcome = outcomeOf(action, status, used.code);
  const command = used.command ?? findRefusal(more).command;
  const afterData = command === 'DATA' || command === 'DOT';
  const hard =
    outcome === 'failed' && bounce.kind === 'hard' && HARD_CLASSES.includes(bounce.class) && !afterData;
  return {
    address,
    outcome,
    class: bounce.class,
    kind: hard ? 'hard' : 'soft',
    infrastructure: bounce.infrastructure,
    suppresses: hard && bounce.suppresses && !bounce.infrastructure,
    smtpCode: used.code,
    enhancedCode: used.enhanced,
    diagnostic: (words || more).replace(/\s+/g, ' ').trim().slice(0, MAX_DIAGNOSTIC_CHARS),
  };
}

function outcomeOf(
  action: DsnFields['action'],
  status: string,
  code: number | null,
): ReportedRecipient['outcome'] {
  if (action === 'failed') return 'failed';
  if (action === 'delayed') return 'delayed';
  if (action !== null) return 'delivered';
  if (status.startsWith('2') && code === null) return 'delivered';
  if (status.startsWith('4') && (code === null || code < 500)) return 'delayed';
  return 'failed';
}

// A report names addresses that did not fail too (its own postmaster, "on behalf of"): those with no reason given go,
// unless nobody is left.
function withFailures(recipients: ReportedRecipient[]): ReportedRecipient[] {
  const explained = recipients.filter((one) => one.diagnostic !== '' || one.class !== 'uncategorized');
  return explained.length > 0 ? explained : recipients;
}
