// What the pairs of runs show, figure by figure, as text.

import { formatValue, type Unit } from '../figure.ts';
import { median } from '../median.ts';
import type { PartName } from '../options.ts';
import { betterDirection, judge, type Direction, type Judgement, type Pair } from './rule.ts';
import type { PartRun, ReadFigure } from './run-part.ts';

/** Two runs of a part, one after the other. */
export interface RunPair {
  a: PartRun;
  b: PartRun;
}

/** The pairs of one part. */
export interface PartPairs {
  part: PartName;
  pairs: RunPair[];
}

/** One figure of a part, judged. */
interface Row extends Judgement {
  id: string;
  what: string;
  unit: Unit;
  direction: Direction | null;
  /** `-12 %`. */
  change: string;
  /** Medians by process, where the figure has them. */
  byProcess: Record<string, Pick<Judgement, 'a' | 'b'>>;
}

/** A part, judged. */
export interface Comparison {
  part: PartName;
  pairs: number;
  rows: Row[];
  /** Milliseconds of the fixed loop. */
  loop: Judgement;
  /** Seconds of CPU of the whole runs, medians by process. */
  cpu: Record<string, Pick<Judgement, 'a' | 'b'>>;
}

const LEAST_CPU_SECONDS = 0.05;

/** How many figures of all parts are judged: they share the error rate. */
export function countJudged(parts: PartPairs[]): number {
  const figures = parts.flatMap(({ pairs }) => matchFigures(pairs));
  return Math.max(1, figures.filter(({ direction }) => direction !== null).length);
}

/** Judges the figures of a part, as some of `judged` figures. */
export function comparePart({ part, pairs }: PartPairs, judged: number): Comparison {
  const rows = matchFigures(pairs).map(({ figure, direction, values, parts }): Row => {
    const judgement = judge(values, direction, judged);
    const percent = (judgement.ratio - 1) * 100;
    return {
      ...judgement,
      id: figure.id!,
      what: figure.what,
      unit: figure.unit,
      direction,
      change: Number.isFinite(percent)
        ? `${percent > 0 ? '+' : ''}${formatValue(percent, '%')}`
        : `${judgement.a} to ${judgement.b}`,
      byProcess: mediansByName(parts),
    };
  });
  const loops = pairs.map(({ a, b }) => ({ a: a.loopMs, b: b.loopMs }));
  const cpu = mediansByName(pairs.map(({ a, b }) => ({ a: a.cpu, b: b.cpu })));
  return { part, pairs: pairs.length, rows, loop: judge(loops, 'less', 1), cpu };
}

interface Matched {
  figure: ReadFigure;
  direction: Direction | null;
  values: Pair[];
  parts: { a: Record<string, number>; b: Record<string, number> }[];
}

// The newer commit names the figures. One that a run of the other lacks is left out.
function matchFigures(pairs: RunPair[]): Matched[] {
  return (pairs[0]?.b.figures ?? []).flatMap((figure) => {
    const found = pairs.flatMap(({ a, b }) => {
      const [ofA, ofB] = [findFigure(a.figures, figure, b.figures), findFigure(b.figures, figure, b.figures)];
      return ofA && ofB && Number.isFinite(ofA.value) && Number.isFinite(ofB.value)
        ? [{ a: ofA, b: ofB }]
        : [];
    });
    if (figure.id === undefined || found.length < pairs.length) return [];
    return {
      figure,
      direction: betterDirection({ ...figure, id: figure.id }),
      values: found.map(({ a, b }) => ({ a: a.value, b: b.value })),
      parts: found.map(({ a, b }) => ({ a: readParts(a), b: readParts(b) })),
    };
  });
}

// By id, or as the same occurrence of the same text, where figures were read from printed lines.
function findFigure(
  among: ReadFigure[],
  wanted: ReadFigure,
  wantedAmong: ReadFigure[],
): ReadFigure | undefined {
  const byId = among.find(({ id }) => id !== undefined && id === wanted.id);
  if (byId || among.some(({ id }) => id !== undefined)) return byId;
  const same = (one: ReadFigure) => one.what === wanted.what;
  const nth = wantedAmong.filter(same).findIndex(({ id }) => id === wanted.id);
  return among.filter(same)[nth];
}

// By process: in `parts`, or in older benches in the text of `detail`, as `sender 0.38, postgres 0.18`.
function readParts({ id = '', parts, detail = '' }: ReadFigure): Record<string, number> {
  if (!id.endsWith('.cpu')) return {};
  const matches = [...detail.matchAll(/(?:^|, )([a-z]+) ([\d.]+)(?=,|$)/g)];
  return parts ?? Object.fromEntries(matches.map(([, name, value]) => [name!, Number(value)]));
}

function mediansByName(pairs: { a: Record<string, number>; b: Record<string, number> }[]): Comparison['cpu'] {
  const names = new Set(pairs.flatMap(({ a, b }) => [...Object.keys(a), ...Object.keys(b)]));
  const of = (side: 'a' | 'b', name: string) => median(pairs.map((pair) => pair[side][name] ?? 0));
  return Object.fromEntries([...names].map((name) => [name, { a: of('a', name), b: of('b', name) }]));
}

/** A part as text: two lines per figure, and a third with the CPU time by process. */
export function renderComparison({ part, pairs, rows, loop, cpu }: Comparison): string {
  const loops = `fixed loop ${loop.a.toFixed(0)}, ${loop.b.toFixed(0)} ms`;
  const lines = rows.flatMap((row) => {
    const { id, what, unit, a, b, ratio, lowest, highest } = row;
    const [middle, from, to] = [ratio, lowest, highest].map((one) => one.toFixed(3));
    const ratios = Number.isFinite(ratio) ? `ratio ${middle} (${from} to ${to})` : 'no ratio';
    return [
      `   ${id}: ${what}`,
      `      A ${formatValue(a, unit)}, B ${formatValue(b, unit)}, ${ratios}; ${loops}; ${describeVerdict(row)}`,
      ...(Object.keys(row.byProcess).length > 0
        ? [`      CPU ms by process: ${renderMedians(row.byProcess, 3, 0.005)}`]
        : []),
    ];
  });
  const machine =
    loop.verdict === 'no difference'
      ? []
      : [
          `   The machine was not equally fast: the fixed loop took ${loop.ratio.toFixed(3)} times as long in B. Run it again.`,
        ];
  return [
    `── ${part}, ${pairs} pairs`,
    ...lines,
    `   CPU s of a whole run: ${renderMedians(cpu, 2, LEAST_CPU_SECONDS)}`,
    ...machine,
  ].join('\n');
}

function describeVerdict({ verdict, direction, limit, change }: Row): string {
  if (direction === null) return 'not judged';
  if (verdict !== 'no difference') return `${verdict.toUpperCase()} (${change})`;
  return Number.isNaN(limit) ? verdict : `no difference (limit ${formatValue(limit, '%')})`;
}

function renderMedians(medians: Comparison['cpu'], digits: number, least: number): string {
  return Object.entries(medians)
    .filter(([, { a, b }]) => Math.max(a, b) >= least)
    .toSorted(([, x], [, y]) => y.a - x.a)
    .map(([name, { a, b }]) => `${name} ${a.toFixed(digits)} → ${b.toFixed(digits)}`)
    .join(', ');
}
