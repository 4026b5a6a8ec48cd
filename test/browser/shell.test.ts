// What all pages share: lists that go on, and everything by keyboard and on a phone.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { noBrowser, openBrowserWorld, seriousViolations, type BrowserWorld } from '../harness/browser.ts';
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
    expect(await seriousViolations(phone)).toEqual([]);
    await phone.getByRole('dialog').getByRole('link', { name: 'Domains' }).click();
    await phone.waitForURL('**/domains');
    await phone.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
