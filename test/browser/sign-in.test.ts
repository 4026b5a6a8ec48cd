// The way in, and API keys: made, used over REST, revoked. On a wide screen and on a phone.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { sleep } from '../../core/base/clock.ts';
import {
  complaintsOf,
  noBrowser,
  openBrowserWorld,
  scrollsSideways,
  violationsOf,
  signIn,
  type BrowserWorld,
} from '../harness/browser.ts';
import { makeAccount } from '../harness/factories.ts';
import { longForm } from '../harness/form.ts';
import { skips } from '../harness/needs.ts';
import { waitUntil } from '../harness/wait.ts';

const LATE_MS = 3_000; // longer than people wait before they load a page again
const SCREENS = longForm(['wide'] as const, ['wide', 'phone'] as const);

describe.skipIf(skips(noBrowser))('dashboard', () => {
  let world: BrowserWorld;
  let domain: string;
  beforeAll(async () => {
    world = await openBrowserWorld();
    ({ domain } = await makeAccount(world.api.context.db, { tenantId: world.tenant.id }));
  });
  afterAll(() => world.close());

  test.each(SCREENS)('sign in, make a key, use it, revoke it (%s)', async (size) => {
    const page = await world.openPage(size);
    const complaints = complaintsOf(page);
    await page.goto('/api-keys?from=mail');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);

    await page.getByLabel('Email').fill(world.owner.email);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').getByText(/./).waitFor();
    await signIn(page, world.owner);
    await page.waitForURL('**/api-keys?from=mail'); // back to where one was going
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);

    const name = `web shop ${size}`;
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByLabel('Name').and(page.locator('[aria-invalid=true]')).waitFor();
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('templates:read').check();
    await dialog.getByLabel('Domain', { exact: true }).selectOption(domain);
    expect(await dialog.getByLabel('templates:read').isDisabled()).toBe(true);
    expect(await dialog.getByLabel('templates:read').isChecked()).toBe(false);
    await dialog.getByLabel('Expires').fill('2999-01-31T08:00');
    await dialog.getByLabel('Allowed addresses').fill('127.0.0.1/8');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('the block is 127.0.0.0/8').waitFor();
    await dialog.getByLabel('Allowed addresses').fill('127.0.0.0/8\n2001:db8::/32');
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const shown = page.getByLabel('API key', { exact: true });
    await shown.waitFor();
    const key = ((await shown.textContent()) ?? '').trim();
    expect(key).toMatch(/^sk_live_/);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Copy key', exact: true }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name }).getByText(`Sends from ${domain} only`).waitFor();
    await page.getByRole('row', { name }).getByText('From 127.0.0.0/8, 2001:db8::/32').waitFor();
    await page.getByRole('row', { name }).getByText('Jan 31, 2999').waitFor();
    expect(await page.content()).not.toContain(key);
    expect((await world.api.call('GET', '/whoami', { key })).status).toBe(200);
    expect((await world.api.call('GET', '/templates', { key })).status).toBe(403);

    await page.getByRole('button', { name: `Revoke ${name}` }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('row', { name }).getByText('revoked').waitFor();
    await waitUntil(async () => (await world.api.call('GET', '/whoami', { key })).status === 401);
    expect(await violationsOf(page)).toEqual([]);

    await page.reload(); // the session outlives the page: the refresh cookie has it
    await page.getByRole('row', { name }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('a page waits for the answer to the refresh that the page before it began, however late it is', async () => {
    const page = await world.signedIn('/profile');
    await page.reload(); // the cookies of a refresh are there
    const steps: string[] = [];
    const asked = Promise.withResolvers<void>();
    await page.context().route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('refresh')) return route.continue();
      const name = steps.length === 0 ? 'first' : 'next';
      steps.push(`${name} asked`);
      asked.resolve();
      if (name === 'first') await sleep(LATE_MS);
      const response = await route.fetch(); // which keeps its cookies
      steps.push(`${name} answered`);
      await route.fulfill({ response }).catch(() => {}); // the first page has gone
    });
    await page.goto('/profile', { waitUntil: 'commit' });
    await asked.promise;
    await page.goto('/profile');
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
    expect(steps).toEqual(['first asked', 'first answered', 'next asked', 'next answered']);
  });

  test('a page that is loaded again while it loads stays signed in', async () => {
    const page = await world.signedIn('/profile');
    for (let n = 0; n < 5; n++) {
      const refresh = page.waitForRequest((request) => request.postData()?.includes('refresh') === true);
      await page.goto('/profile', { waitUntil: 'commit' });
      await refresh; // whose answer comes when this page has gone
      await page.goto('/profile');
      await page.getByRole('heading', { name: 'Profile' }).waitFor();
    }
  });

  test('two tabs that load at once share one session, and signing out ends it in both', async () => {
    const first = await world.signedIn('/api-keys');
    const second = await first.context().newPage();
    const third = await first.context().newPage();
    await Promise.all([first.reload(), second.goto('/api-keys'), third.goto('/profile')]);
    await Promise.all([first, second, third].map((page) => page.getByRole('banner').waitFor()));
    await first.bringToFront(); // a browser draws pages behind others once a second
    await first.getByRole('button', { name: world.tenant.name }).click();
    await first.getByRole('menuitem', { name: 'Sign out' }).click();
    for (const page of [first, second, third]) await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
