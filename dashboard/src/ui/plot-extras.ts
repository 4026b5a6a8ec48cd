// What a plot has beside its series: limits, what happened, and the veil over a day that is not over.

import type uPlot from 'uplot';

import { PLOT_FONT, type DrawnPlot, type PlotProps } from './plot-props.ts';

const FONT_PX = 11;
const DASH = [4, 4];
const DOT_PX = 3;
const VEIL = 0.55; // of the colour that goes

/** The highest of what is drawn. */
export function highest(max: number | null, lines: PlotProps['lines'] = []): number | null {
  return lines.reduce((top: number | null, { value }) => Math.max(top ?? 0, value), max);
}

/** Draws them, over the series. */
export function drawExtras(
  plot: uPlot,
  { lines = [], marks = [], kind, times, unfinished }: DrawnPlot,
  colors: { line: string; mark: string; veil: string },
): void {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  const xs = plot.data[0];
  ctx.save();
  const last = xs.at(-1);
  if (unfinished && last !== undefined) {
    // Of bars the last one; of lines the way to the last point, whose dot may stand over the edge.
    const step = bbox.width / Math.max(1, kind === 'bars' ? times.length : times.length - 1);
    const from = plot.valToPos(last, 'x', true) - (kind === 'bars' || times.length === 1 ? step / 2 : step);
    ctx.globalAlpha = VEIL;
    ctx.fillStyle = colors.veil;
    ctx.fillRect(from, bbox.top, step + DOT_PX * scale, bbox.height);
    ctx.globalAlpha = 1;
  }
  ctx.setLineDash(DASH.map((px) => px * scale));
  ctx.lineWidth = scale;
  ctx.font = `${FONT_PX * scale}px ${PLOT_FONT}`;
  for (const { value, label } of lines) {
    const y = plot.valToPos(value, 'y', true);
    ctx.strokeStyle = colors.line;
    ctx.fillStyle = colors.line;
    stroke(ctx, [bbox.left, y], [bbox.left + bbox.width, y]);
    ctx.textAlign = 'left';
    ctx.textBaseline = 'bottom';
    ctx.fillText(label, bbox.left + 4 * scale, y - 2 * scale, bbox.width);
  }
  for (const at of new Set(marks.map((mark) => mark.at))) {
    const x = plot.valToPos(xs[at] ?? 0, 'x', true);
    ctx.strokeStyle = colors.mark;
    ctx.fillStyle = colors.mark;
    stroke(ctx, [x, bbox.top], [x, bbox.top + bbox.height]);
    ctx.beginPath();
    ctx.arc(x, bbox.top, DOT_PX * scale, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.restore();
}

function stroke(ctx: CanvasRenderingContext2D, from: [number, number], to: [number, number]): void {
  ctx.beginPath();
  ctx.moveTo(...from);
  ctx.lineTo(...to);
  ctx.stroke();
}
