// A real browser in front of a real api: chromium by playwright-core, with axe for what people with impairments meet.
// Without a chromium these tests skip, and say why.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

import { endOtherSessions } from '../../core/people/session-store.ts';
import { selectPerson } from '../../core/people/user-store.ts';
import { createUser } from '../../core/people/users.ts';
import type { Tenant } from '../../core/tenant/tenant-store.ts';
import { TESTER } from './actor.ts';
import { createApiWorld, type ApiWorld } from './api-world.ts';
import { tellers } from './tell-failure.ts';
import { waitUntil } from './wait.ts';

// The headless shell has no windows, tabs and toolbars of its own to draw: half the CPU.
const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM = process.env['CHROMIUM'] ?? PLACES.find(existsSync) ?? PLACES[0]!;
const FLAGS = [
  '--no-sandbox', // the tests may run as root, where chromium has no sandbox
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A wide screen and a phone. */
export const SIZES = { wide: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

/** Why browser tests cannot run here, or null. */
export const noBrowser = existsSync(CHROMIUM)
  ? null
  : 'chromium is not installed (apt-get install chromium-headless-shell, or CHROMIUM=path)';

/** Starts chromium, with more flags where they are given, and scroll bars that take room as on Windows if they are wanted. */
export function launchBrowser(flags: readonly string[] = [], scrollBars = false): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [...FLAGS, ...flags],
    ignoreDefaultArgs: scrollBars ? ['--hide-scrollbars'] : [],
  });
}

let shared: Promise<Browser> | undefined;

/** The browser of all test files in this process; it ends with the process. */
async function sharedBrowser(): Promise<Browser> {
  const running = await shared;
  if (!running?.isConnected()) shared = launchBrowser();
  return shared!;
}

/** An api with a tenant and its owner, and a browser to look at it with. */
export interface BrowserWorld {
  api: ApiWorld;
  origin: string;
  tenant: Tenant;
  owner: { email: string; password: string };
  /** A page in a fresh profile: nobody is signed in. Closed with the world. */
  openPage(size?: keyof typeof SIZES): Promise<Page>;
  /** A page on which the owner is signed in, showing `path`. */
  signedIn(path: string, size?: keyof typeof SIZES): Promise<Page>;
  /** Ends all sessions of a person, and waits until the api refuses the token of their page. */
  endSessions(page: Page, email: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts it all. `given` is an api that runs already, else a new one is made; either is closed with the world. `own` is a browser
 * in place of the shared one.
 */
export async function openBrowserWorld(given?: ApiWorld, own?: Browser): Promise<BrowserWorld> {
  const api = given ?? (await createApiWorld());
  const tenant = await api.makeTenant('pro');
  const email = `owner@${tenant.id}.test`;
  const { password } = await createUser(api.context, TESTER, { tenantId: tenant.id, email, role: 'owner' });
  const owner = { email, password };
  const origin = `https://localhost:${api.port}`;
  api.deps.config.PUBLIC_URL = origin; // known only now; the session is for this origin alone
  const browser = own ?? (await sharedBrowser());
  const profiles: BrowserContext[] = [];
  const tokens = new WeakMap<Page, string>();
  const tell = async () => {
    const pages = profiles.flatMap((one) => one.pages());
    return (await Promise.all(pages.map(describePage))).join('\n');
  };
  tellers.add(tell);
  const openPage = async (size: keyof typeof SIZES = 'wide') => {
    const profile = await openProfile(browser, origin, size);
    profiles.push(profile);
    const page = await profile.newPage();
    await page.addInitScript(REPORT_REFUSALS);
    page.on('request', (request) => {
      const token = request.headers()['authorization'];
      if (token !== undefined) tokens.set(page, token);
    });
    return page;
  };
  return {
    api,
    origin,
    tenant,
    owner,
    openPage,
    async signedIn(path, size) {
      const page = await openPage(size);
      const query = 'mutation($input: LoginInput!) { login(input: $input) { accessToken } }';
      await page.request.post('/graphql', {
        data: { query, variables: { input: owner } },
        headers: { origin },
      });
      await page.goto(path); // the cookie of that answer signs the page in
      await page.waitForFunction(() => document.querySelector('header') !== null); // each frame; a locator looks twice a second
      return page;
    },
    async endSessions(page, email) {
      const { db } = api.context;
      const person = await selectPerson(db.pool, email);
      await endOtherSessions(db.pool, { userId: person!.id, openedBySsoOf: null }, null);
      const headers = { authorization: tokens.get(page) ?? '' };
      await waitUntil(async () => {
        const { json } = await api.graphql('{ viewer { user { id } } }', {}, { headers });
        return json.errors?.[0]?.extensions?.code === 'unauthorized';
      });
    },
    async close() {
      tellers.delete(tell);
      await Promise.all(profiles.map((one) => one.close()));
      await api.close();
    },
  };
}

// In every frame, also the one of foreign mail: what the policy refused, where complaintsOf finds it.
const REPORT_REFUSALS = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('Content Security Policy: ' + event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sample));`;

const HIDDEN = ':is([aria-hidden=true], [inert]):not(svg, span)';

/** What assistive programs, and so `getByRole`, see of the page, and what is hidden from them. */
async function describePage(page: Page): Promise<string> {
  const [seen, hidden] = await Promise.all([
    page.locator('body').ariaSnapshot({ timeout: 5_000 }),
    page.locator(HIDDEN).evaluateAll((all) => all.map((one) => one.outerHTML.slice(0, 120))),
  ]);
  return `${page.url()} shows\n${seen}\nhidden: ${JSON.stringify(hidden)}`;
}

function openProfile(browser: Browser, baseURL: string, size: keyof typeof SIZES): Promise<BrowserContext> {
  return browser.newContext({
    baseURL,
    ignoreHTTPSErrors: true,
    viewport: SIZES[size],
    colorScheme: size === 'phone' ? 'dark' : 'light', // both are looked at with axe
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
  });
}

/** Fills the sign-in form of the page that is open and waits for what comes after it. */
export async function signIn(page: Page, person: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('banner').waitFor();
}

const LOOKS = 5; // of axe, at a page that changes under it

/** What axe finds on the page as it is now, of any impact, one line each. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.locator('h1').first().waitFor({ state: 'attached' }); // the frame is there before the page in it
  await page.evaluate(AXE); // by the debugger: the page's own policy would refuse a script element
  const found = await page.evaluate(async (looks) => {
    // A colour on its way is none; what turns for ever is not waited for.
    const ending = document
      .getAnimations()
      .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
    const { axe } = globalThis as unknown as { axe: { run(): Promise<AxeResult> } };
    // It throws when it comes to name an element that has gone meanwhile (a list that was drawn again): it looks again.
    for (let look = 1; ; look++) {
      try {
        return (await axe.run()).violations;
      } catch (error) {
        if (look === looks) throw error;
      }
    }
  }, LOOKS);
  return found.map(
    ({ id, help, nodes }) => `${id}: ${help} (${nodes.map((node) => node.target.join(' ')).join(', ')})`,
  );
}

interface AxeResult {
  violations: { id: string; help: string; nodes: { target: string[] }[] }[];
}

/** Whether anything is wider than the screen, so that one would have to scroll sideways. */
export function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
}

const SCROLL_BARS = `((isFrame) => {
  const bars = [];
  for (const one of document.querySelectorAll('*')) {
    const style = getComputedStyle(one);
    const isPage = one === document.documentElement;
    if (!isPage && !/auto|scroll/.test(style.overflow)) continue;
    const across = isPage ? innerWidth - one.clientWidth
      : one.offsetWidth - one.clientWidth - parseFloat(style.borderLeftWidth) - parseFloat(style.borderRightWidth);
    const down = isPage ? innerHeight - one.clientHeight
      : one.offsetHeight - one.clientHeight - parseFloat(style.borderTopWidth) - parseFloat(style.borderBottomWidth);
    const fits = (content, shown) => content <= shown + 4;
    if (across >= 5 && fits(one.scrollHeight, one.clientHeight + Math.max(0, down)))
      bars.push('down: ' + one.scrollHeight + ' in ' + one.clientHeight + ' ' + one.outerHTML.slice(0, 150));
    if (down >= 5 && ((isPage && !isFrame) || fits(one.scrollWidth, one.clientWidth + Math.max(0, across))))
      bars.push('sideways: ' + one.scrollWidth + ' in ' + one.clientWidth + ' ' + one.outerHTML.slice(0, 150));
  }
  return bars;
})(parent !== window)`;

/**
 * Scroll bars of the page and its frames that have nothing to scroll to, and any that scrolls the page sideways. Needs a browser
 * that was launched with scroll bars.
 */
export async function strayScrollBars(page: Page): Promise<string[]> {
  const bars = await Promise.all(page.frames().map((frame) => frame.evaluate<string[]>(SCROLL_BARS)));
  return bars.flat();
}

const STRAY_SCROLLERS = `[...document.querySelectorAll('*')]
  .filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowY))
  .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight && scrollHeight <= clientHeight + 4)
  .map((one) => one.outerHTML.slice(0, 100))`;

/** What scrolls down by a few pixels: where scroll bars are visible it has one, and nothing to scroll to. */
export function strayScrollers(page: Page): Promise<string[]> {
  return page.evaluate(STRAY_SCROLLERS);
}

/** Collects what the browser complains about (scripts that failed, what the policy refused). Read it at the end. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text());
  });
  return complaints;
}
