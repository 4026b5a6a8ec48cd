// Where a person was on a page: Back and Forward return to it. Kept by URL for as long as the page is loaded.

import { useEffect } from 'react';

const GIVE_UP_MS = 10_000; // a list that is not as long again by then has become shorter

interface Place {
  y: number;
  /** Pages of lists that were read beyond the first, by list. */
  pages: Map<string, number>;
}

const places = new Map<string, Place>();
let returning = false; // whether this page was reached by Back or Forward
let restoring = false; // what scrolls now is not the person

history.scrollRestoration = 'manual';
addEventListener('popstate', () => {
  returning = true;
  restoring = true;
  setTimeout(() => (restoring = false), GIVE_UP_MS);
});
addEventListener('pushState', () => (returning = false)); // wouter says so
addEventListener('scroll', () => void (!restoring && (placeOf(here()).y = scrollY)), { passive: true });

/** How many pages of a list were read when the person left this URL; 0 unless they came back to it. */
export function pagesToRead(list: string): number {
  return returning ? (places.get(here())?.pages.get(list) ?? 0) : 0;
}

/** Keeps how many pages of a list are read. */
export function keepPages(list: string, pages: number): void {
  placeOf(here()).pages.set(list, pages);
}

/** Puts a page that is shown now where it was, or at its top. Gives up when the person scrolls. */
export function useScrollPlace(location: string): void {
  useEffect(() => {
    const y = returning ? (places.get(here())?.y ?? 0) : 0;
    scrollTo(0, y);
    if (scrollY >= y - 1) return void (restoring = false);
    const end = () => {
      restoring = false;
      watch.disconnect();
      clearTimeout(timer);
      for (const type of BY_HAND) removeEventListener(type, end);
    };
    // Lists are read and grow: each time it is tried again.
    const watch = new ResizeObserver(() => {
      scrollTo(0, y);
      if (scrollY >= y - 1) end();
    });
    watch.observe(document.body);
    const timer = setTimeout(end, GIVE_UP_MS);
    for (const type of BY_HAND) addEventListener(type, end, { passive: true });
    return end;
  }, [location]);
}

const BY_HAND = ['wheel', 'touchmove', 'keydown', 'pointerdown'];

function placeOf(url: string): Place {
  let place = places.get(url);
  if (!place) places.set(url, (place = { y: 0, pages: new Map() }));
  return place;
}

function here(): string {
  return location.pathname + location.search;
}
