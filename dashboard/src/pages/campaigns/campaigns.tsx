// The list of campaigns.

import { Megaphone, Plus } from '../../gen/icons.ts';
import type { ReactNode } from 'react';

import { CampaignsDocument, type CampaignsQuery } from '../../gen/pages/campaigns/campaigns.ts';
import type { FirstQuery } from '../../graphql/first-query.ts';
import { readFirstPage, useConnection } from '../../graphql/use-connection.ts';
import { StatusBadge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NumberText } from '../../ui/number-text.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import { FilterBar, SelectFilter } from '../filters/filter-bar.tsx';
import { oneOf, useFilters } from '../filters/use-filters.ts';

type Row = CampaignsQuery['campaigns']['edges'][number]['node'];

const STATUSES = ['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled'] as const;

export function CampaignsPage(): ReactNode {
  const filters = useFilters(['status']);
  const status = oneOf(filters.values.status, STATUSES);
  const campaigns = useConnection({
    query: CampaignsDocument,
    variables: status ? { status } : {},
    pick: (data) => data.campaigns,
    typename: 'Campaign',
  });
  const create = (
    <ButtonLink href="/campaigns/new" variant="primary" icon={Plus}>
      New campaign
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title="Campaigns"
        description="Send one message to many contacts, as fast as the warm-up of the sending domain allows."
        actions={create}
      />
      <Card flush>
        <FilterBar label="Filter campaigns" onClear={filters.any ? filters.clear : undefined}>
          <SelectFilter
            label="Status"
            all="All statuses"
            value={status ?? ''}
            onChange={(value) => filters.set('status', value)}
            options={STATUSES.map((state) => ({ value: state, label: state }))}
          />
        </FilterBar>
        <DataTable
          label="Campaigns"
          columns={COLUMNS}
          connection={campaigns}
          rowKey={(campaign) => campaign.id}
          rowHref={(campaign) => `/campaigns/${campaign.id}`}
          empty={
            filters.any ? (
              <EmptyState icon={Megaphone} title={`No campaigns with status ${filters.values.status}`} />
            ) : (
              <EmptyState icon={Megaphone} title="No campaigns yet" action={create}>
                Choose an audience, write the content, and see how long sending will take.
              </EmptyState>
            )
          }
        />
      </Card>
    </>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'name', header: 'Name', className: 'sm:max-w-72', cell: (campaign) => campaign.name },
  { id: 'status', header: 'Status', cell: (campaign) => <StatusBadge status={campaign.status} /> },
  {
    id: 'recipients',
    header: 'Recipients',
    align: 'right',
    cell: (campaign) => <NumberText value={campaign.stats.recipients} />,
  },
  {
    id: 'delivered',
    header: 'Delivered',
    align: 'right',
    cell: (campaign) => <NumberText value={campaign.stats.delivered} />,
  },
  {
    id: 'when',
    header: 'Launched',
    align: 'right',
    cell: (campaign) => <Time value={campaign.launchedAt ?? campaign.scheduledAt} fallback="not launched" />,
  },
];

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => readFirstPage(client, CampaignsDocument);
