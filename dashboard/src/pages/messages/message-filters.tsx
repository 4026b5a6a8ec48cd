// The filters of the messages list.

import type { ReactNode } from 'react';
import { useQuery } from 'urql';

import { MessageFilterChoicesDocument } from '../../gen/pages/messages/messages.ts';
import { DateFilter } from '../filters/date-filter.tsx';
import { FilterBar, SearchFilter, SelectFilter } from '../filters/filter-bar.tsx';
import type { useFilters } from '../filters/use-filters.ts';
import { MESSAGE_STATES } from './waiting-words.ts';

/** Their names in the URL. */
export const MESSAGE_FILTERS = ['to', 'q', 'status', 'domain', 'campaign', 'tag', 'since', 'until'] as const;

/** The row of filters. */
export function MessageFilters({
  filters,
}: {
  filters: ReturnType<typeof useFilters<(typeof MESSAGE_FILTERS)[number]>>;
}): ReactNode {
  const [{ data }] = useQuery({ query: MessageFilterChoicesDocument, variables: {} });
  const { values, set } = filters;
  const domains = data?.domains.edges.map(({ node }) => ({ value: node.name, label: node.name })) ?? [];
  const campaigns = data?.campaigns.edges.map(({ node }) => ({ value: node.id, label: node.name })) ?? [];
  return (
    <FilterBar label="Filter messages" onClear={filters.any ? filters.clear : undefined}>
      <SearchFilter label="Recipient address" value={values.to} onChange={(value) => set('to', value)} />
      <SearchFilter label="Words of the subject" value={values.q} onChange={(value) => set('q', value)} />
      <SearchFilter label="Tag, or tag=value" value={values.tag} onChange={(value) => set('tag', value)} />
      <SelectFilter
        label="Status"
        all="All statuses"
        value={values.status}
        onChange={(value) => set('status', value)}
        options={MESSAGE_STATES.map((state) => ({ value: state, label: state }))}
      />
      <SelectFilter
        label="Sending domain"
        all="All domains"
        value={values.domain}
        onChange={(value) => set('domain', value)}
        options={domains}
      />
      <SelectFilter
        label="Campaign"
        all="All campaigns"
        value={values.campaign}
        onChange={(value) => set('campaign', value)}
        options={campaigns}
      />
      <DateFilter label="Sent from" value={values.since} onChange={(value) => set('since', value)} />
      <DateFilter label="Sent until" end value={values.until} onChange={(value) => set('until', value)} />
    </FilterBar>
  );
}
