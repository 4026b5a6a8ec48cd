// The warm-up of each domain: tier and usage today, with its history and forecast on request.

import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';

import {
  OverviewWarmupChangedDocument,
  type OverviewDomainFragment,
} from '../../gen/pages/overview/overview.ts';
import { useLive } from '../../graphql/use-live.ts';
import { Address } from '../../ui/address.tsx';
import { StatusBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LiveDot } from '../../ui/live-dot.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { Progress } from '../../ui/progress.tsx';
import { BrakeBadge } from '../domains/brake-badge.tsx';
import { WarmupHistory } from './warmup-history.tsx';

const OPEN_AT_FIRST = 2; // domains whose charts are loaded with the page

/** One card per verified domain. `onChanged` is called when a warm-up changed. */
export function WarmupCards({
  domains,
  onChanged,
}: {
  domains: readonly OverviewDomainFragment[];
  onChanged: () => void;
}): ReactNode {
  const [changed, setChanged] = useState<ReadonlyMap<string, OverviewDomainFragment>>(new Map());
  const { live } = useLive(OverviewWarmupChangedDocument, {}, ({ warmupChanged: { domain } }) => {
    setChanged((old) => new Map(old).set(domain.id, domain));
    onChanged();
  });
  const verified = domains.filter(({ status }) => status === 'verified');
  if (verified.length === 0) return null;
  return (
    <section aria-label="Warm-up" className="space-y-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-base font-semibold">Warm-up</h2>
        <LiveDot live={live} />
      </div>
      {verified.map((domain, at) => (
        <WarmupCard
          key={domain.id}
          domain={changed.get(domain.id) ?? domain}
          openAtFirst={at < OPEN_AT_FIRST}
        />
      ))}
    </section>
  );
}

function WarmupCard({
  domain,
  openAtFirst,
}: {
  domain: OverviewDomainFragment;
  openAtFirst: boolean;
}): ReactNode {
  const [open, setOpen] = useState(openAtFirst);
  const { tier, cap, used, state, waiting, pausedReason } = domain.warmup;
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-2">
          <Link href={`/domains/${domain.id}`} className="hover:underline">
            <Address>{domain.name}</Address>
          </Link>
          <StatusBadge status={state} />
          <BrakeBadge domain={domain} />
        </span>
      }
      description={`Tier ${tier} of 10: ${formatNumber(cap)} messages a day`}
      actions={
        <Button size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide history' : 'Show history'}
        </Button>
      }
    >
      {state === 'paused' ? (
        <p className="bg-warn-soft text-warn mb-4 rounded-md px-3 py-2">
          Sending is paused{pausedReason === null ? '' : `: ${pausedReason}`}. Open the domain for the next
          step.
        </p>
      ) : null}
      {domain.brake.state === 'off' ? null : (
        <p className="bg-bad-soft text-bad mb-4 rounded-md px-3 py-2 [overflow-wrap:anywhere]">
          {domain.brake.reason}{' '}
          <Link href={`/domains/${domain.id}`} className="font-medium underline">
            Open the domain
          </Link>
        </p>
      )}
      <Progress
        label="Used today"
        value={used}
        max={cap}
        tone={used >= cap ? 'warn' : 'accent'}
        text={`${formatNumber(used)} of ${formatNumber(cap)}${waiting > 0 ? `, ${formatNumber(waiting)} waiting` : ''}`}
      />
      {open ? <WarmupHistory id={domain.id} /> : null}
    </Card>
  );
}
