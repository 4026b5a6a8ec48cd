// Event webhooks in the browser: created with a secret shown once, tested, their log and one delivery opened, replayed one
// by one and by range; a webhook that disabled itself says why and is enabled again; viewers change nothing.

import { Webhook } from 'standardwebhooks';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import { createUser } from '../../core/people/users.ts';
import { TESTER } from '../harness/actor.ts';
import {
  complaintsOf,
  noBrowser,
  openBrowserWorld,
  scrollsSideways,
  violationsOf,
  signIn,
  type BrowserWorld,
} from '../harness/browser.ts';
import { addEvents } from '../harness/event-rows.ts';
import { openWorld, startEndpoint, type Endpoint, type InboundWorld } from '../harness/inbound-world.ts';
import { skips } from '../harness/needs.ts';
import { waitUntil } from '../harness/wait.ts';

const HOSTILE = '<script>alert(1)</script> \u202e<b>gone</b>';

describe.skipIf(skips(noBrowser))('event webhooks', () => {
  let world: BrowserWorld;
  let inbound: InboundWorld;
  let endpoint: Endpoint;
  let answer = 200;

  beforeAll(async () => {
    world = await openBrowserWorld();
    inbound = await openWorld({}, world.api.context);
    endpoint = await startEndpoint(() => ({ status: answer, body: answer === 200 ? 'thanks' : HOSTILE }));
  });
  afterAll(async () => {
    await endpoint?.close();
    await inbound?.close();
    await world?.close();
  });

  const looksRight = async (shown: Page) => {
    expect(await violationsOf(shown)).toEqual([]);
    expect(await scrollsSideways(shown)).toBe(false);
  };
  const happens = (type: 'delivered' | 'bounced') =>
    addEvents(world.api.context.db.pool, { tenantId: world.tenant.id, domainId: newUuid() }, [
      { type, data: { reply: HOSTILE } },
    ]);
  const shows = (page: Page, text: string) =>
    waitUntil(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      return page.getByRole('table', { name: 'Deliveries' }).getByText(text, { exact: true }).isVisible();
    });

  test('a viewer sees webhooks and changes none', async () => {
    const email = `viewer@${world.tenant.id}.test`;
    const { db } = world.api.context;
    const { password } = await createUser({ db }, TESTER, {
      tenantId: world.tenant.id,
      email,
      role: 'viewer',
    });
    const page = await world.openPage();
    await page.goto('/webhooks');
    await signIn(page, { email, password });
    await page.getByText('Ask an owner or member of your account to create one.').waitFor();
    expect(await page.getByRole('button', { name: 'Create webhook' }).count()).toBe(0);
  });

  test('from the first webhook to a replay, and back from being disabled', async () => {
    const page = await world.signedIn('/webhooks');
    const complaints = complaintsOf(page);
    await page.getByText('No webhooks yet').waitFor();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Endpoint URL').fill('ftp://nowhere.test/');
    await dialog.getByRole('checkbox', { name: 'All events' }).uncheck();
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.getByText('Events must have at least 1 item.').waitFor();
    await dialog.getByRole('checkbox', { name: 'message.delivered' }).check();
    await dialog.getByRole('checkbox', { name: 'message.bounced' }).check();
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.getByText('Endpoint URL must start with https://.').waitFor();
    await looksRight(page);
    await dialog.getByLabel('Endpoint URL').fill(endpoint.url);
    await dialog.getByLabel('Description').fill('Order system');
    await page.keyboard.press('Enter');
    const secret = await page.getByLabel('webhook secret', { exact: true }).innerText();
    await page.getByRole('button', { name: 'Copy secret' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: endpoint.url }).waitFor();

    await page.getByRole('tab', { name: 'Test and verify' }).click();
    await page.getByLabel('Event type').selectOption('message.bounced');
    expect(await page.getByLabel('sample body', { exact: true }).innerText()).toContain('"message.bounced"');
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('status 200').waitFor();
    expect(await page.getByLabel('Response of your endpoint').innerText()).toBe('thanks');
    const { headers, body } = endpoint.hits[0]!;
    const verify = (with_: string) => new Webhook(with_).verify(body, headers as Record<string, string>);
    expect(verify(secret)).toMatchObject({ type: 'message.bounced' });
    await page.getByRole('tab', { name: 'Python' }).click();
    await page.getByLabel('example for Python', { exact: true }).waitFor();
    await looksRight(page);

    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await page.getByText('No deliveries yet').waitFor();
    await happens('delivered');
    await shows(page, 'delivered');
    answer = 404;
    await happens('bounced');
    await shows(page, 'failed');
    await looksRight(page);
    await page.getByLabel('Status').selectOption('Failed');
    await page.getByRole('link', { name: 'message.bounced' }).waitFor();
    await waitUntil(async () => (await page.getByRole('link', { name: 'message.delivered' }).count()) === 0);
    await page.getByRole('link', { name: 'message.bounced' }).click();
    expect(await page.getByLabel('Response to attempt 1').innerText()).toBe(HOSTILE);
    expect(await page.getByLabel('request body', { exact: true }).innerText()).toContain(
      '"reply": "<script>',
    );
    await looksRight(page);
    answer = 200;
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('Delivery replayed').waitFor();
    await page.getByLabel('Response to attempt 2').getByText('thanks').waitFor();

    answer = 410;
    await happens('delivered');
    await page.getByRole('link', { name: endpoint.url }).click();
    await shows(page, 'failed');
    await page.reload();
    await page.getByText('Disabled automatically: your endpoint responded with 410 Gone.').waitFor();
    await looksRight(page);
    const phone = await world.signedIn('/webhooks', 'phone');
    await phone.getByText('responded 410 Gone').waitFor();
    await looksRight(phone);
    await phone.getByRole('link', { name: endpoint.url }).click();
    answer = 200;
    await phone.getByRole('link', { name: 'message.bounced' }).click();
    await phone.getByText('Attempt 2').waitFor();
    await looksRight(phone);
    await phone.goBack();
    await phone.getByRole('tab', { name: 'Test and verify' }).click();
    await phone.getByLabel('sample body', { exact: true }).waitFor();
    await looksRight(phone);
    await phone.getByRole('tab', { name: 'Deliveries' }).click();
    await phone.getByRole('button', { name: 'Enable' }).click();
    await phone.getByText('Webhook enabled').waitFor();
    await phone.getByRole('button', { name: 'Replay a range…' }).click();
    await looksRight(phone);
    await phone.getByRole('button', { name: 'Replay', exact: true }).click();
    await phone.getByText('The replay has started: 1 delivery starts again.').waitFor();
    await phone.getByRole('button', { name: 'Done' }).click();
    await waitUntil(async () => {
      await phone.getByRole('button', { name: 'Refresh' }).click();
      return (await phone.getByText('delivered', { exact: true }).count()) === 3;
    });
    await looksRight(phone);

    await phone.getByRole('tab', { name: 'Settings' }).click();
    await phone.getByRole('button', { name: 'Rotate secret' }).click();
    await phone.getByRole('button', { name: 'Rotate secret' }).click();
    const next = await phone.getByLabel('webhook secret', { exact: true }).innerText();
    expect(next).not.toBe(secret);
    await phone.keyboard.press('Escape');
    await phone.getByText('You have not copied the webhook secret yet.').waitFor();
    await phone.getByRole('button', { name: 'Close without copying' }).click();
    await phone.getByText('Old secret valid until').waitFor();
    await looksRight(phone);
    await phone.getByRole('switch', { name: 'Enabled' }).click();
    await phone.getByText('This webhook is disabled.').waitFor();
    await phone.getByRole('button', { name: 'Delete…' }).click();
    await phone.getByRole('button', { name: 'Delete webhook' }).click();
    await phone.getByText('No webhooks yet').waitFor();
    expect(complaints).toEqual([]);
  });
});
