// What a scan means: the verdict of rspamd's answer, and what a domain's policy makes of it.

import type { RspamdAnswer } from '../clients/rspamd.ts';
import type { domains } from '../db/schema/domain.ts';
import { SCAN_OFF, type ScanResult } from '../db/schema/inbound.ts';

/** What a domain does with spam and viruses. */
export type SpamPolicy = (typeof domains.$inferSelect)['spamPolicy'];

/** Symbols that are stored. */
const MAX_SYMBOLS = 10;

const MAX_VIRUS_CHARS = 100;
const SPAM_ACTIONS: readonly string[] = ['add header', 'rewrite subject', 'quarantine', 'discard', 'reject'];
const VIRUS_SYMBOL = /_VIRUS$/; // CLAM_VIRUS and the like: the antivirus module's; *_VIRUS_FAIL is a scanner that is away

/**
 * The verdict of an answer. A virus counts more than spam. `greylist` and `soft reject` ask for a temporary refusal, which we
 * do not give: they are clean.
 */
export function judgeAnswer(answer: RspamdAnswer): ScanResult {
  const { action, is_skipped: skipped = false } = answer;
  if (skipped && action === 'no action') return notScanned('skipped');
  const symbols = Object.entries(answer.symbols);
  const virus = symbols.find(([name]) => VIRUS_SYMBOL.test(name));
  return {
    verdict: virus ? 'virus' : SPAM_ACTIONS.includes(action) ? 'spam' : 'clean',
    reason: null,
    score: rounded(answer.score),
    required_score: rounded(answer.required_score),
    action: printable(action),
    virus: virus ? printable(virus[1].options?.[0] ?? virus[0]).slice(0, MAX_VIRUS_CHARS) : null,
    symbols: symbols
      .map(([name, { score }]) => ({ name: printable(name), score: rounded(score) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, MAX_SYMBOLS),
  };
}

/** The result of a message that was not scanned. */
export function notScanned(reason: NonNullable<ScanResult['reason']>): ScanResult {
  return { ...SCAN_OFF, reason };
}

/** What happens at a domain to a message: `refuse` only for viruses, and for spam that the scanner itself rejects. */
export function applyPolicy(policy: SpamPolicy, scan: ScanResult | null): SpamPolicy {
  if (policy === 'keep' || scan === null) return 'keep';
  if (scan.verdict === 'virus') return policy;
  if (scan.verdict !== 'spam') return 'keep';
  return scan.action === 'reject' ? policy : 'mark';
}

function rounded(score: number): number {
  return Math.round(score * 100) / 100;
}

// Others' words, on their way into headers, replies and pages.
function printable(text: string): string {
  return text.replace(/[^\x20-\x3a\x3c-\x7e]/g, '?'); // no semicolon, which parts the fields of our header
}
