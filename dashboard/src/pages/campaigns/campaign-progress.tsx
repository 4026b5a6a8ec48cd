// The progress of a campaign: a bar of outcomes, and each number.

import type { ReactNode } from 'react';

import type { CampaignDetailFragment } from '../../gen/pages/campaigns/campaign.ts';
import { Card } from '../../ui/card.tsx';
import { formatNumber, formatPercent } from '../../ui/format-number.ts';

type Stats = CampaignDetailFragment['stats'];

const PARTS = [
  { name: 'delivered', label: 'Delivered', color: '--plot-2' },
  { name: 'bounced', label: 'Bounced', color: '--plot-4' },
  { name: 'queued', label: 'Queued', color: '--plot-5' },
  { name: 'deferred', label: 'Deferred', color: '--plot-3' },
  { name: 'dropped', label: 'Dropped (suppressed)', color: '--plot-6' },
  { name: 'expired', label: 'Expired', color: '--plot-4' },
  { name: 'cancelled', label: 'Cancelled', color: '--line-strong' },
  { name: 'failed', label: 'Failed', color: '--plot-4' },
] as const satisfies readonly { name: keyof Stats; label: string; color: string }[];

export function CampaignProgressCard({
  campaign: { stats },
}: {
  campaign: CampaignDetailFragment;
}): ReactNode {
  const { recipients, delivered } = stats;
  const parts = PARTS.filter(({ name }) => stats[name] > 0);
  const total = Math.max(
    recipients,
    PARTS.reduce((sum, { name }) => sum + stats[name], 0),
    1,
  );
  const summary = parts.map(({ name, label }) => `${label} ${formatNumber(stats[name])}`).join(', ');
  const answers = [
    { label: 'Opened', value: stats.opened },
    { label: 'Clicked', value: stats.clicked },
    { label: 'Unsubscribed', value: stats.unsubscribed },
    { label: 'Complained', value: stats.complained },
  ];
  return (
    <Card title="Progress" description={`${formatNumber(recipients)} recipients`}>
      <div
        role="img"
        aria-label={summary === '' ? 'Nothing sent yet' : summary}
        className="bg-subtle flex h-3 overflow-hidden rounded-full"
      >
        {parts.map(({ name, color }) => (
          <span
            key={name}
            className="h-full"
            style={{ width: `${(stats[name] / total) * 100}%`, background: `var(${color})` }}
          />
        ))}
      </div>
      <dl className="mt-4 grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
        {PARTS.filter(({ name }, at) => at < 5 || stats[name] > 0).map(({ name, label, color }) => (
          <div key={name}>
            <dt className="text-muted flex items-center gap-1.5 text-[13px]">
              <span
                aria-hidden="true"
                className="size-2.5 rounded-sm"
                style={{ background: `var(${color})` }}
              />
              {label}
            </dt>
            <dd className="font-semibold tabular-nums">
              {formatNumber(stats[name])}{' '}
              <span className="text-muted text-[13px] font-normal">{formatPercent(stats[name] / total)}</span>
            </dd>
          </div>
        ))}
      </dl>
      <dl className="mt-4 grid grid-cols-2 gap-x-6 gap-y-3 border-t pt-4 sm:grid-cols-4">
        {answers.map(({ label, value }) => (
          <div key={label}>
            <dt className="text-muted text-[13px]">{label}</dt>
            <dd className="font-semibold tabular-nums">
              {formatNumber(value)}{' '}
              <span className="text-muted text-[13px] font-normal">
                {delivered === 0 ? '' : `${formatPercent(value / delivered)} of delivered`}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
