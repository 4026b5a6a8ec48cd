// The first steps lead to where they are done: their links open the dialogs, and the page of a verified domain offers the next one.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import {
  complaintsOf,
  noBrowser,
  openBrowserWorld,
  scrollsSideways,
  violationsOf,
  strayScrollers,
  type BrowserWorld,
} from '../harness/browser.ts';
import { makeAccount } from '../harness/factories.ts';
import { skips } from '../harness/needs.ts';

describe.skipIf(skips(noBrowser))('the first steps', () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await openBrowserWorld();
  });
  afterAll(() => world?.close());

  test('their links open the dialogs, and an error of a field goes away when the field is changed', async () => {
    const page = await world.signedIn('/');
    const complaints = complaintsOf(page);
    const steps = page.getByRole('list', { name: 'First steps' });
    for (const [step, link, dialog] of [
      ['Create an API key', 'Create a key', 'Create an API key'],
      ['Receive events by webhook', 'Add a webhook', 'Create a webhook'],
      ['Invite your team', 'Invite somebody', 'Invite a person'],
      ['Verify the domain you send from', 'Add a domain', 'Add a domain'],
    ] as const) {
      await page.getByRole('link', { name: 'Postrider, overview' }).click();
      await steps.getByRole('button', { name: step }).click();
      await steps.getByRole('link', { name: link }).click();
      await page.getByRole('dialog', { name: dialog }).waitFor();
      if (link !== 'Add a domain') await page.keyboard.press('Escape');
    }
    const form = page.getByRole('dialog', { name: 'Add a domain' });
    const add = form.getByRole('button', { name: 'Add domain' });
    await add.click();
    const problem = form.getByText('Domain is required.');
    await problem.waitFor();
    await form.getByLabel('Domain').fill('mail.example.org');
    await problem.waitFor({ state: 'detached' });
    await form.getByLabel('Domain').fill('');
    await problem.waitFor(); // it is what was refused again
    await form.getByLabel('Domain').fill('localhost');
    await add.click();
    await form.locator('[aria-invalid=true]').waitFor();
    await form.getByLabel('Domain').fill('mail.example.org');
    expect(await form.locator('[aria-invalid=true]').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('the page of a verified domain offers the next step, wide and on a phone', async () => {
    const { domainId } = await makeAccount(world.api.context.db, { tenantId: world.tenant.id });
    for (const size of ['wide', 'phone'] as const) {
      const page = await world.signedIn(`/domains/${toId('dom', domainId)}`, size);
      const next = page.getByRole('region', { name: 'Next step' });
      await next.getByText('Next: Create an API key.').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(await scrollsSideways(page)).toBe(false);
      if (size === 'phone') continue;
      await next.getByRole('link', { name: 'Create a key' }).click();
      await page.getByRole('dialog', { name: 'Create an API key' }).waitFor();
    }
  });

  test.each([
    ['wide', 'Create an API key'],
    ['phone', 'Create an API key'],
    ['wide', 'Make the first API call'],
    ['phone', 'Make the first API call'],
  ] as const)('the overview does not move while it loads (%s, %s)', async (size, step) => {
    const { id: tenantId } = world.tenant;
    await makeAccount(world.api.context.db, { tenantId });
    if (step === 'Make the first API call') await world.api.makeKey({ tenantId });
    const page = await world.signedIn('/', size);
    await page.addInitScript(() => {
      const moved: { value: number; what: string[] }[] = [];
      Object.assign(globalThis, { moved });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as unknown as Shift[])
          moved.push({
            value: entry.value,
            what: entry.sources.map(({ node }) => node?.parentElement?.outerHTML.slice(0, 200) ?? ''),
          });
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.reload();
    const open = page.getByRole('button', { name: step, expanded: true });
    await open.waitFor();
    await page.getByRole('heading', { name: 'Warm-up', exact: true }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    const moved = await page.evaluate<{ value: number; what: string[] }[]>('moved');
    expect(await strayScrollers(page)).toEqual([]);
    const sum = moved.reduce((all, { value }) => all + value, 0);
    expect(sum, JSON.stringify(moved, null, 2)).toBeLessThan(0.05);
  });
});

interface Shift {
  value: number;
  sources: { node: Node | null }[];
}
