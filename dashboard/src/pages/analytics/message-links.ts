// From a number of analytics to the messages that it counts.

import type { AnalyticsFilterState } from './analytics-filters.tsx';

const DAY_MS = 86_400_000;

/** The statuses that the list of messages filters by. */
export type LinkedStatus = 'delivered' | 'bounced' | 'deferred' | null;

/** The list of the messages that were accepted on these UTC days; null where the list has no such filter. */
export function messagesHref(
  { domain, tag, campaign, provider }: AnalyticsFilterState['values'],
  { from, to }: { from: string; to: string },
  status: LinkedStatus,
): string | null {
  if (provider !== '') return null; // a message does not say its provider
  const query = new URLSearchParams({
    ...(status !== null && { status }),
    ...(domain && { domain }),
    ...(tag && { tag }),
    ...(campaign && { campaign }),
    since: `${from}T00:00:00Z`,
    until: new Date(Date.parse(to) + DAY_MS).toISOString().replace('.000', ''),
  });
  return `/messages?${query}`;
}
