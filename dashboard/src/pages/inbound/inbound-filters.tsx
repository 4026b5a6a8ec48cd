// The filters of the inbox.

import type { ReactNode } from 'react';
import { useQuery } from 'urql';

import { InboundMailboxChoicesDocument } from '../../gen/pages/inbound/inbound.ts';
import { FilterBar, SearchFilter, SelectFilter } from '../filters/filter-bar.tsx';
import type { useFilters } from '../filters/use-filters.ts';

/** Their names in the URL. */
export const INBOUND_FILTERS = ['q', 'mailbox', 'state', 'junk'] as const;

/** The row of filters. */
export function InboundFilters({
  filters,
}: {
  filters: ReturnType<typeof useFilters<(typeof INBOUND_FILTERS)[number]>>;
}): ReactNode {
  const [{ data }] = useQuery({ query: InboundMailboxChoicesDocument, variables: {} });
  const { values, set } = filters;
  const mailboxes = data?.mailboxes.edges.map(({ node }) => ({
    value: node.id,
    label: node.name === null ? node.address : `${node.name} (${node.address})`,
  }));
  return (
    <FilterBar label="Filter inbound mail" onClear={filters.any ? filters.clear : undefined}>
      <SearchFilter label="Search mail" value={values.q} onChange={(q) => set('q', q)} />
      <SelectFilter
        label="Mailbox"
        all="All mailboxes"
        value={values.mailbox}
        onChange={(value) => set('mailbox', value)}
        options={mailboxes ?? []}
      />
      <SelectFilter
        label="Read status"
        all="Unread, read"
        value={values.state}
        onChange={(value) => set('state', value)}
        options={[
          { value: 'unread', label: 'Unread' },
          { value: 'read', label: 'Read' },
        ]}
      />
      <SelectFilter
        label="Junk"
        all="With junk"
        value={values.junk}
        onChange={(value) => set('junk', value)}
        options={[
          { value: 'without', label: 'Without junk' },
          { value: 'only', label: 'Junk only' },
        ]}
      />
    </FilterBar>
  );
}
