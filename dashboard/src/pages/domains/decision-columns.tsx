// The columns of a table of warm-up decisions.

import type { WarmupDecisionFragment } from '../../gen/pages/domains/decisions.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { formatPercent } from '../../ui/format-number.ts';
import { Time } from '../../ui/time.tsx';

const TONES: { [action: string]: Tone } = {
  advance: 'good',
  resume: 'good',
  release: 'good',
  hold: 'neutral',
  demote: 'warn',
  reset: 'warn',
  pause: 'bad',
  brake_bulk: 'bad',
  brake_all: 'bad',
  brake_release: 'good',
};

/** The columns of a DataTable of decisions. */
export const DECISION_COLUMNS: readonly Column<WarmupDecisionFragment>[] = [
  {
    id: 'action',
    header: 'Change',
    cell: ({ action, fromTier, toTier }) => (
      <span className="inline-flex flex-wrap items-center gap-2">
        <Badge tone={TONES[action] ?? 'neutral'}>{action.replaceAll('_', ' ')}</Badge>
        <span className="font-normal whitespace-nowrap">
          {fromTier === toTier ? `tier ${toTier}` : `tier ${fromTier} → ${toTier}`}
        </span>
      </span>
    ),
  },
  {
    id: 'why',
    header: 'Reason',
    className: 'sm:w-2/5',
    cell: ({ reason }) => <span className="[overflow-wrap:anywhere]">{reason === '' ? '–' : reason}</span>,
  },
  {
    id: 'rates',
    header: 'Bounce and complaint rate',
    cell: ({ rates }) =>
      rates === null ? (
        <span className="text-muted">–</span>
      ) : (
        <span className="tabular-nums">
          {formatPercent(rates.bounceRate)}, {formatPercent(rates.complaintRate)}
        </span>
      ),
  },
  {
    id: 'who',
    header: 'Made by',
    cell: ({ actor }) => <span className="[overflow-wrap:anywhere]">{actor}</span>,
  },
  { id: 'at', header: 'Time', align: 'right', cell: ({ at }) => <Time value={at} exact /> },
];
