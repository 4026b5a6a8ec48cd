// Every change of the tier, with the rates that were seen and the reason in words.

import { History } from 'lucide-react';
import type { ReactNode } from 'react';

import { WarmupDecisionsDocument, type WarmupDecisionFragment } from '../../gen/pages/domains/decisions.ts';
import { useConnection } from '../../graphql/use-connection.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatPercent } from '../../ui/number-text.tsx';
import { Time } from '../../ui/time.tsx';

const TONES: { [action: string]: Tone } = {
  advance: 'good',
  resume: 'good',
  release: 'good',
  hold: 'neutral',
  demote: 'warn',
  reset: 'warn',
  pause: 'bad',
};

/** The card. */
export function DecisionsCard({ id }: { id: string }): ReactNode {
  const decisions = useConnection({
    query: WarmupDecisionsDocument,
    variables: { id },
    pick: (data) => data.domain?.warmupHistory,
    typename: 'WarmupEntry',
    pageSize: 10,
  });
  return (
    <Card flush title="Decisions" description="What the ramp and people decided, newest first.">
      <DataTable
        label="Decisions"
        columns={COLUMNS}
        connection={decisions}
        rowKey={(one) => `${one.at} ${one.action}`}
        empty={
          <EmptyState icon={History} title="Nothing was decided yet">
            The first decision comes at 02:00 UTC after a day with mail.
          </EmptyState>
        }
      />
    </Card>
  );
}

const COLUMNS: readonly Column<WarmupDecisionFragment>[] = [
  {
    id: 'action',
    header: 'What',
    cell: ({ action, fromTier, toTier }) => (
      <span className="inline-flex flex-wrap items-center gap-2">
        <Badge tone={TONES[action] ?? 'neutral'}>{action}</Badge>
        <span className="font-normal whitespace-nowrap">
          {fromTier === toTier ? `tier ${toTier}` : `tier ${fromTier} → ${toTier}`}
        </span>
      </span>
    ),
  },
  {
    id: 'why',
    header: 'Why',
    className: 'sm:w-2/5',
    cell: ({ reason }) => <span className="[overflow-wrap:anywhere]">{reason === '' ? '–' : reason}</span>,
  },
  {
    id: 'rates',
    header: 'Bounced, complained',
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
    header: 'Who',
    cell: ({ actor }) => <span className="[overflow-wrap:anywhere]">{actor}</span>,
  },
  { id: 'at', header: 'When', align: 'right', cell: ({ at }) => <Time value={at} exact /> },
];
