// An estimate of how long a campaign takes, given the warm-up of its domain.

import type { ReactNode } from 'react';
import { useQuery } from 'urql';

import { CampaignOutlookDocument } from '../../gen/pages/campaigns/campaign-edit.ts';
import { Card } from '../../ui/card.tsx';
import { formatNumber, formatPercent } from '../../ui/format-number.ts';
import { formatUtc } from '../../ui/plot-props.ts';
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
    <Card title="Estimated duration">
      {state === 'paused' ? (
        <p className="bg-warn-soft text-warn mb-3 rounded-md px-3 py-2">
          {domain.name} is paused. The campaign cannot be launched until it is resumed.
        </p>
      ) : null}
      <p>
        {domain.name}: tier {tier} of 10, {formatNumber(used)} of {formatNumber(cap)} messages used today
        {waiting > 0 ? `, ${formatNumber(waiting)} waiting` : ''}.
      </p>
      {recipients === null ? (
        <p className="mt-1">
          Recipients are counted at launch. Messages over the daily cap wait for the next day.
        </p>
      ) : outlook ? (
        <Estimate recipients={recipients} domain={domain} outlook={outlook} />
      ) : error ? (
        <p className="text-muted mt-1">The forecast could not be loaded.</p>
      ) : (
        <Skeleton className="mt-2 w-2/3" />
      )}
    </Card>
  );
}

function Estimate({
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
          ? `Sending takes more than ${days} days.`
          : days === 1
            ? `If launched now, all ${formatNumber(recipients)} messages are sent today.`
            : `If launched now, about ${formatNumber(today)} messages are sent today, and the last on ${formatUtc(lastDay, 'day')} (UTC), day ${days}.`}
      </p>
      <p className="text-muted mt-1 text-[13px]">
        Based on {formatNumber(recipients)} contacts and {formatPercent(domain.transactionalReserve / 100)} of
        each day’s cap reserved for transactional mail. Assumption: {outlook.assumption}.
      </p>
    </>
  );
}
