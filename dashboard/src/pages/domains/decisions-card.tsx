// The history of the tier: every change with its rates and its reason.

import { RotateCcwClock } from '../../gen/icons.ts';
import type { ReactNode } from 'react';

import { WarmupDecisionsDocument } from '../../gen/pages/domains/decisions.ts';
import { useConnection } from '../../graphql/use-connection.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { utcHour } from '../../ui/zone.ts';
import { DECISION_COLUMNS } from './decision-columns.tsx';

export function DecisionsCard({ id }: { id: string }): ReactNode {
  const decisions = useConnection({
    query: WarmupDecisionsDocument,
    variables: { id },
    pick: (data) => data.domain?.warmupHistory,
    typename: 'WarmupEntry',
    pageSize: 10,
  });
  return (
    <Card flush title="Warm-up history" description="Automatic and manual tier changes, newest first.">
      <DataTable
        label="Warm-up history"
        columns={DECISION_COLUMNS}
        connection={decisions}
        rowKey={(one) => `${one.at} ${one.action}`}
        empty={
          <EmptyState icon={RotateCcwClock} title="No changes yet">
            The tier is re-evaluated daily at {utcHour(2)}, after a day with mail.
          </EmptyState>
        }
      />
    </Card>
  );
}
