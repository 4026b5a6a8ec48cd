// Contacts whose message could not be created, and a retry.

import { RotateCw } from '../../gen/icons.ts';
import type { ReactNode } from 'react';
import { useMutation } from 'urql';

import {
  CampaignFailedRecipientsDocument,
  RetryFailedRecipientsDocument,
  type CampaignFailedRecipientsQuery,
} from '../../gen/pages/campaigns/campaign.ts';
import { errorText } from '../../graphql/error-text.ts';
import { useConnection } from '../../graphql/use-connection.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { useToast } from '../../ui/toast.tsx';

type Row = NonNullable<
  CampaignFailedRecipientsQuery['campaign']
>['failedRecipients']['edges'][number]['node'];

export function FailedRecipients({
  id,
  failed,
  status,
}: {
  id: string;
  failed: number;
  status: string;
}): ReactNode {
  const recipients = useConnection({
    query: CampaignFailedRecipientsDocument,
    variables: { id },
    pick: (data) => data.campaign?.failedRecipients,
    typename: 'Campaign',
  });
  const [{ fetching }, retry] = useMutation(RetryFailedRecipientsDocument);
  const toast = useToast();
  const retryAll = async () => {
    const { error } = await retry({ input: { id } });
    if (error) return toast(errorText(error), 'bad');
    toast('Retrying failed recipients');
    recipients.refresh();
  };
  return (
    <Card
      flush
      title="Failed recipients"
      description={`No message was created for ${formatNumber(failed)} ${failed === 1 ? 'contact' : 'contacts'}. Correct the errors below, then retry. Nobody receives the campaign twice.`}
      actions={
        status !== 'sending' && status !== 'sent' ? undefined : (
          <Button icon={RotateCw} busy={fetching} onClick={() => void retryAll()}>
            Retry
          </Button>
        )
      }
    >
      <DataTable
        label="Failed recipients"
        columns={COLUMNS}
        connection={recipients}
        rowKey={(row) => row.contactId}
        rowHref={(row) => `/contacts/${row.contactId}`}
        empty={<EmptyState title="No failed recipients" />}
      />
    </Card>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'email',
    header: 'Contact',
    cell: (row) => <span className="[overflow-wrap:anywhere]">{row.email ?? 'deleted contact'}</span>,
  },
  {
    id: 'error',
    header: 'Error',
    cell: (row) => <span className="[overflow-wrap:anywhere]">{row.error}</span>,
  },
];
