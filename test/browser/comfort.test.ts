// What makes the dashboard pleasant everywhere: help in place, a typeface of its own, plots that say what they show, and
// pages that are there before they are chosen.

import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  complaintsOf,
  noBrowser,
  openBrowserWorld,
  scrollsSideways,
  violationsOf,
  type BrowserWorld,
} from '../harness/browser.ts';
import { makeAccount } from '../harness/factories.ts';
import { longForm } from '../harness/form.ts';
import { skips } from '../harness/needs.ts';

const SCREENS = longForm(['wide'] as const, ['wide', 'phone'] as const);

describe.skipIf(skips(noBrowser))('comfort', () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await openBrowserWorld();
  });
  afterAll(() => world.close());

  test.each(SCREENS)('help: a page leads to its document, %s', async (size) => {
    const page = await world.signedIn('/people', size);
    const complaints = complaintsOf(page);
    const help = page.getByRole('link', { name: 'Help with this page, in a new tab' });
    await help.waitFor();
    expect(await scrollsSideways(page)).toBe(false);
    const [doc] = await Promise.all([page.context().waitForEvent('page'), help.click()]);
    await doc.getByRole('heading', { level: 1, name: 'People, sessions and single sign-on' }).waitFor();
    await doc.getByRole('heading', { level: 2, name: 'Roles' }).waitFor();
    await doc.getByRole('cell', { name: 'super_admin' }).waitFor();
    expect(await violationsOf(doc)).toEqual([]);
    expect(await scrollsSideways(doc)).toBe(false);
    expect(complaints).toEqual([]);
  });

  test('documents: a heading is scrolled to, links stay in the dashboard, what is not there is said', async () => {
    const page = await world.signedIn('/docs');
    await page.goto('/docs/deliverability#mailbox-providers');
    const heading = page.getByRole('heading', { name: 'Mailbox providers' });
    await heading.waitFor();
    await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(200);
    await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
    await page.getByRole('link', { name: 'Documentation' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Glossary' }).click();
    await page.getByRole('heading', { level: 1, name: 'Glossary' }).waitFor();
    expect(await page.evaluate('sameDocument')).toBe(true);
    await page.goto('/docs/nothing');
    await page.getByText('No document with this name').waitFor();
  });

  test('the typeface comes from us, and before the script asks for it', async () => {
    const page = await world.openPage();
    const fonts: Request[] = [];
    page.on('request', (request) => void (request.resourceType() === 'font' && fonts.push(request)));
    await page.goto('/sign-in');
    await page.getByLabel('Email').waitFor();
    await page.evaluate('document.fonts.ready');
    expect(await page.evaluate("document.fonts.check('14px \"Inter Variable\"', 'Sign in')")).toBe(true);
    expect(fonts.map((request) => new URL(request.url()).pathname)).toEqual([
      expect.stringMatching(/^\/assets\/inter-latin-wght-normal-[\w-]+\.woff2$/),
    ]);
  });

  test.each(SCREENS)(
    'plots: the legend switches series by mouse and keyboard, axes have units, today is told apart, %s',
    async (size) => {
      await addMail(world);
      const page = await world.signedIn('/', size);
      const legend = page.getByRole('list', { name: 'Legend of Volume by day' });
      const [delivered, bounced] = [
        legend.getByRole('button', { name: 'Delivered' }),
        legend.getByRole('button', { name: 'Bounced' }),
      ];
      await delivered.waitFor();
      await legend.getByText('Today, so far').waitFor();
      const plot = page.getByRole('img', { name: /^Volume by day\. / });
      await plot.locator('canvas').waitFor();
      await plot.scrollIntoViewIfNeeded();
      expect(await plot.getAttribute('aria-label')).toMatch(/Bounced: .*The last one is today, so far\.$/);
      const before = await plot.screenshot();
      await bounced.click();
      expect(await bounced.getAttribute('aria-pressed')).toBe('false');
      expect(await plot.getAttribute('aria-label')).not.toContain('Bounced');
      await delivered.focus();
      await page.keyboard.press('Space');
      expect(await delivered.getAttribute('aria-pressed')).toBe('false');
      await expect.poll(async () => (await plot.screenshot()).equals(before)).toBe(false);
      await page.keyboard.press('Enter');
      await bounced.click();
      expect(await delivered.getAttribute('aria-pressed')).toBe('true');
      expect(await violationsOf(page)).toEqual([]);
      expect(await scrollsSideways(page)).toBe(false);
      const figures = page.getByRole('figure').filter({ has: legend });
      await figures.getByRole('button', { name: /^Show as table/ }).click();
      await figures.getByRole('rowheader', { name: /\(today, so far\)$/ }).waitFor();
    },
  );

  test.each(SCREENS)(
    'a long list reads on by itself once more was asked for, and draws only what is around the screen, %s',
    async (size) => {
      await world.api.context.db.pool.query(
        `insert into contacts (id, tenant_id, email, email_key)
         select gen_random_uuid(), $1, 'r' || n || '@example.com', 'r' || n || '@example.com' from generate_series(1, 700) n
         on conflict do nothing`,
        [world.tenant.id],
      );
      const page = await world.signedIn('/contacts', size);
      const table = page.getByRole('table', { name: 'Contacts' });
      const rows = table.getByRole('rowheader');
      await rows.nth(24).waitFor();
      expect([await rows.count(), await table.getAttribute('aria-rowcount')]).toEqual([25, null]);
      await page.getByRole('button', { name: 'Load more' }).click();
      const toEnd = async () => {
        await page.mouse.wheel(0, 3_000);
        return table.getAttribute('aria-rowcount');
      };
      await expect.poll(toEnd).toBe('701');
      await expect
        .poll(async () => (await toEnd()) && page.getByRole('button', { name: 'Load more' }).count())
        .toBe(0);
      // Rows are measured as they are drawn: the end moves while one comes near to it.
      const last = async () => {
        await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
        return table.locator('tr[aria-rowindex="701"]').count();
      };
      await expect.poll(last).toBe(1);
      expect(await rows.count()).toBeLessThan(200);
      expect(await violationsOf(page)).toEqual([]);
      expect(await scrollsSideways(page)).toBe(false);
      // Up to the top again: no gap on the way, and the first row is the first.
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight / 2)');
      const middle = () =>
        page.evaluate(
          () =>
            document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest('tr[aria-rowindex]') !== null,
        );
      await expect.poll(middle).toBe(true);
      await page.evaluate('scrollTo(0, 0)');
      await table.locator('tr[aria-rowindex="2"]').waitFor();
    },
  );

  test('a page that is pointed at is fetched, with what it asks first', async () => {
    const page = await world.signedIn('/profile');
    const nav = page.getByRole('navigation', { name: 'Main' });
    const { asked, quiet } = await watchQueries(page);
    for (const link of await nav.getByRole('link').all()) {
      const name = (await link.textContent()) ?? '';
      if (NO_FIRST_QUERY.has(name)) continue;
      await quiet();
      await page.mouse.move(900, 5); // away from all links
      const before = asked.length;
      await link.hover();
      await expect.poll(() => [name, asked.length > before]).toEqual([name, true]);
      await quiet();
      const ahead = asked.slice(before);
      await link.click();
      // The page asks again for what was fetched, word for word: else that was for nothing.
      const notAsked = () => ahead.filter((one) => !asked.slice(before + ahead.length).includes(one));
      await expect.poll(() => [name, notAsked()]).toEqual([name, []]);
    }
  });

  test('it is fetched by keyboard too, once, and not for who saves data', async () => {
    const page = await world.signedIn('/profile');
    const asked: string[] = [];
    page.on('request', (request) => {
      if ((request.postData() ?? '').includes('query Templates')) asked.push(request.url());
    });
    const link = page.getByRole('link', { name: 'Templates' });
    await page.evaluate("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })");
    await link.focus();
    await page.waitForTimeout(500); // as long as it would have taken
    expect(asked).toHaveLength(0);
    await page.evaluate('navigator.connection.saveData = false');
    for (let i = 0; i < 3; i++) {
      await page.getByRole('link', { name: 'Campaigns' }).focus();
      await link.focus();
      await expect.poll(() => asked.length).toBe(1);
    }
  });

  test('a page whose first question fails ahead of time says so when it is shown', async () => {
    const page = await world.signedIn('/profile');
    await page.route('**/graphql', (route) =>
      (route.request().postData() ?? '').includes('query Templates') ? route.abort() : route.continue(),
    );
    await page.getByRole('link', { name: 'Templates' }).hover();
    await page.waitForEvent('requestfailed');
    await page.getByRole('link', { name: 'Templates' }).click();
    await page.getByRole('alert').first().waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: /try again/i }).click();
    await page.getByText('No templates yet').waitFor();
  });
});

// Their first question depends on the day, or on who asks.
const NO_FIRST_QUERY = new Set(['Analytics', 'Single sign-on']);

// A week of mail of one domain, as the roll-up of days leaves it.
async function addMail({ api, tenant }: BrowserWorld): Promise<void> {
  const { domainId } = await makeAccount(api.context.db, { tenantId: tenant.id });
  await api.context.db.pool.query(
    `insert into domain_days (tenant_id, domain_id, day, simulated, sent, delivered, bounced)
     select $1, $2, (now() at time zone 'UTC')::date - n, false, 1200, 1100 - n * 20, 60 + n from generate_series(0, 13) n`,
    [tenant.id, domainId],
  );
}

// The queries that a page asks, and a wait until all are answered. Live views are none: they are never over.
async function watchQueries(page: Page): Promise<{ asked: string[]; quiet: () => Promise<void> }> {
  const asked: string[] = [];
  const open = new Set<Request>();
  page.on('request', (request) => {
    const text = request.postData() ?? '';
    if (!request.url().endsWith('/graphql') || !text.includes('"query":"query ')) return;
    asked.push(text);
    open.add(request);
  });
  page.on('requestfinished', (request) => void open.delete(request));
  page.on('requestfailed', (request) => void open.delete(request));
  // What follows an answer is asked when it has been drawn.
  const drawn = () =>
    page.evaluate('new Promise((done) => requestIdleCallback(() => requestIdleCallback(done)))');
  const quiet = async () => {
    for (let before = -1; before < asked.length;) {
      before = asked.length;
      await page.waitForTimeout(300);
      await expect.poll(() => open.size).toBe(0);
      await drawn();
    }
  };
  await quiet();
  return { asked, quiet };
}
