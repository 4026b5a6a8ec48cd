// The first day of somebody who has only the page: sign in, verify a domain, send a message and see it arrive, bring in
// contacts, and watch a campaign go out.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { freePort } from '../../local/servers/free-port.ts';
import { startSimulator, type Simulator } from '../../local/simulator/start-simulator.ts';
import { createApiWorld } from '../harness/api-world.ts';
import {
  complaintsOf,
  noBrowser,
  openBrowserWorld,
  scrollsSideways,
  violationsOf,
  signIn,
  type BrowserWorld,
} from '../harness/browser.ts';
import { skips } from '../harness/needs.ts';
import { startService, type Service } from '../harness/service.ts';

const DOMAIN = 'first.example.com';
const CONTACTS = 55; // five more than the first day's cap less the message before them

describe.skipIf(skips(noBrowser))('the first day', () => {
  let simulator: Simulator;
  let world: BrowserWorld;
  let services: Service[];
  beforeAll(async () => {
    simulator = await startSimulator();
    const port = String(await freePort());
    const api = await createApiWorld({
      SENDER_ADDRESSES: `127.0.0.1:${port}`,
      DNS_SERVERS: `127.0.0.1:${simulator.dnsPort}`,
      OUTBOUND_SMTP_PORT: String(simulator.smtpPort),
    });
    world = await openBrowserWorld(api);
    const sender = await startService('sender', { ...api.context.env, SENDER_GRPC_PORT: port });
    services = [sender, await startService('scheduler', api.context.env)];
  });
  afterAll(async () => {
    await Promise.all((services ?? []).map((one) => one.kill()));
    await world?.close();
    await simulator?.stop();
  });

  test(
    'from the sign-in to a campaign under the cap, on the page alone, in 15 clicks',
    { timeout: 180_000 },
    async () => {
      const page = await world.openPage();
      const complaints = complaintsOf(page);
      const clicks = await countClicks(page);
      await page.goto('/');
      await signIn(page, world.owner);
      const steps = page.getByRole('list', { name: 'First steps' });
      await steps.getByText('Verify the domain you send from').waitFor();
      expect(await violationsOf(page)).toEqual([]);

      await page.getByRole('link', { name: 'Add a domain' }).click();
      await page.getByRole('dialog').getByLabel('Domain').fill(DOMAIN);
      await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click();
      await page.getByRole('heading', { level: 1, name: DOMAIN }).waitFor();
      await page.getByRole('button', { name: 'Copy all as zone file' }).click();
      const zone = await page.evaluate<string>('navigator.clipboard.readText()');
      const provider = await page.context().newPage();
      await provider.goto(`http://127.0.0.1:${simulator.httpPort}/`);
      await provider.getByLabel('Records').fill(zone);
      await provider.getByRole('button', { name: 'Publish' }).click();
      await provider.getByText(/^Published: /).waitFor();
      await provider.close();
      await page.getByText('verified', { exact: true }).waitFor(); // by itself

      // In another tab, not counted: a message of one's own, followed to its end.
      const aside = await page.context().newPage();
      await aside.goto('/send');
      await aside.getByRole('button', { name: /^Send/ }).click();
      await aside.getByRole('heading', { name: /^Message to delivered@simulator.test/ }).waitFor();
      await aside.getByText('delivered', { exact: true }).waitFor();
      await aside.getByRole('link', { name: 'View message' }).click();
      await aside
        .getByRole('group', { name: 'SMTP conversation of attempt 1' })
        .getByText(/250 2.0.0/)
        .waitFor();
      expect(await violationsOf(aside)).toEqual([]);
      await aside.close();

      await page.getByRole('link', { name: 'Contacts', exact: true }).click();
      await page.getByRole('link', { name: 'Imports' }).click();
      await page.getByRole('tab', { name: 'Paste' }).click();
      const rows = Array.from({ length: CONTACTS }, (_, n) => `delivered+c${n}@simulator.test,Name${n}`);
      await page.getByLabel('Rows').fill(['email,first_name', ...rows, 'not an address,Eve'].join('\n'));
      await page.getByRole('button', { name: 'Import' }).click();
      await page
        .getByRole('table', { name: 'Failed rows' })
        .getByText('not an address', { exact: true })
        .waitFor();
      await page.getByText('completed', { exact: true }).waitFor();
      expect(await violationsOf(page)).toEqual([]);

      await page.getByRole('link', { name: 'New campaign' }).click();
      await page.getByLabel('Campaign name').fill('First news');
      await page.getByLabel('All contacts').check();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByLabel('Subject').fill('Hello {{ first_name }}');
      await page.getByRole('textbox', { name: 'HTML' }).fill('<p>Hello {{ first_name }}, here we are.</p>');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: 'Continue to review' }).click();
      await page.getByRole('heading', { name: 'First news' }).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Launch' }).first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Launch' }).click();
      // It is watched from here on: nothing is clicked or loaded again.
      await page.getByRole('heading', { level: 1, name: 'First news' }).waitFor();
      await page.getByRole('img', { name: 'Delivered 49, Deferred 6' }).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(clicks(), 'clicks from the sign-in to the delivered campaign').toBeLessThanOrEqual(15);

      const phone = await world.signedIn('/', 'phone');
      await phone.getByRole('heading', { name: 'Warm-up', exact: true }).waitFor();
      await phone.getByText('50 of 50, 6 waiting').waitFor();
      await phone.getByRole('region', { name: 'Usage' }).getByText('50 of 50').first().waitFor();
      expect(await violationsOf(phone)).toEqual([]);
      expect(await scrollsSideways(phone)).toBe(false);
      expect(complaints).toEqual([]);
    },
  );

  test('the first steps: the code works as it is copied, what is done is noticed, the rest can be hidden', async () => {
    const page = await world.signedIn('/');
    const steps = page.getByRole('list', { name: 'First steps' });
    const done = (title: string) =>
      steps.getByRole('listitem').filter({ hasText: title }).getByRole('img', { name: 'Done' });
    await done('Verify the domain you send from').waitFor();
    await done('Publish a DMARC record').waitFor();
    await steps.getByRole('button', { name: /Make the first API call/ }).click();
    for (const language of [
      'Node.js client',
      'Python client',
      'curl',
      'Node.js',
      'Python',
      'Go',
      'PHP',
      'Ruby',
    ]) {
      await page.getByRole('tab', { name: language, exact: true }).click();
      const code = page.getByLabel(`${language} code`, { exact: true });
      for (const value of [`hello@${DOMAIN}`, 'YOUR_API_KEY', world.owner.email, `${world.origin}/api/v1`])
        expect(await code.textContent(), language).toContain(value);
    }
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create a key for this code' }).click();
    await page.getByText('The code now holds the new key').waitFor();
    await page.getByRole('tab', { name: 'curl' }).click();
    await page.getByRole('button', { name: 'Copy curl code' }).click();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(command).not.toContain('YOUR_API_KEY');
    const { stdout } = await promisify(execFile)('sh', ['-c', command.replace(/^curl/, 'curl -sk')]); // our own certificate
    expect(JSON.parse(stdout)).toMatchObject({ ok: true });
    await done('Make the first API call').waitFor();
    await done('Create an API key').waitFor();

    // The next person who comes has a list of their own to hide.
    await page.getByText('4 of 6 done').waitFor();
    const phone = await world.signedIn('/', 'phone');
    await phone.getByText('4 of 6 done').waitFor();
    expect(await violationsOf(phone)).toEqual([]);
    expect(await scrollsSideways(phone)).toBe(false);
    await phone.getByRole('button', { name: 'Hide', exact: true }).click();
    await phone.getByText('4 of 6 done').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { name: 'Warm-up', exact: true }).waitFor();
    expect(await page.getByRole('list', { name: 'First steps' }).count()).toBe(0);
  });
});

/** Counts presses of a pointer on a page, over all that it loads. */
async function countClicks(page: Page): Promise<() => number> {
  let count = 0;
  await page.exposeFunction('countClick', () => void count++);
  await page.addInitScript(() => {
    const { countClick } = globalThis as unknown as { countClick: () => void };
    addEventListener('pointerdown', () => countClick(), { capture: true });
  });
  return () => count;
}
