// How long a launch takes by the warm-up of its domain.

import type { ReactNode } from 'react';
import { useQuery } from 'urql';

import { CampaignOutlookDocument } from '../../gen/pages/campaigns/campaign-edit.ts';
import { Card } from '../../ui/card.tsx';
import { formatNumber } from '../../ui/number-text.tsx';
import { formatSlot } from '../../ui/plot-props.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Choices } from './campaign-draft.ts';
import { estimateLaunch } from './estimate.ts';

/** `recipients` is null when their number is known only at launch. */
export function LaunchEstimate({
  domain,
  recipients,
}: {
  domain: Choices['domains'][number];
  recipients: number | null;
}): ReactNode {
  const [{ data, error }] = useQuery({ query: CampaignOutlookDocument, variables: { id: domain.id } });
  const { tier, cap, used, state, waiting } = domain.warmup;
  const outlook = data?.domain?.outlook;
  return (
    <Card title="How long it takes">
      {state === 'paused' ? (
        <p className="bg-warn-soft text-warn mb-3 rounded-md px-3 py-2">
          {domain.name} is paused: a launch is refused until it is resumed.
        </p>
      ) : null}
      <p>
        {domain.name} is at tier {tier} of 10. Today {formatNumber(used)} of {formatNumber(cap)} messages are
        used
        {waiting > 0 ? `, and ${formatNumber(waiting)} wait already` : ''}.
      </p>
      {recipients === null ? (
        <p className="mt-1">
          The number of recipients is counted at launch. What is over the cap of a day waits for the next.
        </p>
      ) : outlook ? (
        <Words recipients={recipients} domain={domain} outlook={outlook} />
      ) : error ? (
        <p className="text-muted mt-1">The outlook could not be read.</p>
      ) : (
        <Skeleton className="mt-2 w-2/3" />
      )}
    </Card>
  );
}

function Words({
  recipients,
  domain,
  outlook,
}: {
  recipients: number;
  domain: Choices['domains'][number];
  outlook: { assumption: string; days: readonly { date: string; cap: number }[] };
}): ReactNode {
  const { today, days, lastDay } = estimateLaunch(recipients, domain, outlook.days);
  return (
    <>
      <p className="mt-1 font-medium">
        {lastDay === null
          ? `It takes more than ${days} days.`
          : days === 1
            ? `Launched now, all ${formatNumber(recipients)} go out today.`
            : `Launched now, about ${formatNumber(today)} go out today and the last on ${formatSlot(lastDay, 'day')} (UTC), day ${days}.`}
      </p>
      <p className="text-muted mt-1 text-[13px]">
        Counted for {formatNumber(recipients)} contacts; {domain.transactionalReserve}% of each day is kept
        for transactional mail. Assumption: {outlook.assumption}.
      </p>
    </>
  );
}
