// Part "dashboard": what a person waits for in Chromium, on a real api with 100,000 contacts: a page that was open before, a
// page that they point at and choose, a list that they scroll through, and a live view that has silently stopped.

import { createHash, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';

import { service } from '../core/audit/actor.ts';
import { sleep } from '../core/base/clock.ts';
import { fromId } from '../core/base/ids.ts';
import { createUser } from '../core/people/users.ts';
import { buildDashboardIfStale } from '../dashboard/build.ts';
import { launchBrowser, noBrowser, signIn, SIZES } from '../test/harness/browser.ts';
import { changeOfPage, firstPaint, readWholeList, scrollList, type Frames } from './dashboard-page.ts';
import type { Figure } from './figure.ts';
import type { Bench } from './stack/bench.ts';
import { startStack, type Stack } from './stack/stack.ts';

const CONTACTS = 100_000;
const PAGES = ['/', '/messages', '/contacts', '/domains', '/templates'];
const RELOADS = 4; // of each page
const LINKS = [
  'Messages',
  'Templates',
  'Campaigns',
  'Contacts',
  'Suppressions',
  'Domains',
  'Reputation',
  'API keys',
];
const ROUNDS = 3; // through all links
const POINTED_AT_MS = 300; // before the click; people take 200 to 400
const SCROLL_MS = 10_000;
const STALLED_MS = 60_000; // then it is said that nothing was noticed

/** Runs the part. */
export async function measureDashboard(bench: Bench): Promise<Figure[]> {
  if (noBrowser !== null) {
    bench.log(noBrowser);
    return [];
  }
  await buildDashboardIfStale(bench.log);
  const stack = await startStack(bench, { api: true, part: 'dashboard' });
  let browser: Browser | null = null;
  try {
    browser = await launchBrowser([await trust(stack.certFile)]);
    const page = await open(browser, stack);
    return [
      ...(await measurePaint(page)),
      ...(await measureChange(page)),
      ...(await measureScroll(page, bench)),
      await measureStall(page, stack),
    ];
  } finally {
    await browser?.close();
    await stack.close();
  }
}

// A browser that is told to ignore a certificate caches nothing; one that trusts its key does.
async function trust(certFile: string): Promise<string> {
  const { publicKey } = new X509Certificate(await readFile(certFile));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return `--ignore-certificate-errors-spki-list=${createHash('sha256').update(spki).digest('base64')}`;
}

async function open(browser: Browser, { db, seed, apiUrl }: Stack): Promise<Page> {
  const tenantId = fromId('tnt', seed.tenants[0]!.id) as string;
  const email = 'owner@bench.test';
  const { password } = await createUser({ db }, service('bench'), { tenantId, email, role: 'owner' });
  await db.pool.query(
    `insert into contacts (id, tenant_id, email, email_key, first_name, last_name)
     select gen_random_uuid(), $1, 'reader' || n || '@example.net', 'reader' || n || '@example.net', 'Reader', 'No. ' || n
       from generate_series(1, $2::int) n`,
    [tenantId, CONTACTS],
  );
  const context = await browser.newContext({ baseURL: apiUrl, viewport: SIZES.wide });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await signIn(page, { email, password });
  return page;
}

async function measurePaint(page: Page): Promise<Figure[]> {
  const times: number[] = [];
  for (const path of PAGES) {
    for (let at = 0; at <= RELOADS; at++) {
      const ms = await firstPaint(page, path);
      if (at > 0) times.push(ms); // the first one fills the cache
    }
  }
  const detail = `largest contentful paint of ${PAGES.length} pages, ${RELOADS} loads each, scripts in the browser's cache`;
  return [
    figure('lcp', 'a page that was open before is there: median', median(times), 500, detail),
    worst('lcp', times),
  ];
}

async function measureChange(page: Page): Promise<Figure[]> {
  await page.goto('/profile');
  const [ahead, without]: [number[], number[]] = [[], []];
  await changeAll(page, 0, without); // which also loads the scripts
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto('/profile'); // nothing is in the page's memory
    await changeAll(page, POINTED_AT_MS, ahead);
  }
  const detail = `from the click until ${LINKS.length} pages show their contents, ${ROUNDS} rounds; pointed at ${POINTED_AT_MS} ms before`;
  return [
    figure('change', 'change of page with prefetch: median', median(ahead), 200, detail),
    worst('change', ahead),
    {
      id: 'dashboard.change.cold',
      what: 'first change of page, not pointed at: median',
      value: median(without),
      unit: 'ms',
    },
  ];
}

async function changeAll(page: Page, pointedAtMs: number, times: number[]): Promise<void> {
  for (const name of LINKS) times.push(await changeOfPage(page, name, pointedAtMs));
}

async function measureScroll(page: Page, bench: Bench): Promise<Figure[]> {
  await page.goto('/contacts');
  const startedAt = performance.now();
  const rows = await readWholeList(page, CONTACTS);
  bench.log(
    `${rows} rows were read by scrolling in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
  );
  const frames = await scrollList(page, SCROLL_MS);
  return [
    {
      id: 'dashboard.scroll',
      what: `frames a second while ${rows} rows are scrolled`,
      value: frames.perSecond,
      unit: '/s',
      target: { atLeast: 59 },
      detail: describeFrames(frames),
    },
    { id: 'dashboard.scroll.p99', what: 'time of a frame there: p99', value: frames.p99, unit: 'ms' },
  ];
}

function describeFrames({ count, late, drawn }: Frames): string {
  return `${count} frames, ${late} of them later than 25 ms; ${drawn} rows are drawn at once; 4,000 px a second, then jumps`;
}

// The api is stopped as a whole: its connections stay open and say nothing.
async function measureStall(page: Page, { api }: Stack): Promise<Figure> {
  await page.goto('/events');
  await page.getByText('Live', { exact: true }).waitFor();
  await sleep(1_000);
  const startedAt = performance.now();
  process.kill(api!.pid, 'SIGSTOP');
  try {
    await page.getByText('Live', { exact: true }).waitFor({ state: 'detached', timeout: STALLED_MS });
    const detail = 'from SIGSTOP of the api until the page says that it is not live';
    return figure('stall', 'a stalled stream is noticed', performance.now() - startedAt, 20_000, detail);
  } finally {
    process.kill(api!.pid, 'SIGCONT');
  }
}

function figure(id: string, what: string, value: number, atMost: number, detail: string): Figure {
  return { id: `dashboard.${id}`, what, value, unit: 'ms', target: { atMost }, detail };
}

function worst(id: string, times: number[]): Figure {
  return { id: `dashboard.${id}.worst`, what: 'the slowest of them', value: Math.max(...times), unit: 'ms' };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
