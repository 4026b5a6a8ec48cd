// The inbound webhook in the browser: set up with a secret shown once, tested, changed; failed deliveries are shown,
// and posted again by a super-admin; an address inside our own network is refused.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createUser } from '../../core/people/users.ts';
import { TESTER } from '../harness/actor.ts';
import {
  openWorld,
  sendMail,
  startEndpoint,
  type Endpoint,
  type InboundWorld,
} from '../harness/inbound-world.ts';
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
import { makeAccount } from '../harness/factories.ts';
import { skips } from '../harness/needs.ts';
import { waitUntil } from '../harness/wait.ts';

describe.skipIf(skips(noBrowser))('inbound webhook', () => {
  let world: BrowserWorld;
  let inbound: InboundWorld;
  let endpoint: Endpoint;
  let answer = 200;
  const domain = 'mail.test';

  beforeAll(async () => {
    world = await openBrowserWorld();
    inbound = await openWorld({}, world.api.context);
    endpoint = await startEndpoint(() => ({ status: answer, body: '<b>no such</b> user' }));
    await makeAccount(world.api.context.db, { tenantId: world.tenant.id, domain });
  });
  afterAll(async () => {
    await endpoint.close();
    await inbound.close();
    await world.close();
  });

  const looksRight = async (shown: Page) => {
    expect(await violationsOf(shown)).toEqual([]);
    expect(await scrollsSideways(shown)).toBe(false);
  };

  test('the webhook is set up with a secret shown once, tested, and what it refuses is shown', async () => {
    const page = await world.signedIn('/inbound/webhook');
    const complaints = complaintsOf(page);
    await page.getByLabel('Endpoint URL').fill('ftp://nowhere.test/');
    await page.getByRole('button', { name: 'Turn on webhook' }).click();
    await page.getByText('Endpoint URL must start with https://.').waitFor();
    await page.getByLabel('Endpoint URL').fill(endpoint.url);
    await page.getByRole('button', { name: 'Turn on webhook' }).click();
    const secret = await page.getByLabel('webhook secret', { exact: true }).innerText();
    expect(secret).toMatch(/^whsec_/);
    await looksRight(page);
    await page.getByRole('button', { name: 'Copy secret' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('status 200').waitFor();
    expect(await page.getByText(secret).count()).toBe(0);
    answer = 404;
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('the endpoint answered 404').waitFor();

    await sendMail(inbound.port, {
      to: `x@${domain}`,
      data: 'From: Ann <a@b.test>\r\nSubject: Lost\r\n\r\nx\r\n',
    });
    const row = page
      .getByRole('table', { name: 'Latest deliveries' })
      .getByRole('row')
      .filter({ hasText: 'Lost' });
    await waitUntil(async () => {
      await page.reload();
      await page.getByRole('heading', { name: 'Latest deliveries' }).waitFor();
      return row.getByText('failed').isVisible();
    });
    await row.getByText('<b>no such</b> user').waitFor();

    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    expect(await page.getByLabel('webhook secret', { exact: true }).innerText()).not.toBe(secret);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('switch', { name: 'Deliver new mail' }).click();
    await page.getByText('Webhook turned off').waitFor();
    const phone = await world.signedIn('/inbound/webhook', 'phone');
    await phone.getByText('failed').first().waitFor();
    await looksRight(phone);
    await phone.getByRole('link', { name: /Lost/ }).click();
    await phone.getByLabel('Last response of your endpoint').getByText('<b>no such</b> user').waitFor();
    await looksRight(phone);

    expect(await page.getByRole('heading', { name: 'Dead letters' }).count()).toBe(0);
    const email = `admin@${world.tenant.id}.test`;
    const { db } = world.api.context;
    const { password } = await createUser({ db }, TESTER, {
      tenantId: world.tenant.id,
      email,
      role: 'super_admin',
    });
    const admin = await world.openPage();
    await admin.goto('/inbound/webhook');
    await signIn(admin, { email, password });
    answer = 200;
    const letters = admin.getByRole('table', { name: 'Dead letters' });
    await letters.getByText('<b>no such</b> user').waitFor();
    await looksRight(admin);
    await letters.getByRole('button', { name: `Replay the message to x@${domain}` }).click();
    await admin.getByText('No dead letters').waitFor();
    await waitUntil(() =>
      endpoint.hits.some(
        (hit) => hit.headers['x-svc-inbound-attempt'] === '1' && /Lost/.test(String(hit.body)),
      ),
    );
    expect(complaints).toEqual([]);
  });

  test('a webhook at a private address is refused in words', async () => {
    const strict = await openBrowserWorld(await createApiWorld({ WEBHOOK_ALLOW_PRIVATE: 'false' }));
    try {
      const other = await strict.signedIn('/inbound/webhook', 'phone');
      await other.getByLabel('Endpoint URL').fill('https://127.0.0.1/hook');
      await other.getByRole('button', { name: 'Turn on webhook' }).click();
      await other.getByText('points at an address that is not on the public internet').waitFor();
      await looksRight(other);
    } finally {
      await strict.close();
    }
  });
});
