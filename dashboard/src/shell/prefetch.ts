// Fetches a page's script and its first answer when somebody points at a link to it or reaches it by keyboard, so that it is
// there when they choose it. Little is wasted: only what is pointed at for a moment, few at once, each at most every half
// minute, and nothing for who saves data.

import { useEffect, useState } from 'react';
import { useClient, type Client } from 'urql';
import { matchRoute, useRouter } from 'wouter';

import { monotonicMs } from '../clock.ts';
import { ROUTES } from '../routes.tsx';

const POINTED_AT_MS = 65; // the mouse crosses a link faster
const FRESH_MS = 30_000;
const MOST_AT_ONCE = 2;

/** Watches all links of the page. */
export function usePrefetch(): void {
  const client = useClient();
  const { parser } = useRouter();
  useEffect(() => {
    const fetchedAt = new Map<string, number>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let running = 0;
    const fetchPage = async ({ pathname, search }: URL) => {
      const path = pathname + search;
      const last = fetchedAt.get(path);
      if (running >= MOST_AT_ONCE || (last !== undefined && monotonicMs() - last < FRESH_MS)) return;
      fetchedAt.set(path, monotonicMs());
      running += 1;
      // What fails is tried again, and explained, when the page is shown.
      await load(client, parser, pathname, search).catch(() => fetchedAt.delete(path));
      running -= 1;
    };
    const onPoint = ({ target }: Event) => {
      clearTimeout(timer);
      const url = target instanceof Element ? pageUrl(target) : null;
      if (url && !savesData()) timer = setTimeout(() => void fetchPage(url), POINTED_AT_MS);
    };
    for (const type of EVENTS) document.addEventListener(type, onPoint, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const type of EVENTS) document.removeEventListener(type, onPoint);
    };
  }, [client, parser]);
}

/** Fetches the page that is shown first, while it is still asked who is signed in. */
export function useFetchFirst(): void {
  const client = useClient();
  const { parser } = useRouter();
  useState(() => void load(client, parser, location.pathname, location.search).catch(() => null));
}

const EVENTS = ['pointerover', 'focusin'] as const;

// First queries are those of pages without filters.
async function load(client: Client, parser: Parser, pathname: string, search: string): Promise<void> {
  for (const { path, page } of ROUTES) {
    const [matches, params] = matchRoute(parser, path, pathname);
    if (!matches) continue;
    const { firstQuery } = await page.load();
    if (search === '') await firstQuery?.(client, params);
    return;
  }
}

type Parser = ReturnType<typeof useRouter>['parser'];

function pageUrl(target: Element): URL | null {
  const link = target.closest<HTMLAnchorElement>('a[href]');
  if (!link || link.target === '_blank' || link.origin !== location.origin) return null;
  return link.pathname === location.pathname ? null : new URL(link.href);
}

function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
