// Deliveries of one's own tenant that were given up, for super-admins: only they may post them again.

import { MailCheck, RotateCcw } from 'lucide-react';
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
import { tries } from './delivery-words.ts';
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
    else toast('It is posted again');
  };
  return (
    <Card
      flush
      title="Dead letters"
      description="Deliveries that were given up. The receiving program is to be mended first, then they can be posted again."
      actions={
        letters.nodes.length > 0 ? (
          <Button size="small" icon={RotateCcw} onClick={() => setAsking(true)}>
            Post all again
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
            Nothing was given up.
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
    cell: ({ recipient }) => <ForeignText fallback="nobody">{recipient}</ForeignText>,
  },
  { id: 'tries', header: 'Tries', cell: ({ attempts }) => tries(attempts) },
  {
    id: 'answer',
    header: 'Last answer',
    className: 'sm:max-w-72',
    cell: ({ lastError, lastStatusCode }) => (
      <ForeignText fallback="none" short>
        {lastError ?? lastStatusCode?.toString()}
      </ForeignText>
    ),
  },
  { id: 'at', header: 'Given up', cell: ({ deadLetteredAt }) => <Time value={deadLetteredAt} /> },
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
        aria-label={`Post again: the message to ${letter.recipient}`}
      >
        Post again
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
    toast(`Posted again: ${data?.replayAllDeadLetters.replayed ?? 0}`);
    return null;
  };
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title="Post all dead letters again?"
      confirmLabel="Post all again"
      danger={false}
      onConfirm={confirm}
    >
      <p>Each keeps its delivery id and starts again at its first try, as fast as your program takes them.</p>
    </ConfirmDialog>
  );
}
