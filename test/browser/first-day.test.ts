// The first day of somebody who has only the page: sign in, verify a domain, send a message and see it arrive, bring in
// contacts, and watch a campaign go out.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { freePort } from '../../local/servers/free-port.ts';
import { startSimulator, type Simulator } from '../../local/simulator/start-simulator.ts';
import { createApiWorld } from '../harness/api-world.ts';
import {
  complaintsOf,
  noBrowser,
  openBrowserWorld,
  scrollsSideways,
  seriousViolations,
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

  test('from the sign-in to a campaign under the cap, on the page alone', { timeout: 120_000 }, async () => {
    const page = await world.signedIn('/');
    const complaints = complaintsOf(page);
    await page.getByText('Nothing sent in the last 30 days').waitFor();
    expect(await seriousViolations(page)).toEqual([]);

    await page.getByRole('link', { name: 'Add a domain' }).click();
    await page.getByRole('button', { name: 'Add domain' }).first().click();
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
    await page.getByRole('button', { name: 'Verify domain' }).click();
    await page.getByText('verified', { exact: true }).waitFor();

    await page.goto('/send');
    await page.getByRole('button', { name: /^Send/ }).click();
    await page.getByRole('heading', { name: /^Message to delivered@simulator.test/ }).waitFor();
    await page.getByText('delivered', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'View message' }).click();
    await page
      .getByRole('group', { name: 'SMTP conversation of attempt 1' })
      .getByText(/250 2.0.0/)
      .waitFor();
    expect(await seriousViolations(page)).toEqual([]);

    await page.goto('/contacts/imports');
    await page.getByRole('tab', { name: 'Paste' }).click();
    const rows = Array.from({ length: CONTACTS }, (_, n) => `delivered+c${n}@simulator.test,Name${n}`);
    await page.getByLabel('Rows').fill(['email,first_name', ...rows, 'not an address,Eve'].join('\n'));
    await page.getByRole('button', { name: 'Import' }).click();
    await page
      .getByRole('table', { name: 'Failed rows' })
      .getByText('not an address', { exact: true })
      .waitFor();
    await page.getByText('completed', { exact: true }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);

    await page.goto('/campaigns/new');
    await page.getByLabel('Campaign name').fill('First news');
    await page.getByLabel('All contacts').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Subject').fill('Hello {{ first_name }}');
    await page.getByLabel('HTML').fill('<p>Hello {{ first_name }}, here we are.</p>');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Save and review' }).click();
    await page.getByRole('heading', { name: 'First news' }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Launch' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Launch' }).click();
    // It is watched from here on: nothing is clicked or loaded again.
    await page.getByRole('heading', { level: 1, name: 'First news' }).waitFor();
    await page.getByRole('img', { name: 'Delivered 49, Deferred 6' }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);

    const phone = await world.signedIn('/', 'phone');
    await phone.getByRole('heading', { name: 'Warm-up', exact: true }).waitFor();
    await phone.getByText('50 of 50, 6 waiting').waitFor();
    expect(await seriousViolations(phone)).toEqual([]);
    expect(await scrollsSideways(phone)).toBe(false);
    expect(complaints).toEqual([]);
  });
});
