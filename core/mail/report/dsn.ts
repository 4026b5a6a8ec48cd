// Reads what came to a return path or a complaint address: a bounce, a complaint, an automatic answer, or none of
// these. Rules and tables only.
// Guarantee: never rejects, whatever the bytes; time and memory are bounded by the limits of dsn-mime.ts.

import { readArf, saysFeedbackReport, type ArfReport } from './arf-report.ts';
import { isAutoReply } from './auto-submitted.ts';
import { BOUNCE_CLASSES, type BounceClass } from '../bounce/bounce-classes.ts';
import { classifyBounce, type Refusal } from '../bounce/classify-bounce.ts';
import { headerOf, readReportParts, walkParts, type ReportPart } from './dsn-mime.ts';
import type { SmtpCommand } from '../smtp-reply.ts';
import { findRefusal } from './dsn-refusal.ts';
import { FINAL_REPLIES, FINAL_WORDS, findDsnRule } from './dsn-rules.ts';
import { looksLikeBounce } from './dsn-sign.ts';
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
// a live refusal, often does not say why it is closed: the recipient is not suppressed for it.
const HARD_CLASSES: readonly BounceClass[] = ['invalid_recipient', 'invalid_domain', 'null_mx'];

/** Reads a whole message. */
export async function readReport(bytes: Buffer): Promise<Report> {
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
  const recipients = readTextRecipients(root).map(({ address, words }) =>
    judge({ address, words, status: '', action: null, aside: '', reporter: '', standard: false }),
  );
  return withFailures(recipients);
}

function fromFields(root: ReportPart, fields: DsnFields[]): ReportedRecipient[] {
  const texts = readTextRecipients(root);
  const whole = fields.length === 1 ? reportText(root) : '';
  return fields.map((one) => {
    const own = texts.find(({ address }) => address !== '' && address === one.address)?.words;
    return judge({
      address: one.address,
      words: one.diagnostic,
      status: one.status,
      action: one.action,
      aside: own ?? whole,
      reporter: one.reportingMta,
      standard: true,
    });
  });
}

interface Statement {
  address: string;
  words: string;
  status: string;
  action: DsnFields['action'];
  /** What the report says to people about the same recipient. */
  aside: string;
  reporter: string;
  standard: boolean;
}

interface Verdict {
  class: BounceClass;
  permanent: boolean;
  refusal: Refusal;
}

function judge(statement: Statement): ReportedRecipient {
  const verdict = readVerdict(statement);
  const outcome = outcomeOf(statement.action, statement.status, verdict.refusal.code);
  const hard = outcome === 'failed' && isHard(statement, verdict);
  const facts = BOUNCE_CLASSES[verdict.class];
  return {
    address: statement.address,
    outcome,
    class: verdict.class,
    kind: hard ? 'hard' : 'soft',
    infrastructure: facts.infrastructure,
    suppresses: hard && facts.suppresses,
    smtpCode: verdict.refusal.code,
    enhancedCode: verdict.refusal.enhanced,
    diagnostic: (statement.words || statement.aside)
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, MAX_DIAGNOSTIC_CHARS),
  };
}

// The diagnostic decides. Where it is missing, or says nothing that we know, the text for people may.
function readVerdict({ words, status, aside, reporter }: Statement): Verdict {
  const first = classify(words, status, reporter);
  if (words !== '' && first.class !== 'uncategorized' && !first.vague) return first;
  if (aside === '') return first;
  const second = classify(aside, status, reporter);
  return second.class === 'uncategorized' || second.vague ? first : second;
}

function classify(words: string, status: string, reporter: string): Verdict & { vague: boolean } {
  const refusal = findRefusal(words, status);
  const bounce = classifyBounce({ reply: refusal, stage: 'dsn' });
  const said = `${refusal.text} ${words}`.slice(0, 3000).toLowerCase().replace(/\s+/g, ' ').trim();
  const rule = findDsnRule(said, reporter);
  return {
    class: rule?.class ?? bounce.class,
    permanent: bounce.permanent,
    refusal,
    vague: rule === null && VAGUE_RULES.includes(bounce.ruleId),
  };
}

// Codes that say only where it went wrong; the words beside them may know more.
const VAGUE_RULES: readonly string[] = ['none', 'x.3', 'x.5.1-4', 'x.6', 'x.7', '500-504', '530'];

const ABOUT_RECIPIENT: ReadonlySet<SmtpCommand> = new Set(['RCPT', 'DATA', 'DOT']);
// Enhanced codes that name another subject than the address; x.0.0 and x.5.0 name none.
const SPECIFIC = /^5\.(?:[1-9]\.[1-9]|2\.|3\.|4\.|6\.|7\.)/;

// A domain that is not there is not there for anybody. A mailbox is gone when the codes say so (RFC 3463 section 3.2),
// when RCPT itself was refused, or when a standard report quotes a 5xx; a refusal after the message was seen may be
// about the message, and a text without any code may be a guess.
function isHard(statement: Statement, { class: bounceClass, permanent, refusal }: Verdict): boolean {
  if (!permanent || !HARD_CLASSES.includes(bounceClass)) return false;
  const command = refusal.command ?? findRefusal(statement.aside).command ?? null;
  if (command !== null && !ABOUT_RECIPIENT.has(command)) return false;
  if (bounceClass !== 'invalid_recipient') return true;
  if (saysFull(statement.aside)) return false;
  const enhanced = refusal.enhanced ?? '';
  if (/^5\.1\.(?:1|2|3|6|10|351)$/.test(enhanced)) return true;
  const said = `${statement.words} ${statement.aside}`.toLowerCase().replace(/\s+/g, ' ');
  if (FINAL_WORDS.test(said) || (refusal.code !== null && FINAL_REPLIES.test(said))) return true;
  if (command === 'RCPT') return true;
  return command === null && statement.standard && refusal.code !== null && !SPECIFIC.test(enhanced);
}

// A report that says "user unknown" to machines and "not enough space" to people is not sure: the milder one counts.
function saysFull(aside: string): boolean {
  return /not enough (?:disk )?space|mailbox (?:is )?full|over quota|quota exceeded/i.test(aside);
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
