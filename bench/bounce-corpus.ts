// Compares what we read out of bounces that others collected with the labels that others gave them
// (test/fixtures/bounces/README.md says who).

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { BounceClass } from '../core/mail/bounce/bounce-classes.ts';
import { readReport, type Report } from '../core/mail/report/dsn.ts';
import type { Figure } from './figure.ts';

/** How well one kind of sample was read. */
interface Agreement {
  /** Labels, one per recipient. */
  labels: number;
  /** Same verdict on hard or soft. */
  sameKind: number;
  /** We said hard, the label says soft: an innocent recipient would be suppressed. */
  falseHard: number;
  /** Same meaning of the reason. */
  sameReason: number;
}

/** What came of a whole corpus. */
export interface CorpusResult {
  samples: number;
  /** RFC 3464 reports. */
  standard: Agreement;
  /** Bounces in plain words, and those that were not recognized at all. */
  free: Agreement;
  /** Complaints (ARF), vacation notes and ordinary mail that were told apart. */
  others: { samples: number; right: number };
  /** Samples whose reading changes with the line ends. */
  lineEndsMatter: string[];
  /** Every disagreement on hard or soft. */
  disagreements: string[];
}

interface Label {
  reason: string;
  hard: boolean;
}

// Which of our classes mean what a label says. Several: the labels split by cause what we split by cure.
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

const STANDARD_TARGET = 95;
const FREE_TARGET = 85;

const FOLDER = join(import.meta.dirname, '../test/fixtures/bounces');

/** Reads every sample, in LF, CR and CRLF alike, and compares it with its labels. */
export async function compareCorpus(): Promise<CorpusResult> {
  const labels = readLabels();
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.eml'));
  const result: CorpusResult = {
    samples: files.length,
    standard: { labels: 0, sameKind: 0, falseHard: 0, sameReason: 0 },
    free: { labels: 0, sameKind: 0, falseHard: 0, sameReason: 0 },
    others: { samples: 0, right: 0 },
    lineEndsMatter: [],
    disagreements: [],
  };
  for (const file of files.toSorted()) await compareSample(file, labels.get(file) ?? [], result);
  return result;
}

/** The part of the bench. */
export async function measureBounces(): Promise<Figure[]> {
  const { standard, free, others, samples } = await compareCorpus();
  const share = (part: number, all: number) => (all === 0 ? 0 : (100 * part) / all);
  const figure = (id: string, what: string, agreement: Agreement, atLeast: number): Figure[] => [
    {
      id: `bounces.${id}`,
      what: `Hard or soft as labelled, ${what}`,
      value: share(agreement.sameKind, agreement.labels),
      unit: '%',
      target: { atLeast },
      detail: `${agreement.labels} labels`,
    },
    {
      id: `bounces.${id}.reason`,
      what: `Reason as labelled, ${what}`,
      value: share(agreement.sameReason, agreement.labels),
      unit: '%',
    },
  ];
  return [
    ...figure('standard', 'standard reports (RFC 3464)', standard, STANDARD_TARGET),
    ...figure('free', 'bounces in plain words', free, FREE_TARGET),
    {
      id: 'bounces.false-hard',
      what: 'Hard where the label is soft',
      value: standard.falseHard + free.falseHard,
      unit: '',
      target: { atMost: 0 },
      detail: `${samples} samples`,
    },
    {
      id: 'bounces.others',
      what: 'Complaints, vacation notes and ordinary mail told apart',
      value: share(others.right, others.samples),
      unit: '%',
      detail: `${others.samples} samples`,
    },
  ];
}

function readLabels(): Map<string, Label[]> {
  const labels = new Map<string, Label[]>();
  const lines = readFileSync(join(FOLDER, 'labels.tsv'), 'utf8').split('\n').slice(1);
  for (const line of lines) {
    const [file = '', , , , reason = '', hard = ''] = line.split('\t');
    if (file !== '') labels.set(file, [...(labels.get(file) ?? []), { reason, hard: hard === 'true' }]);
  }
  return labels;
}

async function compareSample(file: string, labels: Label[], result: CorpusResult): Promise<void> {
  const text = readFileSync(join(FOLDER, file)).toString('latin1').replace(/\r\n/g, '\n');
  const [report, ...others] = await Promise.all(
    ['\n', '\r', '\r\n'].map((end) => readReport(Buffer.from(text.replaceAll('\n', end), 'latin1'))),
  );
  if (!report) return;
  if (others.some((other) => JSON.stringify(other) !== JSON.stringify(report)))
    result.lineEndsMatter.push(file);
  const kind = expectedKind(labels);
  if (kind !== 'dsn') {
    result.others.samples++;
    if (kind.split(' ').includes(report.kind)) result.others.right++;
    return;
  }
  labels.forEach((label, index) => compareLabel(file, label, index, report, result));
}

function expectedKind(labels: Label[]): string {
  const [first] = labels;
  if (!first) return 'other auto_reply';
  return first.reason === 'feedback' ? 'arf' : first.reason === 'vacation' ? 'auto_reply' : 'dsn';
}

function compareLabel(file: string, label: Label, index: number, report: Report, result: CorpusResult): void {
  const agreement = report.kind === 'dsn' && report.standard ? result.standard : result.free;
  const about = report.kind === 'dsn' ? report.recipients[index] : undefined;
  agreement.labels++;
  const hard = about?.kind === 'hard';
  if (hard && !label.hard) agreement.falseHard++;
  if (about && hard === label.hard) agreement.sameKind++;
  else
    result.disagreements.push(`${file} ${index + 1}: ${label.reason}, we say ${about?.class ?? report.kind}`);
  if (about && SAME[label.reason]?.includes(about.class)) agreement.sameReason++;
}
