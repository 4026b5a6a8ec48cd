// Contacts of a campaign whose message could not be made, and another try.

import { RotateCw } from 'lucide-react';
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
import { formatNumber } from '../../ui/number-text.tsx';
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
  const tryAgain = async () => {
    const { error } = await retry({ input: { id } });
    if (error) return toast(errorText(error), 'bad');
    toast('They are tried again');
    recipients.refresh();
  };
  return (
    <Card
      flush
      title="Recipients that failed"
      description={`${formatNumber(failed)} got nothing, for the reasons below. Put those right, then try again: nobody gets it twice.`}
      actions={
        status !== 'sending' && status !== 'sent' ? undefined : (
          <Button icon={RotateCw} busy={fetching} onClick={() => void tryAgain()}>
            Try them again
          </Button>
        )
      }
    >
      <DataTable
        label="Recipients that failed"
        columns={COLUMNS}
        connection={recipients}
        rowKey={(row) => row.contactId}
        rowHref={(row) => `/contacts/${row.contactId}`}
        empty={<EmptyState title="None left" />}
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
    header: 'What is wrong',
    cell: (row) => <span className="[overflow-wrap:anywhere]">{row.error}</span>,
  },
];
