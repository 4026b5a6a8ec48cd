// Webhook deliveries of a tenant that failed for good, for super-admins: only they can replay them.

import { MailCheck, RotateCcw } from '../../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';

import {
  ReplayAllDeadLettersDocument,
  ReplayDeadLetterDocument,
  TenantDeadLettersDocument,
  type DeadLetterRowFragment,
} from '../../gen/pages/admin/dead-letters.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useConnection } from '../../graphql/use-connection.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ForeignText } from './foreign-text.tsx';

const CHANGED = { additionalTypenames: ['DeadLetter', 'InboundMessage'] };

export function WebhookDeadLetters({ tenantId }: { tenantId: string }): ReactNode {
  const [asking, setAsking] = useState(false);
  const [{ fetching }, replay] = useMutation(ReplayDeadLetterDocument);
  const toast = useToast();
  const letters = useConnection({
    query: TenantDeadLettersDocument,
    variables: { id: tenantId },
    pick: (data) => data.tenant?.deadLetters,
    typename: 'DeadLetter',
  });
  const replayOne = async (letter: DeadLetterRowFragment) => {
    const { error } = await replay({ input: { tenantId, id: letter.id } }, CHANGED);
    if (error) toast(errorText(error), 'bad');
    else toast('Delivery replayed');
  };
  return (
    <Card
      flush
      title="Dead letters"
      description="Webhook deliveries that failed after all attempts. Fix the receiving endpoint, then replay them."
      actions={
        letters.nodes.length > 0 ? (
          <Button size="small" icon={RotateCcw} onClick={() => setAsking(true)}>
            Replay all
          </Button>
        ) : undefined
      }
    >
      <DataTable
        label="Dead letters"
        columns={[...COLUMNS, replayColumn(fetching, (letter) => void replayOne(letter))]}
        connection={letters}
        rowKey={(letter) => letter.id}
        empty={
          <EmptyState icon={MailCheck} title="No dead letters">
            All deliveries succeeded or are still being retried.
          </EmptyState>
        }
      />
      <ReplayAllDialog tenantId={tenantId} open={asking} onClose={() => setAsking(false)} />
    </Card>
  );
}

const COLUMNS: readonly Column<DeadLetterRowFragment>[] = [
  {
    id: 'recipient',
    header: 'To',
    className: 'sm:max-w-56',
    cell: ({ recipient }) => <ForeignText fallback="no recipient">{recipient}</ForeignText>,
  },
  { id: 'attempts', header: 'Attempts', cell: ({ attempts }) => attempts },
  {
    id: 'answer',
    header: 'Last response',
    className: 'sm:max-w-72',
    cell: ({ lastError, lastStatusCode }) => (
      <ForeignText fallback="none" short>
        {lastError ?? lastStatusCode?.toString()}
      </ForeignText>
    ),
  },
  { id: 'at', header: 'Failed', cell: ({ deadLetteredAt }) => <Time value={deadLetteredAt} /> },
];

function replayColumn(
  busy: boolean,
  replay: (letter: DeadLetterRowFragment) => void,
): Column<DeadLetterRowFragment> {
  return {
    id: 'actions',
    header: 'Actions',
    hideLabel: true,
    align: 'right',
    cell: (letter) => (
      <Button
        size="small"
        disabled={busy}
        onClick={() => replay(letter)}
        aria-label={`Replay the message to ${letter.recipient}`}
      >
        Replay
      </Button>
    ),
  };
}

function ReplayAllDialog({
  tenantId,
  open,
  onClose,
}: {
  tenantId: string;
  open: boolean;
  onClose: () => void;
}): ReactNode {
  const [, replayAll] = useMutation(ReplayAllDeadLettersDocument);
  const toast = useToast();
  const confirm = async () => {
    const { data, error } = await replayAll({ input: { tenantId } }, CHANGED);
    if (error) return errorText(error);
    toast(`Deliveries replayed: ${data?.replayAllDeadLetters.replayed ?? 0}`);
    return null;
  };
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title="Replay all dead letters?"
      confirmLabel="Replay all"
      danger={false}
      onConfirm={confirm}
    >
      <p>
        Each delivery keeps its ID and starts again with its first attempt, as fast as the endpoint accepts
        them.
      </p>
    </ConfirmDialog>
  );
}
