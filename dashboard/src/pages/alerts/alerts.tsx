// Alerts: what is open, what is watched, where it is posted to, and what was.

import { BellRing, CircleCheck, Plus } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useMutation, useQuery } from 'urql';

import {
  AlertChoicesDocument,
  AlertRulesDocument,
  AlertsDocument,
  CreateAlertRuleDocument,
  type AlertKindRowFragment,
  type AlertRowFragment,
  type AlertRuleRowFragment,
  type AlertsQuery,
} from '../../gen/pages/alerts/alerts.ts';
import type { FirstQuery } from '../../graphql/first-query.ts';
import { errorText } from '../../graphql/error-text.ts';
import { readFirstPage, useConnection } from '../../graphql/use-connection.ts';
import { useViewer } from '../../graphql/viewer.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ChatCard } from './chat-card.tsx';
import { RuleDialog } from './rule-dialog.tsx';
import { ruleColumns } from './rule-columns.tsx';

/** What the dialog is open for: a new rule, or a change of one. */
type Editing = AlertRuleRowFragment | 'new' | null;

export function AlertsPage(): ReactNode {
  const { canWrite } = useViewer();
  const [editing, setEditing] = useState<Editing>(null);
  const [{ data, error }, again] = useQuery({ query: AlertChoicesDocument, variables: {} });
  const open = useConnection({ ...ALERTS, variables: { open: true } });
  const past = useConnection({ ...ALERTS, variables: { open: false } });
  const rules = useConnection({
    query: AlertRulesDocument,
    pick: (all) => all.alertRules,
    typename: 'AlertRule',
  });
  const header = (
    <PageHeader
      title="Alerts"
      description="You are notified when something goes wrong, and again when it is resolved."
      actions={
        canWrite && data ? (
          <Button variant="primary" icon={Plus} onClick={() => setEditing('new')}>
            Add rule
          </Button>
        ) : undefined
      }
    />
  );
  if (!data)
    return (
      <>
        {header}
        {error ? (
          <ErrorState error={error} onRetry={() => again({ requestPolicy: 'network-only' })} />
        ) : (
          <PageSkeleton />
        )}
      </>
    );
  const domains = data.domains.edges.map(({ node }) => node);
  return (
    <>
      {header}
      <div className="space-y-6">
        <Card title="Open" flush>
          <DataTable
            label="Open alerts"
            columns={OPEN_COLUMNS}
            connection={open}
            rowKey={({ id }) => id}
            empty={
              <EmptyState icon={CircleCheck} title="No open alerts">
                {rules.nodes.length === 0 ? 'Nothing is watched yet.' : 'Nothing has reached its threshold.'}
              </EmptyState>
            }
          />
        </Card>
        <Card title="Rules" flush>
          <DataTable
            label="Alert rules"
            columns={ruleColumns(data.alertKinds, domains, canWrite ? setEditing : null)}
            connection={rules}
            rowKey={({ id }) => id}
            empty={
              <EmptyState
                icon={BellRing}
                title="No rules yet"
                action={canWrite ? <Recommended kinds={data.alertKinds} onDone={rules.refresh} /> : undefined}
              >
                {canWrite
                  ? 'The recommended rules watch bounces, complaints, blocks, waiting mail, webhooks, DNS, API keys and the quota.'
                  : 'Ask an owner or member of your account to add some.'}
              </EmptyState>
            }
          />
        </Card>
        <ChatCard chatHost={data.alertSettings.chatHost} />
        <Card title="Resolved" flush>
          <DataTable
            label="Resolved alerts"
            columns={PAST_COLUMNS}
            connection={past}
            rowKey={({ id }) => id}
            empty={
              <EmptyState title="No past alerts">Alerts are kept here after they are resolved.</EmptyState>
            }
          />
        </Card>
      </div>
      {editing === null ? null : (
        <RuleDialog
          rule={editing === 'new' ? null : editing}
          kinds={data.alertKinds}
          domains={domains}
          onClose={() => setEditing(null)}
        />
      )}
    </>
  );
}

const ALERTS = {
  query: AlertsDocument,
  pick: (all: AlertsQuery) => all.alerts,
  typename: 'Alert',
};

const WHAT: Column<AlertRowFragment> = {
  id: 'text',
  header: 'Alert',
  cell: ({ text }) => <span className="break-words">{text}</span>,
};
const OPENED: Column<AlertRowFragment> = {
  id: 'opened',
  header: 'Opened',
  className: 'sm:w-40',
  cell: ({ openedAt }) => <Time value={openedAt} />,
};
const OPEN_COLUMNS: readonly Column<AlertRowFragment>[] = [
  {
    ...WHAT,
    cell: ({ text, nextStep }) => (
      <>
        <span className="break-words">{text}</span>
        <span className="text-muted block font-normal">{nextStep}</span>
      </>
    ),
  },
  OPENED,
];
const PAST_COLUMNS: readonly Column<AlertRowFragment>[] = [
  WHAT,
  OPENED,
  {
    id: 'resolved',
    header: 'Resolved',
    className: 'sm:w-40',
    cell: ({ resolvedAt }) => <Time value={resolvedAt} />,
  },
];

function Recommended({
  kinds,
  onDone,
}: {
  kinds: readonly AlertKindRowFragment[];
  onDone: () => void;
}): ReactNode {
  const [, create] = useMutation(CreateAlertRuleDocument);
  const [busy, setBusy] = useState(false);
  const toast = useToast();
  const add = async () => {
    setBusy(true);
    // The newest is shown first: so they stand in their order.
    for (const { kind, suggested } of kinds.toReversed()) {
      const { error } = await create({ input: { kind, threshold: suggested } });
      if (error) {
        toast(errorText(error), 'bad');
        break;
      }
    }
    setBusy(false);
    onDone();
  };
  return (
    <Button variant="primary" busy={busy} onClick={() => void add()}>
      Add recommended rules
    </Button>
  );
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => readFirstPage(client, AlertsDocument, { open: true });
