// Which rows of a long list are drawn: those on the screen and some around them, in chunks whose heights are measured
// once they were drawn. A list of 100,000 rows costs the browser as much as one of a hundred.

import { useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** Rows that are drawn or left out together. */
export const CHUNK_ROWS = 25;

const LONG_ROWS = 100; // a shorter list is drawn as a whole
const AROUND_PX = 1_200; // drawn above and below the screen: what a fast wheel turns in a frame or two
const GUESS_PX = 45 * CHUNK_ROWS; // until a chunk was measured

/** What is drawn: rows from `from` up to `to`, and how much empty space stands for the others. */
export interface RowWindow {
  from: number;
  to: number;
  beforePx: number;
  afterPx: number;
  /** Not all rows are drawn. */
  partial: boolean;
  /** Widths of the columns in percent, so that they stay while rows come and go; null where the rows decide. */
  widths: readonly number[] | null;
}

/** The window of a table with `count` rows, whose chunks are its `tbody[data-chunk]`. */
export function useRowWindow(table: RefObject<HTMLTableElement | null>, count: number): RowWindow {
  const heights = useRef<number[]>([]);
  const [widths, setWidths] = useState<readonly number[] | null>(null);
  const [range, setRange] = useState<Range>([0, 0]);
  const long = count > LONG_ROWS;
  const chunks = Math.ceil(count / CHUNK_ROWS);

  useLayoutEffect(() => {
    const element = table.current;
    if (!long || !element) return setWidths(null);
    const heads = [...element.querySelectorAll('thead th')].map((head) => head.getBoundingClientRect().width);
    const all = heads.reduce((sum, width) => sum + width, 0);
    setWidths(all === 0 ? null : heads.map((width) => (100 * width) / all)); // cards have no head
  }, [table, long]);

  useLayoutEffect(() => {
    for (const body of table.current?.querySelectorAll<HTMLElement>('tbody[data-chunk]') ?? []) {
      const { height } = body.getBoundingClientRect();
      if (height > 0) heights.current[Number(body.dataset['chunk'])] = height;
    }
  });

  useLayoutEffect(() => {
    if (!long) return undefined;
    let frame = 0;
    const look = () => {
      frame = 0;
      const element = table.current;
      if (!element) return;
      const top = -element.getBoundingClientRect().top;
      const next = chunksBetween(heights.current, chunks, top - AROUND_PX, top + innerHeight + AROUND_PX);
      setRange((old) => (old[0] === next[0] && old[1] === next[1] ? old : next));
    };
    const soon = () => void (frame ||= requestAnimationFrame(look));
    const resized = () => {
      heights.current = [];
      soon();
    };
    look();
    addEventListener('scroll', soon, { passive: true });
    addEventListener('resize', resized);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', soon);
      removeEventListener('resize', resized);
    };
  }, [table, long, chunks]);

  if (!long) return { from: 0, to: count, beforePx: 0, afterPx: 0, partial: false, widths: null };
  const first = Math.min(range[0], chunks - 1);
  const end = Math.min(Math.max(range[1], first + 1), chunks);
  const guess = guessOf(heights.current);
  const between = (from: number, to: number) => {
    let px = 0;
    for (let chunk = from; chunk < to; chunk++) px += heights.current[chunk] ?? guess;
    return px;
  };
  return {
    from: first * CHUNK_ROWS,
    to: Math.min(end * CHUNK_ROWS, count),
    beforePx: between(0, first),
    afterPx: between(end, chunks),
    partial: true,
    widths,
  };
}

/** The first chunk, and the one after the last. */
type Range = readonly [number, number];

function chunksBetween(heights: readonly number[], chunks: number, top: number, bottom: number): Range {
  const guess = guessOf(heights);
  let y = 0;
  let first = 0;
  for (let chunk = 0; chunk < chunks; chunk++) {
    if (y > bottom) return [first, chunk];
    y += heights[chunk] ?? guess;
    if (y <= top) first = chunk + 1;
  }
  return [Math.min(first, chunks - 1), chunks];
}

// Rows of one list are about as high as each other, so the first chunk that was measured stands for the others.
function guessOf(heights: readonly number[]): number {
  return heights.find((height) => height > 0) ?? GUESS_PX;
}
