// Alerts in the browser: the recommended rules, a rule of one's own, the chat and its test, an alert that opens and is
// resolved, what the api refuses; viewers change nothing. And a secret that Escape does not lose.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ALERT_KIND_NAMES } from '../../core/alert/alert-kinds.ts';
import { watchOnce } from '../../core/alert/watch.ts';
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
import { makeAccount } from '../harness/factories.ts';
import { startEndpoint, type Endpoint } from '../harness/inbound-world.ts';
import { skips } from '../harness/needs.ts';

const HOSTILE = '<script>alert(1)</script> \u202e<b>gone</b>';

describe.skipIf(skips(noBrowser))('alerts', () => {
  let world: BrowserWorld;
  let chat: Endpoint;

  beforeAll(async () => {
    world = await openBrowserWorld();
    chat = await startEndpoint(() => ({ status: 200, body: HOSTILE }));
  });
  afterAll(async () => {
    await chat?.close();
    await world?.close();
  });

  const looksRight = async (shown: Page) => {
    expect(await violationsOf(shown)).toEqual([]);
    expect(await scrollsSideways(shown)).toBe(false);
  };
  const watch = () => watchOnce({ db: world.api.context.db, fail: () => {} }, new AbortController().signal);
  const query = (text: string) => world.api.context.db.pool.query(text, [world.tenant.id]);

  test('a new account has the recommended rules', async () => {
    const page = await world.signedIn('/alerts');
    const rules = page.getByRole('table', { name: 'Alert rules' });
    await rules.getByRole('button', { name: /^Edit/ }).first().waitFor();
    expect(await rules.getByRole('button', { name: /^Edit/ }).count()).toBe(ALERT_KIND_NAMES.length);
    await rules.getByText('80 %').waitFor();
    expect(await page.getByRole('button', { name: 'Add recommended rules' }).count()).toBe(0);
    await looksRight(page);
    await query('delete from alert_rules where tenant_id = $1');
  });

  test('a viewer sees alerts and changes none', async () => {
    const email = `viewer@${world.tenant.id}.test`;
    const person = { tenantId: world.tenant.id, email, role: 'viewer' as const };
    const { password } = await createUser({ db: world.api.context.db }, TESTER, person);
    const page = await world.openPage();
    await page.goto('/alerts');
    await signIn(page, { email, password });
    await page.getByText('Ask an owner or member of your account to add some.').waitFor();
    await page.getByText('Owners and members of your account can change it.').waitFor();
    expect(await page.getByRole('button', { name: 'Add rule' }).count()).toBe(0);
  });

  test('from the recommended rules to an alert that is resolved', async () => {
    const page = await world.signedIn('/alerts');
    const complaints = complaintsOf(page);
    await page.getByText('Nothing is watched yet.').waitFor();
    await looksRight(page);
    await page.getByRole('button', { name: 'Add recommended rules' }).click();
    const rules = page.getByRole('table', { name: 'Alert rules' });
    await rules.getByRole('button', { name: 'Edit Quota' }).waitFor();

    await page.getByRole('button', { name: 'Add rule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What to watch').selectOption('Quota');
    await dialog.getByLabel('Alert at').fill('lots');
    await dialog.getByRole('button', { name: 'Add rule' }).click();
    await dialog.getByText('must be a number from 1 to 100').waitFor();
    await dialog.getByLabel('Alert at').fill('90');
    await dialog.getByRole('button', { name: 'Add rule' }).click();
    await dialog.getByText('There is a rule of this kind for the same domains already.').waitFor();
    await looksRight(page);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Edit Quota' }).click();
    await dialog.getByLabel('Alert at').fill('75.5');
    await dialog.getByRole('checkbox', { name: 'Owners, by email' }).uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await rules.getByText('75.5 %').waitFor();

    await page.getByLabel('Webhook URL').fill('ftp://nowhere.test/');
    await page.getByRole('button', { name: 'Save URL' }).click();
    await page.getByText('Webhook URL must start with https://.').waitFor();
    await page.getByLabel('Webhook URL').fill(chat.url);
    await page.getByRole('button', { name: 'Save URL' }).click();
    await page.getByText(`Alerts are posted to ${new URL(chat.url).host}.`).waitFor();
    expect(await page.content()).not.toContain(chat.url);
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('status 200').waitFor();
    expect(JSON.parse(chat.hits[0]!.body.toString())).toEqual({ text: expect.stringContaining('test') });

    const stranger = await makeAccount(world.api.context.db);
    await world.api.context.db.pool.query(
      `update domains set verified_at = now(), failing_since = now() - interval '3 hours', tenant_id = $1, name = $3 where id = $2`,
      [world.tenant.id, stranger.domainId, 'broken.example.com'],
    );
    await watch();
    await page.reload();
    const sentence = 'DNS records of broken.example.com have been missing or wrong for 3 hours.';
    await page.getByRole('table', { name: 'Open alerts' }).getByText(sentence).waitFor();
    await looksRight(page);
    const phone = await world.signedIn('/alerts', 'phone');
    await phone.getByText(sentence).waitFor();
    await looksRight(phone);

    await query('update domains set failing_since = null where tenant_id = $1');
    await watch();
    await phone.reload();
    await phone.getByText('Nothing has reached its threshold.').waitFor();
    await phone.getByRole('table', { name: 'Resolved alerts' }).getByText(sentence).waitFor();
    expect(complaints).toEqual([]);
  });

  test('Escape does not lose a key that was not copied', async () => {
    const page = await world.signedIn('/api-keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('kept');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const shown = page.getByLabel('API key', { exact: true });
    await shown.waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByText('You have not copied the API key yet.').waitFor();
    expect(await shown.textContent()).toMatch(/^sk_live_/);
    await looksRight(page);
    await dialog.getByRole('button', { name: 'Copy key', exact: true }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});
