// Small coloured words. Colour never stands alone: the word says it too.

import type { ReactNode } from 'react';

import { cx } from './class-names.ts';

/** What a badge means. */
export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'note' | 'accent';

const TONES: Record<Tone, string> = {
  neutral: 'bg-subtle text-muted',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  note: 'bg-note-soft text-note',
  accent: 'bg-accent-soft text-accent-strong',
};

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }): ReactNode {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}

// Statuses of messages, domains, records, checks, campaigns, imports, warm-ups, contacts, keys and events.
const STATUS_TONES: Record<string, Tone> = {
  queued: 'note',
  sending: 'note',
  pending: 'note',
  running: 'note',
  scheduled: 'note',
  waiting_for_certificate: 'note',
  delivered: 'good',
  verified: 'good',
  live: 'good',
  found: 'good',
  pass: 'good',
  sent: 'good',
  completed: 'good',
  active: 'good',
  subscribed: 'good',
  deferred: 'warn',
  held: 'warn',
  paused: 'warn',
  missing: 'warn',
  not_found: 'warn',
  lost: 'bad',
  warn: 'warn',
  unsubscribe: 'warn',
  unsubscribed: 'warn',
  expired: 'bad',
  bounced: 'bad',
  bounce: 'bad',
  complaint: 'bad',
  failed: 'bad',
  fail: 'bad',
  wrong: 'bad',
  open: 'accent',
  click: 'accent',
};

/** A badge for a status of the API; unknown ones are neutral. */
export function StatusBadge({ status }: { status: string }): ReactNode {
  return <Badge tone={STATUS_TONES[status] ?? 'neutral'}>{status.replaceAll('_', ' ')}</Badge>;
}
