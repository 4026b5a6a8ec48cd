// Every change of the tier, with the rates that were seen and the reason in words.

import { History } from 'lucide-react';
import type { ReactNode } from 'react';

import { WarmupDecisionsDocument } from '../../gen/pages/domains/decisions.ts';
import { useConnection } from '../../graphql/use-connection.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
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
    <Card flush title="Decisions" description="What the ramp and people decided, newest first.">
      <DataTable
        label="Decisions"
        columns={DECISION_COLUMNS}
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
