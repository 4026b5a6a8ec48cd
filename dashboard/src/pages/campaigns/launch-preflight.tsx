// What stands against a launch, and how long sending takes under the cap.

import type { ReactNode } from 'react';
import { useQuery } from 'urql';

import { CampaignPreflightDocument } from '../../gen/pages/campaigns/campaign-edit.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { formatUtc } from '../../ui/plot-props.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { CheckList } from '../preflight/check-list.tsx';

interface Plan {
  assumption: string;
  days: readonly { date: string; sends: number }[];
  left: number;
}

/** The checks of a saved campaign, run anew each time that the review is shown. */
export function LaunchPreflight({ id }: { id: string }): ReactNode {
  const [{ data, error }, execute] = useQuery({
    query: CampaignPreflightDocument,
    variables: { id },
    requestPolicy: 'network-only',
  });
  const found = data?.campaign?.preflight;
  return (
    <Card title="Before you launch" description="Sender rules, recipients and days, as they are now.">
      {error ? (
        <ErrorState error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />
      ) : found ? (
        <div className="space-y-4" role="status">
          {found.ok ? null : (
            <p className="bg-warn-soft text-warn rounded-md px-3 py-2">
              You can launch all the same, but what fails below harms delivery.
            </p>
          )}
          <div>
            <p className="font-medium">{durationOf(found.audience.sendable, found.plan)}</p>
            <p className="text-muted mt-1 text-[13px]">Assumption: {found.plan.assumption}.</p>
          </div>
          <CheckList checks={found.checks} />
        </div>
      ) : (
        <Skeleton className="w-2/3" />
      )}
    </Card>
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
