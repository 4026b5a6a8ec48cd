// Reads what came to a return path or a complaint address: a bounce, a complaint, an automatic answer, or none of
// these. Rules and tables only.
// Guarantee: never rejects, whatever the bytes; time and memory are bounded by the limits of dsn-mime.ts.

import { readArf, saysFeedbackReport, type ArfReport } from './arf-report.ts';
import { isAutoReply } from './auto-submitted.ts';
import type { BounceClass } from '../bounce/bounce-classes.ts';
import { classifyBounce, type Bounce, type Refusal } from '../bounce/classify-bounce.ts';
import { headerOf, readReportParts, walkParts, type ReportPart } from './dsn-mime.ts';
import type { SmtpCommand } from '../smtp-reply.ts';
import { findRefusal } from './dsn-refusal.ts';
import { looksLikeBounce, readAnnouncement } from './dsn-sign.ts';
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
  const announced = readAnnouncement(root);
  const { recipients, before } = readTextRecipients(root);
  const [only, ...others] = recipients;
  const aside = only && others.length === 0 ? before : '';
  const judged = recipients.map(({ address, words }) =>
    judge({ address, words, status: '', action: null, aside, host: '', standard: false, announced }),
  );
  return withFailures(judged);
}

function fromFields(root: ReportPart, fields: DsnFields[]): ReportedRecipient[] {
  const texts = readTextRecipients(root).recipients;
  const announced = readAnnouncement(root);
  const whole = fields.length === 1 ? reportText(root) : '';
  return fields.map((one) => {
    const own = texts.find(({ address }) => address !== '' && address === one.address)?.words;
    return judge({
      address: one.address,
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

interface Statement {
  address: string;
  words: string;
  status: string;
  action: DsnFields['action'];
  /** What the report says to people about the same recipient. */
  aside: string;
  /** That wrote the report. */
  host: string;
  standard: boolean;
  /** What the words of the report say of delivery as a whole. */
  announced: 'delayed' | 'failed' | null;
}

interface Verdict extends Bounce {
  refusal: Refusal;
  /** The words that were judged. */
  said: string;
}

function judge(statement: Statement): ReportedRecipient {
  const verdict = readVerdict(statement);
  const { class: bounceClass, infrastructure, refusal } = verdict;
  const outcome = outcomeOf(statement, verdict);
  const hard = outcome === 'failed' && verdict.kind === 'hard';
  return {
    address: statement.address,
    outcome,
    class: bounceClass,
    kind: hard ? 'hard' : 'soft',
    infrastructure,
    suppresses: hard && verdict.suppresses,
    smtpCode: refusal.code,
    enhancedCode: refusal.enhanced,
    diagnostic: (statement.standard ? statement.words || statement.aside : verdict.said)
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, MAX_DIAGNOSTIC_CHARS),
  };
}

// The diagnostic decides. Where it is missing, or says nothing that we know, the text for people may; and where that
// text says that the mailbox is there, the milder reading counts.
function readVerdict(statement: Statement): Verdict {
  const { words, aside } = statement;
  const asked = findRefusal(aside).command ?? null;
  const first = classify(statement, words, asked);
  if (aside === '') return first;
  const second = classify(statement, aside, asked);
  if (isVague(second)) return first;
  if (isVague(first)) return second;
  return first.kind === 'hard' && MILDER.includes(second.class) ? second : first;
}

// `asked` is the command that other words of the report name.
function classify(statement: Statement, words: string, asked: SmtpCommand | null): Verdict {
  const refusal = findRefusal(words, statement.status);
  const command = refusal.command ?? asked ?? (isAboutRecipient(statement, words, refusal) ? 'RCPT' : null);
  const judge = (text: string): Verdict => {
    const reply = { ...refusal, text };
    return {
      ...classifyBounce({ reply, command, host: statement.host, stage: 'dsn' }),
      refusal,
      said: words,
    };
  };
  const quoted = judge(refusal.text);
  // The report may explain in its own words what the reply that it quotes does not say.
  const whole = isVague(quoted) ? judge(words) : quoted;
  return isVague(whole) ? quoted : whole;
}

// Where no command is named, a reply in the field of a recipient, or one that repeats its address, is about that
// recipient, unless its code names another subject.
function isAboutRecipient(
  { standard, address }: Statement,
  words: string,
  { code, enhanced }: Refusal,
): boolean {
  if (enhanced !== null && !/\.0\.0$|\.5\.\d+$/.test(enhanced)) return false;
  return standard ? code !== null : address !== '' && words.toLowerCase().includes(address);
}

function isVague({ ruleId }: Verdict): boolean {
  return VAGUE_RULES.includes(ruleId);
}

const MILDER: readonly BounceClass[] = ['mailbox_full', 'inactive_mailbox'];

// Codes that say only where it went wrong; the words beside them may know more.
const VAGUE_RULES: readonly string[] = [
  'none',
  'system-unavailable',
  'x.3',
  'x.5.1-4',
  'x.6',
  'x.7',
  '500-504',
  '530',
];

// RFC 3464 section 2.3.3: only `failed` ends a message. Without that field nothing does but a permanent sign: in plain
// words an announcement that it failed, else a code or a reason that is permanent.
function outcomeOf(
  { action, status, announced, standard }: Statement,
  verdict: Verdict,
): ReportedRecipient['outcome'] {
  if (action === 'failed') return 'failed';
  if (action === 'delayed') return 'delayed';
  if (action !== null) return 'delivered';
  const { code, enhanced } = verdict.refusal;
  if (status.startsWith('2') && code === null) return 'delivered';
  if (status.startsWith('5')) return 'failed';
  if (announced === 'delayed') return 'delayed';
  if (!standard && announced === 'failed') return 'failed';
  const permanent = code === null ? enhanced?.startsWith('5') || verdict.kind === 'hard' : code >= 500;
  return permanent ? 'failed' : 'delayed';
}

// A report names addresses that did not fail too (its own postmaster, "on behalf of"): those with no reason given go,
// unless nobody is left.
function withFailures(recipients: ReportedRecipient[]): ReportedRecipient[] {
  const explained = recipients.filter((one) => one.diagnostic !== '' || one.class !== 'uncategorized');
  return explained.length > 0 ? explained : recipients;
}
