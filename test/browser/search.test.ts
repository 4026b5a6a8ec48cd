// "Where is my e-mail?" in the browser: Ctrl-K on any page, by keyboard alone, on a phone, and when the api does not answer.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import {
  complaintsOf,
  noBrowser,
  openBrowserWorld,
  scrollsSideways,
  violationsOf,
  type BrowserWorld,
} from '../harness/browser.ts';
import { makeMessageRow } from '../harness/message-row.ts';
import { skips } from '../harness/needs.ts';

const EVIL = '<img src=x onerror="alert(1)"> Your order 4711 has shipped';

describe.skipIf(skips(noBrowser))('search', () => {
  let world: BrowserWorld;
  let page: Page;
  let phone: Page;
  let complaints: string[];
  let message: string;
  const contact = newUuid();
  const email = 'ann.meyer@example.net';

  beforeAll(async () => {
    world = await openBrowserWorld();
    const { db } = world.api.context;
    const { id } = world.tenant;
    const put = (to: string, state: string, subject: string) =>
      makeMessageRow(db, id, { state, to, subject });
    await put('bob.meyer@example.org', 'bounced', 'Invoice of November');
    message = toId('msg', await put(email, 'delivered', EVIL));
    await db.pool.query(
      `insert into contacts (id, tenant_id, email, email_key, first_name, last_name) values ($1, $2, $3, $3, 'Ann', 'Meyer')`,
      [contact, id, email],
    );
    await db.pool.query(
      `insert into suppressions (tenant_id, email, reason) values ($1, 'bob.meyer@example.org', 'bounce')`,
      [id],
    );
    await db.pool.query(
      `insert into campaigns (id, tenant_id, name, header_from, subject, audience)
       values ($1, $2, 'Meyer winter sale', 'a@example.com', 'Everything must go', '{"all": true}')`,
      [newUuid(), id],
    );
    page = await world.signedIn('/domains');
    phone = await world.signedIn('/domains', 'phone');
    complaints = [page, phone].flatMap((one) => complaintsOf(one));
  });
  afterAll(() => world.close());

  const looksRight = async (name: string) => {
    for (const [size, shown] of [['wide', page] as const, ['phone', phone] as const]) {
      expect(await violationsOf(shown), `${name} ${size}`).toEqual([]);
      expect(await scrollsSideways(shown), `${name} ${size}`).toBe(false);
    }
  };

  test('Ctrl-K, a part of an address: all kinds in groups, by keyboard to the page', async () => {
    await page.keyboard.press('Control+k');
    await phone.getByRole('button', { name: 'Search' }).click();
    for (const shown of [page, phone]) await shown.getByText('At least 3 characters.').waitFor();
    await looksRight('search-empty');
    for (const shown of [page, phone]) {
      const box = shown.getByRole('combobox', { name: 'Search' });
      await box.pressSequentially('meyer');
      await shown.getByRole('option', { name: EVIL }).waitFor(); // as text
      const groups = shown.getByRole('listbox').getByRole('group');
      expect(await groups.count()).toBe(4);
      for (const name of ['Messages', 'Contacts', 'Suppressions', 'Campaigns'])
        await shown.getByRole('group', { name }).getByRole('option').first().waitFor();
    }
    await looksRight('search-found');

    const box = page.getByRole('combobox', { name: 'Search' });
    const chosen = page.locator('[role=option][aria-selected=true]');
    expect(await chosen.textContent()).toContain(EVIL);
    await box.press('ArrowDown');
    await box.press('ArrowDown');
    expect(await chosen.textContent()).toContain(email);
    await box.press('ArrowUp');
    await box.press('ArrowUp');
    await box.press('ArrowUp'); // round to the last
    expect(await chosen.textContent()).toContain('Meyer winter sale');
    await box.press('ArrowDown');
    await box.press('Enter');
    await page.waitForURL(`**/messages/${message}`);
    expect(await page.getByRole('dialog').count()).toBe(0);

    await phone.getByRole('group', { name: 'Contacts' }).getByRole('option').click();
    await phone.waitForURL(`**/contacts/${toId('con', contact)}`);
  });

  test('an id goes to its page, what is nowhere is said, one question for many keys', async () => {
    const asked: string[] = [];
    page.on('request', (request) => {
      const { query, variables } = request.postDataJSON() ?? {};
      if (/query Search/.test(query ?? '')) asked.push(variables.text);
    });
    await page.getByRole('button', { name: 'Search' }).click();
    const box = page.getByRole('combobox', { name: 'Search' });
    await box.pressSequentially('nowhere to be found', { delay: 10 });
    await page.getByRole('status').filter({ hasText: 'Nothing found.' }).waitFor();
    expect(asked.at(-1)).toBe('nowhere to be found');
    expect(asked.length).toBeLessThan(6); // of 19 keys, on a machine however busy
    await box.fill(toId('dom', newUuid()));
    await page.getByRole('option', { name: 'Open domain' }).waitFor();
    await box.fill(message);
    await page.getByRole('option', { name: EVIL }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Meta+k');
    await box.waitFor();
    expect(await box.inputValue()).toBe('');
  });

  test('an api that refuses or is away: the box says so and nothing is chosen', async () => {
    const box = page.getByRole('combobox', { name: 'Search' });
    await box.fill('meyer\u0000');
    await page
      .getByRole('status')
      .filter({ hasText: /U\+0000|NUL/i })
      .waitFor();
    expect(await page.getByRole('option').count()).toBe(0);
    await page.route('**/graphql', (route) => route.abort());
    await box.fill('meyer again');
    await page.getByRole('status').filter({ hasText: 'The server cannot be reached.' }).waitFor();
    expect(await page.getByRole('option').count()).toBe(0);
    await page.unroute('**/graphql');
    await box.fill('meyer');
    await page.getByRole('option', { name: EVIL }).waitFor();
    expect(complaints).toEqual([]);
  });
});
