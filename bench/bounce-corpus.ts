// Compares what we read out of bounces that others collected with their labels, and says how well both agree.

import type { BounceClass } from '../core/mail/bounce/bounce-classes.ts';
import { readReport, type Report } from '../core/mail/report/dsn.ts';
import type { ReportedRecipient } from '../core/mail/report/judge-recipient.ts';
import { readSamples, type Corpus, type Half, type Label, type Sample } from './bounce-samples.ts';

/** How well one kind of sample was read. */
interface Agreement {
  /** Labels, one per recipient. */
  labels: number;
  /** Same verdict on hard or soft. */
  sameKind: number;
  /** We said hard, the label says soft: an innocent recipient would be suppressed. */
  falseHard: number;
}

/** What came of one half of a corpus. */
export interface HalfResult {
  samples: number;
  /** RFC 3464 reports. */
  standard: Agreement;
  /** Bounces in plain words, and those that were not recognized at all. */
  plain: Agreement;
  /** Delay notices, and those of them that would have ended a message. */
  delays: { labels: number; ended: number };
  /** Complaints (ARF), automatic answers and ordinary mail that were told apart. */
  others: { labels: number; right: number };
  /** Reasons that are those of sisimai, where it names one. */
  reasons: { labels: number; right: number };
  /** Samples whose reading changes with the line ends. */
  lineEndsMatter: string[];
  /** Every disagreement, for the half that may be looked at. */
  disagreements: string[];
}

// Which of our classes mean what sisimai says. Several: its labels split by cause what we split by cure.
const SAME: Readonly<Record<string, readonly BounceClass[]>> = {
  userunknown: ['invalid_recipient'],
  hostunknown: ['invalid_domain', 'invalid_recipient'],
  hasmoved: ['invalid_recipient'],
  notaccept: ['null_mx', 'protocol'],
  mailboxfull: ['mailbox_full'],
  filtered: ['invalid_recipient', 'policy', 'inactive_mailbox', 'spam_block', 'content_rejected'],
  rejected: ['sender_rejected', 'policy', 'auth_failed', 'reputation_block'],
  expired: ['timeout', 'connection', 'remote_system', 'dns_failure'],
  blocked: ['reputation_block', 'policy', 'sender_rejected', 'rate_limited', 'relay_denied'],
  authfailure: ['auth_failed'],
  policyviolation: ['policy', 'content_rejected', 'protocol'],
  suspend: ['inactive_mailbox'],
  requireptr: ['reputation_block', 'sender_rejected'],
  networkerror: ['remote_system', 'dns_failure', 'connection', 'timeout'],
  spamdetected: ['spam_block'],
  securityerror: ['policy', 'tls', 'auth_failed', 'relay_denied'],
  mailererror: ['remote_system'],
  contenterror: ['content_rejected', 'spam_block'],
  badreputation: ['reputation_block', 'rate_limited'],
  systemerror: ['remote_system', 'dns_failure'],
  syntaxerror: ['protocol'],
  toomanyconn: ['rate_limited'],
  onhold: ['uncategorized', 'policy', 'remote_system'],
  undefined: ['uncategorized', 'remote_system'],
  notcompliantrfc: ['content_rejected'],
  norelaying: ['relay_denied'],
  mesgtoobig: ['message_too_large'],
  exceedlimit: ['message_too_large', 'mailbox_full'],
  virusdetected: ['virus'],
  systemfull: ['remote_system', 'mailbox_full'],
  speeding: ['rate_limited'],
};

/** Least share of labels on which we agree about hard or soft, in percent. */
export const TARGETS = { standard: 95, plain: 92 } as const;

/** Reads every sample of a half, or every nth, in LF, CR and CRLF alike, and compares it with its labels. */
export async function compareHalf(corpora: readonly Corpus[], half: Half, nth = 1): Promise<HalfResult> {
  const samples = corpora
    .flatMap(readSamples)
    .filter((sample) => sample.half === half)
    .filter((_, index) => index % nth === 0);
  const agreement = () => ({ labels: 0, sameKind: 0, falseHard: 0 });
  const result: HalfResult = {
    samples: samples.length,
    standard: agreement(),
    plain: agreement(),
    delays: { labels: 0, ended: 0 },
    others: { labels: 0, right: 0 },
    reasons: { labels: 0, right: 0 },
    lineEndsMatter: [],
    disagreements: [],
  };
  for (const sample of samples) await compareSample(sample, result);
  return result;
}

async function compareSample(sample: Sample, result: HalfResult): Promise<void> {
  const [report, ...others] = await Promise.all(
    ['\n', '\r', '\r\n'].map((end) => readReport(Buffer.from(sample.text.replaceAll('\n', end), 'latin1'))),
  );
  if (!report) return;
  const told = JSON.stringify(report);
  if (others.some((other) => JSON.stringify(other) !== told)) result.lineEndsMatter.push(sample.file);
  const labels = sample.labels.length > 0 ? sample.labels : [ORDINARY];
  labels.forEach((label, index) => compareLabel(sample, label, index, report, result));
}

const ORDINARY: Label = { address: '', expected: 'other', ground: 'ordinary mail' };

function compareLabel(sample: Sample, label: Label, index: number, report: Report, result: HalfResult): void {
  const about = report.kind === 'dsn' ? findAbout(report.recipients, label, index) : undefined;
  const right = compare(label, about, report, result);
  if (right) return;
  const said = about ? `${about.outcome} ${about.kind} ${about.class}` : report.kind;
  result.disagreements.push(
    `${sample.corpus}/${sample.file}: ${label.expected} (${label.ground}), we say ${said}`,
  );
}

// As a message finds its recipient in a report (inbound/accept-bounce.ts); labels without an address go by their order.
function findAbout(
  recipients: ReportedRecipient[],
  label: Label,
  index: number,
): ReportedRecipient | undefined {
  if (label.address === '') return recipients[index];
  return (
    recipients.find((one) => one.address === label.address) ??
    recipients.find((one) => one.outcome === 'failed') ??
    recipients[0]
  );
}

function compare(
  label: Label,
  about: ReportedRecipient | undefined,
  report: Report,
  result: HalfResult,
): boolean {
  if (label.expected === 'other') {
    const right =
      label.ground === 'feedback' ? report.kind === 'arf' : report.kind !== 'dsn' && report.kind !== 'arf';
    result.others.labels++;
    if (right) result.others.right++;
    return right;
  }
  if (label.expected === 'delay') {
    const ended = about?.outcome === 'failed';
    result.delays.labels++;
    if (ended) result.delays.ended++;
    return !ended;
  }
  const agreement = report.kind === 'dsn' && report.standard ? result.standard : result.plain;
  const hard = about?.kind === 'hard';
  // Labels of sisimai call delays soft.
  const ended = about?.outcome === 'failed' || (label.address === '' && about !== undefined);
  const right = ended && hard === (label.expected === 'hard');
  agreement.labels++;
  if (right) agreement.sameKind++;
  if (hard && label.expected === 'soft') agreement.falseHard++;
  if (SAME[label.ground]) result.reasons.labels++;
  if (about && SAME[label.ground]?.includes(about.class)) result.reasons.right++;
  return right;
}
