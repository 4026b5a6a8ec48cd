// The totals of the range, each beside what it was in the days before, and a link to its messages.

import type { ReactNode } from 'react';
import { Link } from 'wouter';

import type { AnalyticsQuery, AnalyticsTotalsFragment } from '../../gen/pages/analytics/analytics.ts';
import { Stat } from '../../ui/card.tsx';
import { formatNumber, formatPercent } from '../../ui/format-number.ts';
import { formatUtc } from '../../ui/plot-props.ts';
import type { AnalyticsFilterState } from './analytics-filters.tsx';
import { messagesHref, type LinkedStatus } from './message-links.ts';

type Analytics = AnalyticsQuery['analytics'];

interface Total {
  label: string;
  value: (counts: AnalyticsTotalsFragment) => number;
  /** A part of another count, in words. */
  share?: (counts: AnalyticsTotalsFragment) => string;
  /** Left out where the list of messages has no filter for it. */
  status?: LinkedStatus;
}

const of = (part: number, whole: number) => formatPercent(whole === 0 ? null : part / whole);

const TOTALS: readonly Total[] = [
  { label: 'Accepted', value: ({ accepted }) => accepted, status: null },
  {
    label: 'Delivered',
    value: ({ delivered }) => delivered,
    share: ({ delivered, accepted }) => `${of(delivered, accepted)} of accepted`,
    status: 'delivered',
  },
  { label: 'Waiting now', value: ({ waiting }) => waiting, status: 'deferred' },
  {
    label: 'Bounced',
    value: ({ bounced }) => bounced,
    share: ({ bounceRate }) => formatPercent(bounceRate),
    status: 'bounced',
  },
  {
    label: 'Complaints',
    value: ({ complained }) => complained,
    share: ({ complaintRate }) => `${formatPercent(complaintRate)} of delivered`,
  },
  {
    label: 'Opened',
    value: ({ opened }) => opened,
    share: ({ opened, delivered }) => `${of(opened, delivered)} of delivered`,
  },
  {
    label: 'Clicked',
    value: ({ clicked }) => clicked,
    share: ({ clicked, delivered }) => `${of(clicked, delivered)} of delivered`,
  },
];

/** The row. */
export function TotalsRow({
  period,
  previous,
  values,
}: Pick<Analytics, 'period' | 'previous'> & {
  values: AnalyticsFilterState['values'];
}): ReactNode {
  const before = spanText(previous);
  return (
    <section aria-label={`Totals, compared with ${before}`}>
      <p className="text-muted mb-2 text-[13px]">
        {spanText(period)}, compared with {before} (UTC days)
      </p>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4 xl:grid-cols-7">
        {TOTALS.map(({ label, value, share, status }) => {
          const now = value(period.totals);
          const href = status === undefined || now === 0 ? null : messagesHref(values, period, status);
          return (
            <Stat
              key={label}
              label={label}
              value={
                href === null ? (
                  formatNumber(now)
                ) : (
                  <Link href={href} className="hover:underline">
                    {formatNumber(now)}
                    <span className="sr-only">: view these messages</span>
                  </Link>
                )
              }
              hint={
                <>
                  {share === undefined ? null : <span className="block">{share(period.totals)}</span>}
                  <span className="block">{change(now, value(previous.totals))}</span>
                </>
              }
            />
          );
        })}
      </div>
    </section>
  );
}

// "Nov 17 – Nov 23", or one day.
function spanText({ from, to }: { from: string; to: string }): string {
  const [first, last] = [formatUtc(from, 'day'), formatUtc(to, 'day')];
  return first === last ? first : `${first} – ${last}`;
}

function change(now: number, then: number): string {
  if (then === now) return 'no change';
  if (then === 0) return 'none before';
  const [sign, part] = now > then ? ['+', (now - then) / then] : ['−', (then - now) / then];
  return `${sign}${formatPercent(part)}, was ${formatNumber(then)}`;
}
