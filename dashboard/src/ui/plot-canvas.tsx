// The drawing of a plot by uPlot. Loaded by plot.tsx only when needed.

import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import uPlot from 'uplot';
import { useLocation } from 'wouter';

import 'uplot/dist/uPlot.min.css';
import { cx } from './class-names.ts';
import { formatCompact, formatPercent } from './format-number.ts';
import { drawExtras, highest } from './plot-extras.ts';
import {
  formatUtc,
  formatValue,
  PLOT_FONT,
  plotTime,
  plotZone,
  seriesColor,
  SO_FAR,
  STEP_S,
  type DrawnPlot,
  type PlotProps,
} from './plot-props.ts';

const BAR_WIDTH = 0.7; // of a step
const AXIS_PX = 28; // height of the axis of times
const MOST_MARKS = 4; // at the pointer
const LABEL_PX = 70; // of one time on the axis

interface Pointer {
  at: number;
  left: number;
}

/** The canvas and the values at the pointer. */
export function PlotCanvas(props: DrawnPlot): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [pointer, setPointer] = useState<Pointer | null>(null);
  const [theme, setTheme] = useState(0);
  useEffect(() => onThemeChange(() => setTheme((old) => old + 1)), []);
  const [, navigate] = useLocation();
  const pick = useEffectEvent((plot: uPlot) => {
    const { idx, top = -1 } = plot.cursor;
    if (typeof idx !== 'number' || top < 0) return;
    const href = props.hrefOf?.(idx, seriesAt(props, idx, plot.posToVal(top, 'y')));
    if (href) navigate(href);
  });

  const key = JSON.stringify(props);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const shown = JSON.parse(key) as DrawnPlot;
    const plot = new uPlot(optionsOf(shown, element, setPointer), dataOf(shown), element);
    const resize = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: shown.height }),
    );
    resize.observe(element);
    plot.over.addEventListener('click', () => pick(plot));
    return () => {
      resize.disconnect();
      plot.destroy();
    };
  }, [key, theme]);

  return (
    <div className="relative">
      <div
        ref={box}
        className={cx('overflow-hidden', props.hrefOf !== undefined && '[&_.u-over]:cursor-pointer')}
      />
      {pointer ? <Values {...props} {...pointer} width={box.current?.clientWidth ?? 0} /> : null}
    </div>
  );
}

function Values({
  at,
  left,
  width,
  times,
  by,
  series,
  unit,
  marks = [],
  unfinished,
}: DrawnPlot & Pointer & { width: number }): ReactNode {
  const side = left > width / 2 ? { right: width - left + 12 } : { left: left + 12 };
  return (
    <div
      className="bg-raised shadow-float pointer-events-none absolute top-2 z-10 rounded-md border px-3 py-2 text-[13px]"
      style={side}
    >
      <p className="mb-1 font-medium whitespace-nowrap">
        {plotTime(times[at] ?? '', by)} ({plotZone(by)})
      </p>
      {series.map((one, index) => (
        <p key={one.label} className="flex items-center gap-2 whitespace-nowrap">
          <span className="size-2 rounded-sm" style={{ background: `var(${seriesColor(one, index)})` }} />
          <span className="text-muted flex-1 pr-3">{one.label}</span>
          <span className="tabular-nums">{formatValue(one.values[at], unit)}</span>
        </p>
      ))}
      {unfinished && at === times.length - 1 ? <p className="text-muted mt-1">{SO_FAR[by]}</p> : null}
      {marks
        .filter((mark) => mark.at === at)
        .slice(0, MOST_MARKS)
        .map(({ label }) => (
          <p key={label} className="mt-1 max-w-56 [overflow-wrap:anywhere]">
            {label}
          </p>
        ))}
    </div>
  );
}

// The series under the pointer: of stacked bars the one whose part it is, else the only or first one that is as high.
function seriesAt({ series, stacked = false }: PlotProps, at: number, value: number): number {
  let below = 0;
  const found = series.findIndex(({ values }) => {
    below = (stacked ? below : 0) + (values[at] ?? 0);
    return value <= below;
  });
  return found;
}

// Stacked bars are drawn back to front, each as high as all below it together.
function dataOf({ times, series, stacked = false }: PlotProps): uPlot.AlignedData {
  const x = times.map((time) => new Date(time).getTime() / 1000);
  const rows = series.map((one) => [...one.values]);
  if (stacked) {
    for (let row = 1; row < rows.length; row++) {
      rows[row] = rows[row]!.map((value, at) => (value ?? 0) + (rows[row - 1]![at] ?? 0));
    }
    rows.reverse();
  }
  return [x, ...rows];
}

function optionsOf(
  props: DrawnPlot,
  element: HTMLElement,
  show: (pointer: Pointer | null) => void,
): uPlot.Options {
  const { by, kind, times, series, unit, height, stacked = false } = props;
  const color = colorReader(element);
  const muted = color('--muted');
  const grid = { stroke: color('--line'), width: 1 };
  const axis = { stroke: muted, font: `12px ${PLOT_FONT}`, ticks: { show: false }, grid };
  const drawn = series.map((one, at) => seriesOptions(props, one, color(seriesColor(one, at))));
  return {
    width: element.clientWidth,
    height,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), plotZone(by)),
    legend: { show: false },
    padding: [8, 22, 0, 0],
    cursor: {
      x: kind === 'lines',
      y: false,
      drag: { x: false, y: false },
      points: { show: kind === 'lines' },
    },
    scales: {
      x: {
        range: (_, min, max) =>
          // one day alone stands in the middle
          kind === 'bars' || times.length === 1
            ? [min - STEP_S[by] / 2, (times.length === 1 ? min : max) + STEP_S[by] / 2]
            : [min, max],
      },
      y: { range: (_, __, max) => [0, niceTop(highest(max, props.lines), unit)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: AXIS_PX,
        space: LABEL_PX,
        incrs: [1, 2, 3, 6, 12, 24, 48, 72, 168, 336]
          .map((hours) => hours * 3_600)
          .filter((incr) => incr >= STEP_S[by]),
        values: (_, ticks) => ticks.map((tick) => axisTime(tick, by)),
      },
      {
        ...axis,
        label: props.yLabel,
        labelSize: 18,
        labelFont: axis.font,
        size: 48,
        incrs: unit === 'percent' ? [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1] : WHOLE,
        values: (_, ticks) =>
          ticks.map((tick) => (unit === 'percent' ? formatPercent(tick) : formatCompact(tick))),
      },
    ],
    series: [{}, ...(stacked ? drawn.toReversed() : drawn)],
    hooks: {
      draw: [
        (plot) => drawExtras(plot, props, { line: color('--bad'), mark: muted, veil: color('--surface') }),
      ],
      setCursor: [
        ({ cursor: { idx, left = -1 }, bbox }) =>
          show(
            typeof idx === 'number' && left >= 0
              ? { at: idx, left: left + bbox.left / devicePixelRatio }
              : null,
          ),
      ],
    },
  };
}

function seriesOptions({ kind }: PlotProps, one: PlotProps['series'][number], color: string): uPlot.Series {
  const bars = kind === 'bars' && !one.dashed;
  return {
    label: one.label,
    stroke: color,
    width: bars ? 0 : 2,
    points: { show: !bars && one.values.filter((value) => value !== null).length === 1 }, // no line of one point
    ...(one.dashed && { dash: [5, 5] }),
    ...(bars && { fill: color, paths: uPlot.paths.bars!({ size: [BAR_WIDTH, 40] }) }),
  };
}

const WHOLE = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

function niceTop(max: number | null, unit: PlotProps['unit']): number {
  if (max === null || max <= 0) return unit === 'percent' ? 0.01 : 5;
  return unit === 'percent' ? Math.min(max * 1.1, Math.max(1, max)) : Math.max(max * 1.1, 5);
}

function axisTime(seconds: number, by: PlotProps['by']): string {
  const at = new Date(seconds * 1000);
  if (by === 'day') return formatUtc(at.toISOString());
  const [date = '', clock = ''] = plotTime(at.toISOString(), by).split(', ');
  return clock === '00:00' ? date : clock;
}

// A canvas understands no CSS variables, and ours hold light-dark(); a real element resolves both.
function colorReader(parent: HTMLElement): (variable: string) => string {
  return (variable) => {
    const probe = document.createElement('span');
    probe.style.color = `var(${variable})`;
    parent.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
}

function onThemeChange(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', listener);
  addEventListener('themechange', listener);
  return () => {
    system.removeEventListener('change', listener);
    removeEventListener('themechange', listener);
  };
}
