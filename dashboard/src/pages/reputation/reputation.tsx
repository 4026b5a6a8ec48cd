// Reputation: the trust score of each domain, its parts, and advice on how to raise it.

import { Gauge } from '../../gen/icons.ts';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';

import { ReputationsDocument, type DomainReputationFragment } from '../../gen/pages/reputation/reputation.ts';
import { KNOWN_FIRST, type FirstQuery } from '../../graphql/first-query.ts';
import { Address } from '../../ui/address.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { formatNumber, formatPercent } from '../../ui/format-number.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Plot } from '../../ui/plot.tsx';
import { Progress } from '../../ui/progress.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';

const GOOD = 80; // of 100
const FAIR = 50;

export function ReputationPage(): ReactNode {
  const [{ data, error }, again] = useQuery({ query: ReputationsDocument, variables: {} });
  return (
    <>
      <PageHeader
        title="Reputation"
        description="An estimate of how mailbox providers rate your domains, based on the results of your mail."
      />
      {data ? (
        data.reputation.length === 0 ? (
          <Card>
            <EmptyState icon={Gauge} title="No domains yet">
              <Link href="/domains" className="text-accent-strong hover:underline">
                Add the domain you send from.
              </Link>
            </EmptyState>
          </Card>
        ) : (
          <div className="space-y-6">
            {data.reputation.map((one) => (
              <DomainCard key={one.domainId} reputation={one} />
            ))}
          </div>
        )
      ) : error ? (
        <ErrorState error={error} onRetry={() => again({ requestPolicy: 'network-only' })} />
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

function DomainCard({ reputation }: { reputation: DomainReputationFragment }): ReactNode {
  const { domainId, domain, trustScore, hasEnoughMail, windowDays, metrics, warmup } = reputation;
  return (
    <Card
      title={
        <Link href={`/domains/${domainId}`} className="hover:underline">
          <Address>{domain}</Address>
        </Link>
      }
      description={`Last ${windowDays} days: ${formatNumber(metrics.sent)} sent. Tier ${warmup.tier} of 10.`}
      actions={<Score score={hasEnoughMail ? trustScore : null} />}
    >
      <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
        <Parts parts={reputation.parts} />
        <Trend reputation={reputation} />
      </div>
    </Card>
  );
}

function Score({ score }: { score: number | null }): ReactNode {
  if (score === null) return <Badge>not enough mail yet</Badge>;
  const tone = toneOf(score, 100);
  return (
    <span className="flex items-baseline gap-2">
      <Badge tone={tone}>{{ good: 'good', warn: 'fair', bad: 'poor' }[tone]}</Badge>
      <span className="text-2xl font-semibold tabular-nums">{score}</span>
      <span className="text-muted">of 100</span>
    </span>
  );
}

function Parts({ parts }: { parts: DomainReputationFragment['parts'] }): ReactNode {
  return (
    <ul className="space-y-4" aria-label="Parts of the score">
      {parts.map(({ part, points, maxPoints, advice }) => (
        <li key={part}>
          <Progress
            label={partName(part)}
            value={points}
            max={maxPoints}
            tone={toneOf(points, maxPoints)}
            text={`${Math.round(points * 10) / 10} of ${maxPoints}`}
          />
          {advice ? <p className="text-muted mt-1 text-[13px]">{advice}</p> : null}
        </li>
      ))}
    </ul>
  );
}

function Trend({
  reputation: { daily: all, metrics, domain },
}: {
  reputation: DomainReputationFragment;
}): ReactNode {
  const daily = all.slice(
    Math.max(
      0,
      all.findIndex((day) => day.metrics.sent > 0),
    ),
  ); // begins with its first mail
  const times = daily.map(({ date }) => date);
  const series = (pick: (one: (typeof daily)[number]['metrics']) => number | null) =>
    daily.map(({ metrics: day }) => (day.sent === 0 ? null : pick(day)));
  return (
    <div className="min-w-0 space-y-5">
      <div>
        <h3 className="mb-2 font-medium">Bounces and complaints by day</h3>
        <Plot
          label={`Bounces and complaints of ${domain} by day`}
          yLabel="% of messages"
          by="day"
          kind="lines"
          unit="percent"
          height={170}
          times={times}
          series={[
            { label: 'Bounced', values: series((day) => day.bounceRate), color: 4 },
            { label: 'Complained', values: series((day) => day.complaintRate), color: 6 },
          ]}
        />
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3">
        {[
          { term: 'Delivered', value: metrics.deliveryRate },
          { term: 'Bounced', value: metrics.bounceRate },
          { term: 'Complained', value: metrics.complaintRate },
          { term: 'Opened', value: metrics.openRate },
          { term: 'Clicked', value: metrics.clickRate },
        ].map(({ term, value }) => (
          <div key={term}>
            <dt className="text-muted text-[13px]">{term}</dt>
            <dd className="font-semibold tabular-nums">{formatPercent(metrics.sent === 0 ? null : value)}</dd>
          </div>
        ))}
      </dl>
      <p className="text-muted text-[13px]">
        Machine opens ({formatNumber(metrics.machineOpened)}) and clicks (
        {formatNumber(metrics.machineClicked)}) are not counted.
      </p>
    </div>
  );
}

function toneOf(points: number, most: number): Extract<Tone, 'good' | 'warn' | 'bad'> {
  const of100 = most === 0 ? 100 : (points / most) * 100;
  if (of100 >= GOOD) return 'good';
  return of100 >= FAIR ? 'warn' : 'bad';
}

// "age_and_tier" as "Age and tier".
function partName(part: string): string {
  const words = part.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What shell/prefetch.ts reads when somebody is about to come here. */
export const firstQuery: FirstQuery = (client) => client.query(ReputationsDocument, {}, KNOWN_FIRST);
