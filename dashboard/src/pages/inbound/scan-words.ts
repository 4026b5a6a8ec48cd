// Texts for what the spam and virus scanner said of a message.

import type { InboundDetailFragment } from '../../gen/pages/inbound/inbound-message.ts';
import type { Tone } from '../../ui/badge.tsx';

type Scan = InboundDetailFragment['scan'];

const SHOWN_SYMBOLS = 3;

const NOT_SCANNED: Record<Exclude<NonNullable<Scan['reason']>, 'off'>, string> = {
  timeout: 'the scanner did not answer in time',
  unreachable: 'the scanner could not be reached',
  error: 'the scanner answered with an error',
  bad_answer: 'the scanner’s answer could not be read',
  skipped: 'the scanner is set up to skip it',
  paused: 'the scanner was not available',
};

/** The verdict with its score; null when no scanner is set up. */
export function scanSummary({
  verdict,
  reason,
  score,
  requiredScore,
  virus,
}: Scan): { tone: Tone; text: string } | null {
  const points = score === null ? '' : `, score ${score} of ${requiredScore}`;
  switch (verdict) {
    case 'clean':
      return { tone: 'good', text: `clean${points}` };
    case 'spam':
      return { tone: 'bad', text: `spam${points}` };
    case 'virus':
      return { tone: 'bad', text: `virus: ${virus}` };
    case 'not_scanned':
      if (reason === null || reason === 'off') return null;
      return { tone: 'neutral', text: `not scanned: ${NOT_SCANNED[reason]}` };
    default:
      return verdict satisfies never;
  }
}

/** The rules that count most, in the scanner's words. */
export function symbolList({ symbols }: Scan): string {
  return symbols
    .slice(0, SHOWN_SYMBOLS)
    .map(({ name, score }) => `${name} (${score})`)
    .join(', ');
}
