// A campaign that cannot go wrong: what is typed is saved and has an address, two tabs do not overwrite each other, and a
// launch can be undone before anything leaves.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';

import { newUuid } from '../../core/base/ids.ts';
import {
  complaintsOf,
  noBrowser,
  openBrowserWorld,
  scrollsSideways,
  violationsOf,
  type BrowserWorld,
} from '../harness/browser.ts';
import { makeSignedAccount } from '../harness/factories.ts';
import { skips } from '../harness/needs.ts';
import { startService, type Service } from '../harness/service.ts';

describe.skipIf(skips(noBrowser))('a campaign', () => {
  let world: BrowserWorld;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    world = await openBrowserWorld();
    await makeSignedAccount(world.api.context, { tenantId: world.tenant.id, domain: 'news.example.com' });
  });
  beforeEach(async () => {
    page = await world.signedIn('/campaigns');
    complaints = complaintsOf(page);
  });
  afterAll(() => world?.close());

  const saved = (of: Page) => of.getByText(/^Draft saved/).waitFor();
  const html = () => page.getByRole('textbox', { name: 'HTML' }); // the preview has a tab of that name
  // The address gets the id after the first save was answered.
  const idOf = async (of: Page) => {
    await of.waitForURL(/\/campaigns\/cmp_/);
    return /\/campaigns\/(cmp_[^/]+)/.exec(of.url())![1]!;
  };

  async function written(name: string): Promise<void> {
    await page.goto('/campaigns/new');
    await page.getByLabel('Campaign name').fill(name);
    await page.getByLabel('All contacts').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Subject').fill('Hello');
    await html().fill('<p>Hello <a href="{{ unsubscribe_url }}">Unsubscribe</a></p>');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Continue to review' }).click();
    await page.getByRole('heading', { name, exact: true }).waitFor();
  }

  test('an empty name is told at the name, and steps that are not done are not skipped', async () => {
    await page.getByRole('link', { name: 'New campaign' }).first().click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Enter a campaign name.', { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/campaigns/new/edit/audience');
    expect(await page.getByLabel('Campaign name').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Campaign name').fill('Half');
    await page.getByLabel('All contacts').check();
    await page.getByRole('navigation', { name: 'Steps' }).getByText('Review').click();
    await page.getByText('Enter a subject.', { exact: true }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/campaigns\/cmp_\w+\/edit\/content$/);
    expect(await violationsOf(page)).toEqual([]);
  });

  test('what was typed is there after a reload, half-written Liquid too, and Back goes a step back', async () => {
    await page.goto('/campaigns/new');
    await page.getByLabel('Campaign name').fill('Kept');
    await saved(page);
    expect(await page.evaluate('document.activeElement.value')).toBe('Kept'); // nobody is thrown out of the field
    await page.getByLabel('All contacts').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await html().fill('<p>{% if first_name');
    await saved(page);
    await page.reload();
    expect(await html().inputValue()).toBe('<p>{% if first_name');
    await html().fill('<p>Left at once</p>');
    await page.getByRole('link', { name: 'Contacts' }).first().click(); // no second passes
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
    await page.goBack();
    await expect.poll(() => html().inputValue()).toBe('<p>Left at once</p>');
    await page.goBack();
    await page.getByLabel('Campaign name').waitFor();
    expect(await page.getByLabel('Campaign name').inputValue()).toBe('Kept');
    expect(complaints).toEqual([]);
  });

  test('a field that the api refuses is told there, and holds nothing else up', async () => {
    await page.goto('/campaigns/new');
    await page.getByLabel('Campaign name').fill('Refused');
    await saved(page);
    const id = await idOf(page);
    await page.goto(`/campaigns/${id}/edit/sender`);
    await page.getByLabel('Sender name').fill('Shop');
    await page.getByLabel('Reply to').fill('no address');
    await page.getByText(/^Reply to is not a mailbox/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const asking = page.waitForEvent('dialog');
    const reloading = page.reload();
    const dialog = await asking;
    expect(dialog.type()).toBe('beforeunload'); // the reply address would be lost
    await dialog.accept();
    await reloading;
    expect(await page.getByLabel('Sender name').inputValue()).toBe('Shop');
  });

  test('of two tabs the later one is told, and decides', async () => {
    await page.goto('/campaigns/new');
    await page.getByLabel('Campaign name').fill('Two tabs');
    await saved(page);
    const other = await world.signedIn(`/campaigns/${await idOf(page)}/edit/audience`, 'phone');
    await page.getByLabel('Campaign name').fill('From the first');
    await saved(page);
    await other.getByLabel('Campaign name').fill('From the second');
    await other.getByText(/^This campaign was changed in another tab/).waitFor();
    expect(await violationsOf(other)).toEqual([]);
    expect(await scrollsSideways(other)).toBe(false);
    await other.getByRole('button', { name: 'Load the newer version' }).click();
    await expect.poll(() => other.getByLabel('Campaign name').inputValue()).toBe('From the first');
    await other.getByLabel('Campaign name').fill('From the second');
    await saved(other);
    await page.getByLabel('Campaign name').fill('From the first again');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await saved(page);
    await other.reload();
    expect(await other.getByLabel('Campaign name').inputValue()).toBe('From the first again');
  });

  test('a launch is undone within seconds, and what was launched starts by itself', async () => {
    await written('Undone');
    const id = await idOf(page);
    await page.getByText(/^\d+ checks passed$/).click();
    await page.getByRole('list', { name: 'Passed' }).getByText('Size').waitFor();
    await page.getByRole('button', { name: 'Launch' }).first().click(); // at the top
    await page.getByRole('dialog').getByText('0 recipients. Nobody would get this campaign.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Launch' }).click();
    await page
      .getByText(/reaches nobody: 0 contacts/)
      .first()
      .waitFor();
    const { pool } = world.api.context.db;
    await pool.query(
      `insert into contacts (id, tenant_id, email, email_key) values ($1, $2, 'one@sink.test', 'one@sink.test')`,
      [newUuid(), world.tenant.id],
    );
    await page.reload();
    await page.getByRole('button', { name: 'Launch' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Launch' }).click();
    await page.getByText(/^Sending starts in \d+ seconds/).waitFor();
    await page.clock.setFixedTime(Date.now()); // what follows may take longer than the ten seconds
    expect(await violationsOf(page)).toEqual([]);
    await page.reload(); // it is the server that waits
    await page.getByRole('button', { name: 'Undo launch' }).click();
    await page.getByText('Launch undone. Nothing was sent').waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/campaigns/${id}/edit/review`);
    const scheduler: Service = await startService('scheduler', world.api.context.env);
    await page.getByRole('button', { name: 'Launch' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Launch' }).click();
    await page.getByText(/^Sending starts in/).waitFor();
    await pool.query('delete from contacts where tenant_id = $1', [world.tenant.id]);
    await page.getByText('sent', { exact: true }).waitFor(); // nobody is in the audience
    await scheduler.kill();
    expect(complaints).toEqual([]);
  });

  test('a duplicate is a draft with the same words', async () => {
    await written('Original');
    await page.goto(`/campaigns/${await idOf(page)}`);
    await page.getByRole('button', { name: 'Duplicate' }).click();
    await expect.poll(() => page.getByLabel('Campaign name').inputValue()).toBe('Copy of Original');
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(await page.getByLabel('Subject').inputValue()).toBe('Hello');
  });
});
