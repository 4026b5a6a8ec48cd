// The plots of a report, as SVG. Colours are those of the page (page.css), so that they fit its light and dark form.

import type { DomainDay } from '../audit/domain-days.ts';
import type { Series } from './series.ts';
import type { Summary } from './summary.ts';

const WIDTH = 1_000;
const HEIGHT = 240;
const LEFT = 56;
const RIGHT = 24;
const TOP = 12;
const BOTTOM = 26;
const ROW_HEIGHT = 16; // height of a line of faults

/** Where a plot over time lies. */
export interface TimeAxis {
  seconds: number;
  binSeconds: number;
  faults: Summary['faults'];
}

/** Lines over time, with the faults as bands behind them. */
export function linePlot(
  series: Series[],
  axis: TimeAxis,
  scale: { unit: string; logarithmic?: boolean },
): string {
  const top = Math.max(1, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const { log10 } = Math;
  const part = (value: number) => (scale.logarithmic ? log10(1 + value) / log10(1 + top) : value / top);
  const y = (value: number) => HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * part(value);
  const x = xOf(axis.seconds);
  const lines = series.map(({ name, values }, i) => {
    const points = values.map((value, bin) =>
      value === null ? null : `${n(x((bin + 0.5) * axis.binSeconds))},${n(y(value))}`,
    );
    return `<path class="line s${i}" d="${toPath(points)}"><title>${escape(name)}</title></path>`;
  });
  const ticks = ticksUpTo(top, scale.logarithmic === true).map(
    (value) =>
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${n(y(value))}" y2="${n(y(value))}"/><text x="${LEFT - 6}" y="${n(y(value) + 4)}" text-anchor="end">${short(value)}</text>`,
  );
  const legend =
    series.length < 2
      ? ''
      : `<p class="legend">${series.map(({ name }, i) => `<span class="key s${i}"></span>${escape(name)}`).join(' ')}</p>`;
  return `${legend}<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escape(scale.unit)}">
${bands(axis, x)}${ticks.join('')}${timeTicks(axis.seconds, x, HEIGHT)}${lines.join('')}</svg>`;
}

/** The faults, a line for each thing that they met. */
export function faultPlot(axis: TimeAxis): string {
  const targets = [...new Set(axis.faults.map(({ target }) => target))].sort();
  const height = TOP + targets.length * ROW_HEIGHT + BOTTOM;
  const x = xOf(axis.seconds);
  const rows = targets.map((target, i) => {
    const top = TOP + i * ROW_HEIGHT;
    const marks = axis.faults
      .filter((fault) => fault.target === target)
      .map(
        (fault) =>
          `<rect class="fault" x="${n(x(fault.at_ms / 1_000))}" y="${top + 3}" width="${n(widthOf(fault, x))}" height="${ROW_HEIGHT - 6}"><title>${escape(told(fault))}</title></rect>`,
      );
    return `<text x="4" y="${top + 12}">${escape(target)}</text><line class="grid" x1="96" x2="${WIDTH - RIGHT}" y1="${top + ROW_HEIGHT}" y2="${top + ROW_HEIGHT}"/>${marks.join('')}`;
  });
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="faults">${rows.join('')}${timeTicks(axis.seconds, x, height)}</svg>`;
}

/** A domain's days: bars are what receivers saw, the line above them is the cap. */
export function capPlot(domain: string, days: DomainDay[]): string {
  const [width, height, floor] = [240, 92, 76];
  const top = Math.max(1, ...days.map(({ cap, seen }) => Math.max(cap ?? 0, seen)));
  const step = (width - 8) / Math.max(days.length, 1);
  const y = (value: number) => floor - 58 * (value / top);
  const bars = days.map(({ day, seen, cap }, i) => {
    const over = cap !== null && seen > cap;
    const title = `${day}: ${seen} of ${cap ?? '?'}`;
    return `<rect class="${over ? 'over' : 'bar'}" x="${n(4 + i * step + 0.5)}" y="${n(y(seen))}" width="${n(Math.max(1, step - 1))}" height="${n(floor - y(seen))}"><title>${title}</title></rect>`;
  });
  const caps = days.map(({ cap }, i) =>
    cap === null
      ? ''
      : `<line class="cap" x1="${n(4 + i * step)}" x2="${n(4 + (i + 1) * step)}" y1="${n(y(cap))}" y2="${n(y(cap))}"/>`,
  );
  const ends =
    days.length === 0
      ? ''
      : `<text x="4" y="${height - 4}">${days[0]!.day}</text><text x="${width - 4}" y="${height - 4}" text-anchor="end">${days.at(-1)!.day}</text>`;
  return `<figure><figcaption>${escape(domain)} <small>highest cap ${top}</small></figcaption><svg viewBox="0 0 ${width} ${height}">${bars.join('')}${caps.join('')}${ends}</svg></figure>`;
}

function bands(axis: TimeAxis, x: (seconds: number) => number): string {
  return axis.faults
    .map(
      (fault) =>
        `<rect class="band" x="${n(x(fault.at_ms / 1_000))}" y="${TOP}" width="${n(widthOf(fault, x))}" height="${HEIGHT - BOTTOM - TOP}"><title>${escape(told(fault))}</title></rect>`,
    )
    .join('');
}

function told({ name, target, at_ms, lasted_ms }: Summary['faults'][number]): string {
  const length = lasted_ms === null ? 'not ended' : `${(lasted_ms / 1_000).toFixed(1)} s`;
  return `${name} ${target}, from ${(at_ms / 1_000).toFixed(1)} s, ${length}`;
}

function widthOf({ at_ms, lasted_ms }: Summary['faults'][number], x: (seconds: number) => number): number {
  return Math.max(2, x((at_ms + (lasted_ms ?? 0)) / 1_000) - x(at_ms / 1_000));
}

function xOf(seconds: number): (second: number) => number {
  return (second) => LEFT + 40 + ((WIDTH - LEFT - 40 - RIGHT) * second) / Math.max(seconds, 1);
}

function timeTicks(seconds: number, x: (second: number) => number, height: number): string {
  const step = [10, 30, 60, 120, 300, 600].find((one) => seconds / one <= 12) ?? 1_800;
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, i) => i * step)
    .map(
      (second) =>
        `<text x="${n(x(second))}" y="${height - 8}" text-anchor="middle">${Math.floor(second / 60)}:${String(second % 60).padStart(2, '0')}</text>`,
    )
    .join('');
}

function ticksUpTo(top: number, logarithmic: boolean): number[] {
  if (logarithmic) return [1, 10, 100, 1_000, 10_000, 100_000].filter((value) => value <= top);
  const step = 10 ** Math.floor(Math.log10(top));
  const fine = top / step < 2.5 ? step / 2 : step;
  return Array.from({ length: Math.floor(top / fine) + 1 }, (_, i) => i * fine);
}

// A gap where a bin has no value.
function toPath(points: (string | null)[]): string {
  return points.map((point, i) => (point === null ? '' : `${points[i - 1] ? 'L' : 'M'}${point}`)).join('');
}

function short(value: number): string {
  return value >= 1_000 ? `${value / 1_000}k` : String(value);
}

function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Text as it may stand in HTML and SVG. */
export function escape(text: string): string {
  return text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
}
