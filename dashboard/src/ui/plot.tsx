// Lines and bars over days or hours. The drawing code is fetched when a plot is first shown. A canvas says nothing to
// a screen reader, so every plot has a summary in words and the same figures as a table.

import { ChartLine, Table } from '../gen/icons.ts';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Link } from 'wouter';

import {
  endsNow,
  formatValue,
  plotTime,
  plotZone,
  seriesColor,
  SO_FAR,
  type DrawnPlot,
  type PlotProps,
} from './plot-props.ts';
import { cx } from './class-names.ts';
import { Skeleton } from './skeleton.tsx';

const COLORS = [1, 2, 3, 4, 5, 6] as const;

const Canvas = lazy(async () => ({ default: (await import('./plot-canvas.tsx')).PlotCanvas }));

/** A plot with a legend, values at the pointer, and a switch to a table. */
export function Plot(props: PlotProps): ReactNode {
  const [asTable, setAsTable] = useState(false);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const { label, by, height = 220, hrefOf } = props;
  const unfinished = endsNow(props);
  // With their colours and places, whichever are shown.
  const series = props.series.map((one, at) => ({
    ...one,
    color: one.color ?? COLORS[at % COLORS.length]!,
    at,
  }));
  const shown = series.filter((one) => !hidden.has(one.label));
  const drawn: DrawnPlot = {
    ...props,
    height,
    unfinished,
    series: shown,
    ...(hrefOf !== undefined && {
      hrefOf: (at: number, place: number) => hrefOf(at, shown[place]?.at ?? -1),
    }),
  };
  const toggle = (name: string) => {
    const next = new Set(hidden);
    if (!next.delete(name) && shown.length > 1) next.add(name);
    setHidden(next);
  };
  const Icon = asTable ? ChartLine : Table;
  return (
    <figure>
      <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-1">
        <ul className="flex flex-wrap gap-x-4 gap-y-1" aria-label={`Legend of ${label}`}>
          {series.map((one, at) => (
            <li key={one.label}>
              <button
                type="button"
                aria-pressed={!hidden.has(one.label)}
                disabled={series.length === 1}
                onClick={() => toggle(one.label)}
                className={cx(
                  'text-muted enabled:hover:text-ink flex items-center gap-1.5 rounded text-[13px]',
                  hidden.has(one.label) && 'line-through',
                )}
              >
                <span
                  aria-hidden="true"
                  className={cx('size-2.5 rounded-sm', hidden.has(one.label) && 'opacity-30')}
                  style={{ background: `var(${seriesColor(one, at)})` }}
                />
                {one.label}
              </button>
            </li>
          ))}
          {unfinished ? (
            <li className="text-muted flex items-center gap-1.5 text-[13px]">
              <span aria-hidden="true" className="bg-line-strong/40 size-2.5 rounded-sm" />
              {SO_FAR[by]}
            </li>
          ) : null}
        </ul>
        <button
          type="button"
          onClick={() => setAsTable(!asTable)}
          className="text-muted hover:text-ink ml-auto inline-flex items-center gap-1.5 rounded text-[13px]"
        >
          <Icon size={14} aria-hidden="true" />
          {asTable ? 'Show as chart' : 'Show as table'}
          <span className="sr-only">: {label}</span>
        </button>
      </div>
      {asTable ? (
        <Figures {...drawn} />
      ) : (
        <div role="img" aria-label={`${label}. ${props.summary ?? summaryOf(drawn)}`} style={{ height }}>
          <Suspense fallback={<Skeleton className="h-full w-full" />}>
            <Canvas {...drawn} />
          </Suspense>
        </div>
      )}
    </figure>
  );
}

function summaryOf({ times, by, series, unit, unfinished }: DrawnPlot): string {
  if (times.length === 0) return 'No data.';
  const parts = series.map((one) => {
    const known = one.values.filter((value) => value !== null);
    if (known.length === 0) return `${one.label}: no data`;
    const last = known.at(-1);
    return `${one.label}: highest ${formatValue(Math.max(...known), unit)}, last ${formatValue(last, unit)}`;
  });
  return `From ${plotTime(times[0]!, by)} to ${plotTime(times.at(-1)!, by)} (${plotZone(by)}). ${parts.join('; ')}.${unfinished ? ` The last one is ${SO_FAR[by].toLowerCase()}.` : ''}`;
}

function Figures({ label, times, by, series, unit, height, hrefOf, unfinished }: DrawnPlot): ReactNode {
  return (
    <div className="overflow-auto rounded-md border" style={{ maxHeight: height }} tabIndex={0}>
      <table className="w-full text-left text-[13px]">
        <caption className="sr-only">{label}</caption>
        <thead className="bg-subtle sticky top-0">
          <tr>
            <th scope="col" className="px-3 py-1.5 font-medium">
              {by === 'day' ? 'Day' : 'Hour'} ({plotZone(by)})
            </th>
            {series.map((one) => (
              <th key={one.label} scope="col" className="px-3 py-1.5 text-right font-medium">
                {one.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {times.map((time, at) => (
            <tr key={time}>
              <th scope="row" className="px-3 py-1 font-normal whitespace-nowrap">
                {plotTime(time, by)}
                {unfinished && at === times.length - 1 ? (
                  <span className="text-muted"> ({SO_FAR[by].toLowerCase()})</span>
                ) : null}
              </th>
              {series.map((one, place) => (
                <td key={one.label} className="px-3 py-1 text-right tabular-nums">
                  <Figure href={hrefOf?.(at, place) ?? null}>{formatValue(one.values[at], unit)}</Figure>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Figure({ href, children }: { href: string | null; children: string }): ReactNode {
  if (href === null) return children;
  return (
    <Link href={href} className="text-accent-strong hover:underline">
      {children}
    </Link>
  );
}
