// The suppression list shows which mail an entry stops; the dialog proposes it by the reason and lets it be chosen, on a phone too.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  complaintsOf,
  noBrowser,
  openBrowserWorld,
  scrollsSideways,
  violationsOf,
  type BrowserWorld,
} from '../harness/browser.ts';
import { skips } from '../harness/needs.ts';

describe.skipIf(skips(noBrowser))('suppressions', () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await openBrowserWorld();
  });
  afterAll(() => world.close());

  const add = async (page: Page, email: string, reason: string, chosen?: string) => {
    await page.getByRole('button', { name: 'Add suppressions' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Addresses').fill(email);
    await dialog.getByLabel('Reason').selectOption(reason);
    const stops = dialog.getByLabel('Stops');
    if (chosen) await stops.selectOption(chosen);
    const proposed = await stops.locator('option:checked').textContent();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Suppress' }).click();
    await dialog.waitFor({ state: 'detached' });
    return proposed;
  };

  test.each(['wide', 'phone'] as const)('say which mail they stop (%s)', async (size) => {
    const page = await world.signedIn('/suppressions', ...(size === 'phone' ? (['phone'] as const) : []));
    const complaints = complaintsOf(page);
    const emails = ['left', 'bounced', 'chosen'].map((name) => `${name}-${size}@example.net`);
    const [left = '', bounced = '', chosen = ''] = emails;
    expect(await add(page, left, 'Unsubscribe')).toBe('Marketing only');
    expect(await add(page, bounced, 'Bounce')).toBe('All mail');
    expect(await add(page, chosen, 'Manual', 'Marketing only')).toBe('Marketing only');
    const row = (email: string) => page.getByRole('row', { name: email });
    await row(left).getByText('Marketing only').waitFor();
    await row(bounced).getByText('All mail').waitFor();
    await row(chosen).getByText('Marketing only').waitFor();
    expect(await scrollsSideways(page)).toBe(false);
    expect(await violationsOf(page)).toEqual([]);

    await page.getByRole('button', { name: `Remove ${chosen}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Campaigns and mail with an unsubscribe link will be sent').waitFor();
    await dialog.getByRole('button', { name: 'Remove suppression' }).click();
    await row(chosen).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
});
