// The keyboard map: `?` lists the keys, `g m` goes to messages, `j` and `k` move in a list, `/` goes to the filter; none of
// them while one types, and none when they are switched off.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createTemplate } from '../../core/template/templates.ts';
import { TESTER } from '../harness/actor.ts';
import {
  complaintsOf,
  noBrowser,
  openBrowserWorld,
  scrollsSideways,
  violationsOf,
  type BrowserWorld,
} from '../harness/browser.ts';
import { longForm } from '../harness/form.ts';
import { skips } from '../harness/needs.ts';

const SCREENS = longForm(['wide'] as const, ['wide', 'phone'] as const);

describe.skipIf(skips(noBrowser))('the keyboard map', () => {
  let world: BrowserWorld;

  beforeAll(async () => {
    world = await openBrowserWorld();
    for (const name of ['First', 'Second']) {
      const input = { name, subject: 's', html: '<p>x</p>', text: null, variables: [] };
      await createTemplate(world.api.deps, TESTER, world.tenant.id, input);
    }
  });
  afterAll(() => world?.close());

  const focused = (page: Page) => page.evaluate('document.activeElement.textContent');
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();

  test.each(SCREENS)('on a %s screen', async (size) => {
    const page = await world.signedIn('/', size);
    const complaints = complaintsOf(page);
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.getByText('Messages', { exact: true }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
    await page.keyboard.type('gm'); // not while a dialog is open
    await page.keyboard.press('Escape');
    await heading(page, 'Overview');
    await page.keyboard.type('gm');
    await heading(page, 'Messages');
    await page.keyboard.press('/');
    await page.keyboard.type('gt?jk'); // typed, since the filter has the focus
    expect(await page.evaluate('document.activeElement.value')).toBe('gt?jk');
    await page.keyboard.press('Tab');
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.type('gt');
    await heading(page, 'Templates');
    await page.getByRole('link', { name: 'Second' }).waitFor();
    await page.keyboard.press('/'); // no filter here: the search of everything
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    await page.keyboard.type('gm');
    await page.keyboard.press('Escape');
    await page.keyboard.type('jj');
    expect(await focused(page)).toBe('First'); // the newest is on top
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await heading(page, 'Second');
    const html = page.getByRole('textbox', { name: 'HTML' });
    await html.click();
    await page.keyboard.type('gm?/'); // typed into the code
    await html.getByText('gm?/').waitFor();
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('?');
    await list.getByRole('switch', { name: 'Keyboard shortcuts' }).click();
    await page.keyboard.press('Escape');
    await page.keyboard.type('gm');
    await page.keyboard.press('?'); // still shows the list
    await list.waitFor();
    await page.keyboard.press('Escape');
    await heading(page, 'Second');
    expect(complaints).toEqual([]);
  });
});
