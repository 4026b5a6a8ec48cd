// What is measured inside of a page of the dashboard, by the page's own clock.

import type { Page } from 'playwright-core';

/** How a page was drawn while it was scrolled. */
export interface Frames {
  count: number;
  perSecond: number;
  /** ms, of the time between two frames. */
  p99: number;
  /** Frames that came later than 25 ms after the one before: at 60 a second one was left out. */
  late: number;
  /** Rows in the document. */
  drawn: number;
}

const SETTLED_MS = 600; // nothing larger was painted for so long
const LATE_MS = 25;
const STEP_PX = 67; // of a frame: 4,000 px a second at 60
const READ_STEP_PX = 3_000;
const READ_EVERY_MS = 120; // pages of 100 rows under the limit of 600 requests a minute

/** Loads a page and gives the time of its largest contentful paint, in ms from the begin of the navigation. */
export async function firstPaint(page: Page, path: string): Promise<number> {
  await page.goto(path);
  await page.locator('main h1').waitFor();
  return page.evaluate(
    (settledMs) =>
      new Promise<number>((resolve) => {
        let last = 0;
        let timer: ReturnType<typeof setTimeout>;
        const settle = () => {
          clearTimeout(timer);
          timer = setTimeout(() => resolve(last), settledMs);
        };
        new PerformanceObserver((list) => {
          last = list.getEntries().at(-1)?.startTime ?? last;
          settle();
        }).observe({ type: 'largest-contentful-paint', buffered: true });
        settle();
      }),
    SETTLED_MS,
  );
}

/** Chooses a link of the navigation, pointed at before for so long, and gives the ms until the frame that shows its page. */
export async function changeOfPage(page: Page, name: string, pointedAtMs: number): Promise<number> {
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });
  await page.mouse.move(900, 5);
  await page.evaluate(() => {
    const shown = new Promise<number>((resolve) => {
      const before = document.querySelector('main h1')?.textContent;
      const onClick = () => {
        const startedAt = performance.now();
        const look = () => {
          const title = document.querySelector('main h1')?.textContent ?? before;
          const waits = document.querySelector('main .animate-pulse') !== null;
          if (title === before || waits) requestAnimationFrame(look);
          else requestAnimationFrame(() => resolve(performance.now() - startedAt));
        };
        look();
      };
      addEventListener('click', onClick, { capture: true, once: true });
    });
    Object.assign(globalThis, { shown });
  });
  if (pointedAtMs > 0) await link.hover();
  await page.waitForTimeout(pointedAtMs);
  await link.click();
  return page.evaluate(() => (globalThis as unknown as { shown: Promise<number> }).shown);
}

/** Scrolls a list to its end until it has so many rows. Returns how many it has. */
export async function readWholeList(page: Page, wanted: number): Promise<number> {
  await page.getByRole('button', { name: 'Load more' }).click();
  return page.evaluate(
    ({ most, stepPx, everyMs }) =>
      new Promise<number>((resolve) => {
        const rows = () =>
          Number(document.querySelector('main table')?.getAttribute('aria-rowcount') ?? 1) - 1;
        let [last, still] = [0, 0];
        const timer = setInterval(() => {
          scrollTo(0, Math.min(document.documentElement.scrollHeight, scrollY + stepPx * 20));
          // Over the limit of requests: the page says so, and the person tries again.
          if (still % 20 === 19) document.querySelector<HTMLElement>('main [role=alert] button')?.click();
          still = rows() === last ? still + 1 : 0;
          last = rows();
          if (last < most && still < 700) return;
          clearInterval(timer);
          resolve(last);
        }, everyMs);
      }),
    { most: wanted, stepPx: READ_STEP_PX, everyMs: READ_EVERY_MS },
  );
}

/** Scrolls through the list: steadily from its top, then from place to place; each frame is timed. */
export function scrollList(page: Page, forMs: number): Promise<Frames> {
  return page.evaluate(
    ({ ms, stepPx, lateMs }) =>
      new Promise<Frames>((resolve) => {
        scrollTo(0, 0);
        const times: number[] = [];
        let startedAt = 0;
        let last = 0;
        const frame = (now: number) => {
          if (startedAt === 0) startedAt = now;
          else times.push(now - last);
          last = now;
          const all = document.documentElement.scrollHeight;
          if (now - startedAt < ms * 0.7) scrollBy(0, stepPx);
          else if (times.length % 30 === 0) scrollTo(0, ((times.length * 7919) % 100) * 0.01 * all);
          if (now - startedAt < ms) return void requestAnimationFrame(frame);
          const sorted = times.toSorted((a, b) => a - b);
          resolve({
            count: times.length,
            perSecond: (times.length * 1000) / (last - startedAt),
            p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
            late: times.filter((time) => time > lateMs).length,
            drawn: document.querySelectorAll('main tbody tr').length,
          });
        };
        requestAnimationFrame(frame);
      }),
    { ms: forMs, stepPx: STEP_PX, lateMs: LATE_MS },
  );
}
