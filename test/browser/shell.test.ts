// What all pages share: lists that go on, and everything by keyboard and on a phone.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  noBrowser,
  openBrowserWorld,
  scrollsSideways,
  violationsOf,
  signIn,
  strayScrollers,
  type BrowserWorld,
} from '../harness/browser.ts';
import { skips } from '../harness/needs.ts';

describe.skipIf(skips(noBrowser))('shell', () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await openBrowserWorld();
  });
  afterAll(() => world.close());

  test('a long list is read on by pages, and keeps its length when something in it changes', async () => {
    const { tenantId } = await world.api.makeKey({ tenantId: world.tenant.id });
    for (let i = 0; i < 30; i++) await world.api.makeKey({ tenantId });
    const page = await world.signedIn('/api-keys');
    const rows = page.getByRole('row').filter({ has: page.getByRole('rowheader') });
    await rows.nth(24).waitFor();
    expect(await rows.count()).toBe(25);
    await page.getByRole('button', { name: 'Load more' }).click();
    await rows.nth(30).waitFor();
    const all = await rows.count();
    await rows
      .nth(28)
      .getByRole('button', { name: /^Revoke/ })
      .click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await rows.nth(28).getByText('revoked').waitFor();
    expect(await rows.count()).toBe(all);
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  });

  test('a page of a list that is on its way is shown when the first one is read again meanwhile', async () => {
    const { tenantId } = await world.api.makeKey({ tenantId: world.tenant.id });
    for (let i = 0; i < 30; i++) await world.api.makeKey({ tenantId });
    const page = await world.signedIn('/api-keys');
    const rows = page.getByRole('row').filter({ has: page.getByRole('rowheader') });
    await rows.nth(24).waitFor();
    const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/graphql', async (route) => {
      const { variables } = route.request().postDataJSON() as { variables?: { after?: string } };
      if (variables?.after) {
        held.resolve();
        await release.promise;
      }
      await route.continue();
    });
    await page.getByRole('button', { name: 'Load more' }).click();
    await held.promise;
    await rows
      .nth(3)
      .getByRole('button', { name: /^Revoke/ })
      .click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await rows.nth(3).getByText('revoked').waitFor();
    release.resolve();
    await rows.nth(30).waitFor();
  });

  test('keyboard: skip link, focus goes to the new page, the drawer of a phone', async () => {
    const page = await world.signedIn('/api-keys');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    await page.getByRole('link', { name: 'Events' }).click();
    await page.waitForURL('**/events');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');

    const phone = await world.signedIn('/api-keys', 'phone');
    await phone.getByRole('button', { name: 'Open navigation' }).click();
    expect(await violationsOf(phone)).toEqual([]);
    await phone.getByRole('dialog').getByRole('link', { name: 'Domains' }).click();
    await phone.waitForURL('**/domains');
    await phone.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('tabs have no scroll bar of their own', async () => {
    for (const size of ['wide', 'phone'] as const) {
      const page = await world.signedIn('/contacts', size);
      await page.getByRole('navigation', { name: 'Contacts' }).waitFor();
      expect(await strayScrollers(page)).toEqual([]);
      await page.goto('/inbound');
      await page.getByRole('navigation', { name: 'Inbound mail' }).waitFor();
      expect(await strayScrollers(page)).toEqual([]);
    }
  });

  test('a dialog and the drawer dim the page behind them', async () => {
    const dim = async (page: Page) => {
      const overlay = page.locator('.fixed.inset-0[data-state=open]').first();
      await overlay.waitFor();
      return overlay.evaluate((element) => getComputedStyle(element).backgroundColor);
    };
    const page = await world.signedIn('/domains');
    await page.getByRole('button', { name: 'Add domain' }).first().click();
    expect(await dim(page)).toMatch(/0\.45\)?$/);
    const phone = await world.signedIn('/domains', 'phone');
    await phone.getByRole('button', { name: 'Open navigation' }).click();
    expect(await dim(phone)).toMatch(/0\.4\)?$/);
  });

  test('offline is called offline, and the page comes by itself when the connection is back', async () => {
    const page = await world.signedIn('/api-keys');
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline. What you see may have changed since.').waitFor();
    await page.getByRole('link', { name: 'Templates' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'You are offline' });
    await alert.getByText('the server cannot be reached').waitFor();
    expect(await page.getByText('new version').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await page.context().setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor();
    expect(await page.getByText('You are offline').count()).toBe(0);
  });

  test('a page that the database was away for comes by itself', async () => {
    const page = await world.openPage();
    let refused = 0;
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('viewer') || refused > 0) return route.continue();
      refused += 1;
      const error = { message: 'The database is away.', extensions: { code: 'unavailable' } };
      await route.fulfill({ json: { errors: [error] } });
    });
    await page.goto('/templates');
    const told = page.getByRole('alert').getByText('The database is away.').waitFor();
    await signIn(page, world.owner);
    await told;
    await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor();
    expect(refused).toBe(1);
  });

  test('one clock: the chosen zone is named and used everywhere, with seconds on hover', async () => {
    const page = await world.signedIn('/profile');
    const created = page.getByRole('main').locator('time').first();
    await page.getByRole('link', { name: /^Times in / }).waitFor();
    await page.getByLabel('Show times in').selectOption('Asia/Tokyo');
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Times in Asia/Tokyo' }).waitFor();
    expect(await created.textContent()).toMatch(/^[A-Z][a-z]{2} \d+, \d{4}, \d\d:\d\d GMT\+9$/);
    expect(await created.getAttribute('title')).toMatch(/ \d\d:\d\d:\d\d GMT\+9$/);
    // It is the person's, in every browser.
    const phone = await world.signedIn('/profile', 'phone');
    await phone.getByText('GMT+9').first().waitFor();
    await phone.getByLabel('Show times in').selectOption('UTC');
    await phone.getByText('Saved', { exact: true }).waitFor();
    expect(await phone.getByRole('main').locator('time').first().textContent()).toMatch(/UTC$/);
    expect(await violationsOf(phone)).toEqual([]);
    expect(await scrollsSideways(phone)).toBe(false);
  });

  test('what is past is never to come, whatever the clock of the computer says', async () => {
    const page = await world.openPage();
    await page.clock.setFixedTime(Date.now() - 20 * 60_000); // a computer that is 20 minutes late
    await page.goto('/api-keys');
    await signIn(page, world.owner);
    await world.api.makeKey({ tenantId: world.tenant.id });
    await page.reload();
    const created = page.getByRole('table', { name: 'API keys' }).locator('time').first();
    await created.waitFor();
    expect(await created.textContent()).toBe('just now');
  });

  test('Back returns to the place in a list: its pages, and where it was scrolled to', async () => {
    const page = await world.signedIn('/contacts');
    await world.api.context.db.pool.query(
      `insert into contacts (id, tenant_id, email, email_key)
       select gen_random_uuid(), $1, 'c' || n || '@example.com', 'c' || n || '@example.com' from generate_series(1, 60) n`,
      [world.tenant.id],
    );
    await page.reload();
    const rows = page.getByRole('table', { name: 'Contacts' }).getByRole('rowheader');
    await rows.nth(24).waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await rows.nth(59).waitFor();
    const name = await rows.nth(45).textContent();
    await rows.nth(45).scrollIntoViewIfNeeded();
    const y = await page.evaluate<number>('scrollY');
    expect(y).toBeGreaterThan(500);
    await rows.nth(45).getByRole('link').click();
    const heading = page.getByRole('heading', { level: 1 }).filter({ hasText: name! });
    await heading.waitFor();
    expect(await page.evaluate('scrollY')).toBe(0);
    // Also when a person leaves again before the pages are read. Five times: the answers come at other moments.
    for (let i = 0; i < 5; i++) {
      await page.goBack();
      await page.goForward();
      await heading.waitFor();
      await page.goBack();
      await rows.nth(59).waitFor();
      await page.goForward();
      await heading.waitFor();
    }
    await page.goBack();
    await rows.nth(59).waitFor();
    await page.waitForFunction((was) => Math.abs(scrollY - was) < 2, y);
  });
});
