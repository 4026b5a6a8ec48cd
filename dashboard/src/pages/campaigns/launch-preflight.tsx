// What stands against a launch, and how long sending takes under the cap.

import type { ReactNode } from 'react';
import { useQuery, type CombinedError } from 'urql';

import {
  CampaignPreflightDocument,
  type CampaignPreflightQuery,
} from '../../gen/pages/campaigns/campaign-edit.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { formatUtc } from '../../ui/plot-props.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { CheckList } from '../preflight/check-list.tsx';
import { AudienceList } from './audience-counts.tsx';

interface Plan {
  assumption: string;
  days: readonly { date: string; tier: number; bulkCap: number; sends: number }[];
  left: number;
}

/** The checks of a campaign, with its audience and plan, or why there are none. */
export interface LaunchChecks {
  found: NonNullable<CampaignPreflightQuery['campaign']>['preflight'] | undefined;
  error: CombinedError | undefined;
  again: () => void;
}

/** Checks a saved campaign each time that the review is shown. */
export function useLaunchChecks(id: string): LaunchChecks {
  const [{ data, error }, execute] = useQuery({
    query: CampaignPreflightDocument,
    variables: { id },
    requestPolicy: 'network-only',
  });
  const again = () => execute({ requestPolicy: 'network-only' });
  return { found: data?.campaign?.preflight, error, again };
}

/** How many get the campaign, how many of them today, and the last day. */
export function launchSentence({ audience, plan }: NonNullable<LaunchChecks['found']>): string {
  return durationOf(audience.sendable, plan);
}

/** Shows the checks. */
export function LaunchPreflight({ checks: { found, error, again } }: { checks: LaunchChecks }): ReactNode {
  return (
    <Card title="Before you launch" description="Sender rules, recipients and days, as they are now.">
      {error ? (
        <ErrorState error={error} onRetry={again} />
      ) : found ? (
        <div className="space-y-4" role="status">
          {found.ok ? null : (
            <p className="bg-warn-soft text-warn rounded-md px-3 py-2">
              You can launch all the same, but what fails below harms delivery.
            </p>
          )}
          <div>
            <p className="font-medium">{launchSentence(found)}</p>
            <p className="text-muted mt-1 text-[13px]">Assumption: {found.plan.assumption}.</p>
            {found.plan.days.length > 1 ? <DayByDay days={found.plan.days} /> : null}
          </div>
          <div className="border-t pt-4">
            <AudienceList counts={found.audience} />
          </div>
          <h3 className="border-t pt-4 font-medium">Checks</h3>
          <CheckList checks={found.checks} />
        </div>
      ) : (
        <Skeleton className="w-2/3" />
      )}
    </Card>
  );
}

const SHOWN_DAYS = 10;

// How much leaves on which day, under the cap of that day.
function DayByDay({ days }: { days: Plan['days'] }): ReactNode {
  const most = Math.max(1, ...days.map(({ bulkCap }) => bulkCap));
  const more = days.length - SHOWN_DAYS;
  return (
    <table className="mt-3 w-full text-[13px]" aria-label="Plan by day">
      <thead className="text-muted">
        <tr>
          <th scope="col" className="py-1 pr-4 text-left font-medium">
            Day (UTC)
          </th>
          <th scope="col" className="w-1/2 py-1 text-left font-medium max-sm:w-1/3">
            <span className="sr-only">Share of the cap</span>
          </th>
          <th scope="col" className="py-1 pl-4 text-right font-medium">
            Messages
          </th>
          <th scope="col" className="py-1 pl-4 text-right font-medium">
            Cap
          </th>
        </tr>
      </thead>
      <tbody>
        {days.slice(0, SHOWN_DAYS).map(({ date, bulkCap, sends }) => (
          <tr key={date}>
            <th scope="row" className="py-1 pr-4 text-left font-normal whitespace-nowrap">
              {formatUtc(date, 'day')}
            </th>
            <td className="py-1">
              <span
                className="bg-subtle block h-2 rounded-full"
                style={{ width: `${(bulkCap / most) * 100}%` }}
              >
                <span
                  className="bg-accent block h-2 rounded-full"
                  style={{ width: `${bulkCap === 0 ? 0 : (sends / bulkCap) * 100}%` }}
                />
              </span>
            </td>
            <td className="py-1 pl-4 text-right tabular-nums">{formatNumber(sends)}</td>
            <td className="text-muted py-1 pl-4 text-right tabular-nums">{formatNumber(bulkCap)}</td>
          </tr>
        ))}
      </tbody>
      {more > 0 ? (
        <tfoot className="text-muted">
          <tr>
            <td colSpan={2} className="py-1">
              {formatNumber(more)} more {more === 1 ? 'day' : 'days'}
            </td>
            <td className="py-1 pl-4 text-right tabular-nums">
              {formatNumber(days.slice(SHOWN_DAYS).reduce((sum, { sends }) => sum + sends, 0))}
            </td>
            <td />
          </tr>
        </tfoot>
      ) : null}
    </table>
  );
}

function durationOf(recipients: number, { days, left }: Plan): string {
  const last = days.at(-1);
  if (recipients === 0) return 'Nobody would get this campaign.';
  if (last === undefined) return 'Nothing can be sent as things stand.';
  if (left > 0) return `Sending takes more than ${formatNumber(days.length)} days.`;
  const all = formatNumber(recipients);
  if (days.length === 1) return `If launched now, all ${all} messages are sent today.`;
  const today = formatNumber(days[0]?.sends ?? 0);
  return `If launched now, ${today} of ${all} messages are sent today, and the last on ${formatUtc(last.date, 'day')} (UTC), day ${formatNumber(days.length)}.`;
}
