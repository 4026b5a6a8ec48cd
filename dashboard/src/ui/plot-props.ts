// What a plot shows, and how its figures read.

import { nowMs } from '../clock.ts';
import { formatNumber, formatPercent } from './format-number.ts';
import { formatTime, timeZone } from './zone.ts';

/** One line or row of bars; `null` is a gap. `color` 1 to 6 of the palette, by default its position. */
export interface Series {
  label: string;
  values: readonly (number | null)[];
  color?: 1 | 2 | 3 | 4 | 5 | 6;
  /** Dashed, for what is only expected: a cap, a forecast. */
  dashed?: boolean;
}

/** What a plot shows. */
export interface PlotProps {
  /** What it shows, in a few words: "Deliveries by day". */
  label: string;
  /** One or two sentences with what stands out, for those who cannot see it. Made from the figures when left out. */
  summary?: string;
  /** RFC 3339 times or dates YYYY-MM-DD (UTC), oldest first. */
  times: readonly string[];
  by: 'day' | 'hour';
  kind: 'lines' | 'bars';
  /** Bars one on top of the other. */
  stacked?: boolean;
  /** Fractions shown as percent. */
  unit?: 'number' | 'percent';
  series: readonly Series[];
  height?: number;
  /** What the values are, beside their axis: "messages", "% of delivered". */
  yLabel: string;
  /** Limits, drawn as dashed lines with their words; the scale goes up to them. */
  lines?: readonly { value: number; label: string }[];
  /** What happened at one of the times: a dashed line with a dot, in words at the pointer. */
  marks?: readonly { at: number; label: string }[];
  /** Where a click on a value leads: indexes of the time and the series. Null where there is nothing to see. */
  hrefOf?: (at: number, series: number) => string | null;
}

/** What the drawing gets. */
export interface DrawnPlot extends PlotProps {
  height: number;
  /** The last time is not over: it is paler, and the words say so. */
  unfinished: boolean;
}

/** Whether the last time is the day or hour that it is now. A forecast goes on beyond it. */
export function endsNow({ times, by }: Pick<PlotProps, 'times' | 'by'>): boolean {
  const ago = nowMs() - new Date(times.at(-1) ?? '').getTime();
  return ago >= 0 && ago < STEP_S[by] * 1000;
}

/** The typeface of canvases, which know nothing of the page's. */
export const PLOT_FONT = "'Inter Variable', system-ui, sans-serif";

/** What a time that is not over is called. */
export const SO_FAR: Readonly<Record<PlotProps['by'], string>> = {
  day: 'Today, so far',
  hour: 'This hour, so far',
};

/** Seconds from one time to the next. */
export const STEP_S = { day: 86_400, hour: 3_600 } as const;

/** The CSS variable of a series' colour. */
export function seriesColor(series: Series, at: number): string {
  return `--plot-${series.color ?? (at % 6) + 1}`;
}

/** A value as the plot's unit says. */
export function formatValue(value: number | null | undefined, unit: PlotProps['unit']): string {
  if (value === null || value === undefined) return '–';
  return unit === 'percent' ? formatPercent(value) : formatNumber(value);
}

/** "Nov 21": a UTC day, as caps and counts go by. */
export function formatUtc(time: string, _by?: 'day'): string {
  return dayFormat.format(new Date(time));
}

/** A time of a plot: a UTC day, or an hour in the zone that the person chose, "Nov 21, 14:00". */
export function plotTime(time: string, by: PlotProps['by']): string {
  return by === 'day' ? formatUtc(time) : formatTime(new Date(time), 'hour');
}

/** The zone of a plot's times. */
export function plotZone(by: PlotProps['by']): string {
  return by === 'day' ? 'UTC' : timeZone();
}

const dayFormat = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
