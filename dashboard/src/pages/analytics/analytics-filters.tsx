// The filters of analytics: the range of days, whose mail, and what it is told apart by. All of it is in the URL.

import type { ReactNode } from 'react';
import { useQuery } from 'urql';

import { AnalyticsChoicesDocument } from '../../gen/pages/analytics/analytics.ts';
import { Select, TextInput } from '../../ui/text-input.tsx';
import { FilterBar, SelectFilter } from '../filters/filter-bar.tsx';
import { oneOf, type useFilters } from '../filters/use-filters.ts';
import { providerName } from '../providers/provider-names.ts';

/** Their names in the URL. */
export const ANALYTICS_FILTERS = [
  'range',
  'from',
  'to',
  'domain',
  'tag',
  'campaign',
  'provider',
  'by',
] as const;

/** What the filters are. */
export type AnalyticsFilterState = ReturnType<typeof useFilters<(typeof ANALYTICS_FILTERS)[number]>>;

const RANGES = [
  { value: '1', label: 'Today' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: 'custom', label: 'Custom range' },
] as const;

/** What mail is told apart by. */
export const GROUPS = [
  { value: 'domain', label: 'By domain' },
  { value: 'tag', label: 'By tag' },
  { value: 'campaign', label: 'By campaign' },
  { value: 'provider', label: 'By mailbox provider' },
] as const;

/** A day as the URL has it; undefined for anything else. */
export function dayOf(text: string): string | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** The range that is chosen; 30 days when nothing is. */
export function rangeOf({ range }: AnalyticsFilterState['values']): (typeof RANGES)[number]['value'] {
  return (
    oneOf(
      range,
      RANGES.map(({ value }) => value),
    ) ?? '30'
  );
}

/** The row of filters. */
export function AnalyticsFilters({ filters }: { filters: AnalyticsFilterState }): ReactNode {
  const [{ data }] = useQuery({ query: AnalyticsChoicesDocument, variables: {} });
  const { values, set } = filters;
  const range = rangeOf(values);
  const domains = data?.domains.edges.map(({ node }) => ({ value: node.name, label: node.name })) ?? [];
  const campaigns = data?.campaigns.edges.map(({ node }) => ({ value: node.id, label: node.name })) ?? [];
  const tags = data?.tags.groups?.map(({ value }) => ({ value, label: value })) ?? [];
  const providers = data?.providers.groups?.map(({ value }) => ({ value, label: providerName(value) })) ?? [];
  // One of the three at a time: the api counts by each, not by all together.
  const narrow = (name: 'tag' | 'campaign' | 'provider', value: string) => {
    for (const other of ['tag', 'campaign', 'provider'] as const) if (other !== name) set(other, '');
    set(name, value);
  };
  return (
    <FilterBar label="Filter analytics" onClear={filters.any ? filters.clear : undefined}>
      <div className="min-w-0 max-sm:flex-[1_1_45%]">
        <Select
          aria-label="Days"
          value={range}
          onChange={(event) => set('range', event.target.value)}
          options={RANGES}
          className="sm:max-w-44"
        />
      </div>
      {range === 'custom' ? (
        <>
          <Day label="First day (UTC)" value={values.from} onChange={(value) => set('from', value)} />
          <Day label="Last day (UTC)" value={values.to} onChange={(value) => set('to', value)} />
        </>
      ) : null}
      <SelectFilter
        label="Sending domain"
        all="All domains"
        value={values.domain}
        onChange={(value) => set('domain', value)}
        options={domains}
      />
      <SelectFilter
        label="Tag"
        all="All tags"
        value={values.tag}
        onChange={(value) => narrow('tag', value)}
        options={withChosen(tags, values.tag)}
      />
      <SelectFilter
        label="Campaign"
        all="All campaigns"
        value={values.campaign}
        onChange={(value) => narrow('campaign', value)}
        options={withChosen(campaigns, values.campaign)}
      />
      <SelectFilter
        label="Mailbox provider"
        all="All providers"
        value={values.provider}
        onChange={(value) => narrow('provider', value)}
        options={withChosen(providers, values.provider)}
      />
    </FilterBar>
  );
}

// What the URL names is shown as chosen, also when it is not among the newest.
function withChosen(options: { value: string; label: string }[], value: string) {
  return value === '' || options.some((one) => one.value === value)
    ? options
    : [...options, { value, label: value }];
}

function Day({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}): ReactNode {
  return (
    <div className="min-w-0 max-sm:flex-[1_1_45%]">
      <TextInput
        type="date"
        aria-label={label}
        title={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="sm:max-w-40"
      />
    </div>
  );
}
