// The warm-up of a domain: status, history, and the forecast for a daily volume.

import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';

import {
  DomainForecastDocument,
  DomainTodayDocument,
  type DomainDetailFragment,
  type DomainTodayQuery,
} from '../../gen/pages/domains/domain.ts';
import { errorText } from '../../graphql/error-text.ts';
import { StatusBadge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { LiveDot } from '../../ui/live-dot.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { formatUtc } from '../../ui/plot-props.ts';
import { Progress } from '../../ui/progress.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useDebounced } from '../filters/use-debounced.ts';
import { utcHour } from '../../ui/zone.ts';
import { WarmupHistory } from '../overview/warmup-history.tsx';

const MOST_PER_DAY = 2_147_483_647; // an Int of GraphQL

export function WarmupCard({ domain, live }: { domain: DomainDetailFragment; live: boolean }): ReactNode {
  const { tier, cap, used, state, waiting, pausedReason } = domain.warmup;
  const [{ data, error }] = useQuery({ query: DomainTodayDocument, variables: { id: domain.id } });
  const deferred = data?.domain?.warmupDays.at(-1)?.deferred;
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-2">
          Warm-up <StatusBadge status={state} />
        </span>
      }
      description={`Tier ${tier} of 10: ${formatNumber(cap)} messages per UTC day. Re-evaluated daily at ${utcHour(2)}.`}
      actions={<LiveDot live={live} />}
    >
      {state === 'paused' ? (
        <p role="alert" className="bg-warn-soft text-warn mb-4 rounded-md px-3 py-2 [overflow-wrap:anywhere]">
          Sending is paused{pausedReason === null ? '' : `: ${pausedReason}`}. New messages are rejected;
          waiting messages stay. Find out why mail bounces, remove bad addresses from your lists, then ask
          your administrator to resume.
        </p>
      ) : null}
      {state === 'held' ? (
        <p className="bg-note-soft text-note mb-4 rounded-md px-3 py-2 [overflow-wrap:anywhere]">
          The tier was held manually{heldBecause(data)}. It does not change until your administrator releases
          it.
        </p>
      ) : null}
      <Progress
        label="Used today"
        value={used}
        max={cap}
        tone={used >= cap ? 'warn' : 'accent'}
        text={`${formatNumber(used)} of ${formatNumber(cap)}`}
      />
      <p className="text-muted mt-2 text-[13px]">
        {deferred !== undefined
          ? `${formatNumber(deferred)} deferred today (cap reached)`
          : error
            ? 'Today’s deferred messages could not be loaded.'
            : 'Loading today’s deferred messages…'}
      </p>
      {waiting > 0 ? (
        <p className="mt-1">
          {formatNumber(waiting)} {waiting === 1 ? 'message waits' : 'messages wait'}{' '}
          {state === 'paused'
            ? 'until the domain is resumed.'
            : `for the next UTC day. They are sent from ${utcHour(0)}, first come, first served.`}
        </p>
      ) : null}
      <WarmupHistory id={domain.id} />
      <Forecast id={domain.id} cap={cap} />
    </Card>
  );
}

// The last manual hold; a "hold" of the automatic ramp is only a day without a change.
function heldBecause(data: DomainTodayQuery | undefined): string {
  const edges = data?.domain?.warmupHistory.edges ?? [];
  const held = edges.find(({ node }) => node.action === 'hold' && node.actor !== 'auto-ramp')?.node;
  return held === undefined ? '' : ` since ${formatUtc(held.at, 'day')}: ${held.reason}`;
}

function Forecast({ id, cap }: { id: string; cap: number }): ReactNode {
  const [text, setText] = useState(String(Math.min(cap * 4, 100_000)));
  const settled = useDebounced(text, 400);
  const perDay = Number(settled);
  const valid = Number.isInteger(perDay) && perDay > 0 && perDay <= MOST_PER_DAY;
  const [{ data, error }] = useQuery({
    query: DomainForecastDocument,
    variables: { id, perDay },
    pause: !valid,
  });
  const forecast = data?.domain?.forecast;
  return (
    <div className="mt-6 grid items-start gap-x-6 gap-y-3 border-t pt-5 sm:grid-cols-[20rem_1fr]">
      <Field
        label="When can I send N messages a day?"
        {...(!valid && { error: 'Enter a whole number greater than 0.' })}
      >
        <TextInput
          type="number"
          inputMode="numeric"
          min={1}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <div aria-live="polite" className="sm:pt-7">
        {error ? <p className="text-bad">{errorText(error)}</p> : null}
        {valid && forecast ? (
          <>
            <p className="font-medium">
              {forecast.possibleOn === null
                ? `${formatNumber(perDay)} a day is not possible: it is above the highest tier, or the warm-up does not get there.`
                : `You can send ${formatNumber(perDay)} a day from ${formatUtc(forecast.possibleOn, 'day')}.`}
            </p>
            <p className="text-muted mt-1 text-[13px]">Assumption: {forecast.assumption}.</p>
          </>
        ) : null}
      </div>
    </div>
  );
}
