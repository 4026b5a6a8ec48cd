// A second factor on the page: set up, asked for, required of somebody else; and the password again for what is sensitive.

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

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
import { longForm } from '../harness/form.ts';
import { skips } from '../harness/needs.ts';
import { appCode } from '../harness/second-factor.ts';

const SCREENS = longForm(['wide'] as const, ['wide', 'phone'] as const);

describe.skipIf(skips(noBrowser))('a second factor', () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await openBrowserWorld();
  });
  afterAll(() => world.close());
  afterEach(() => void vi.useRealTimers());

  const member = async (name: string) => {
    const { id: tenantId } = world.tenant;
    const email = `${name}@${tenantId}.test`;
    const { password } = await createUser(world.api.context, TESTER, { tenantId, email, role: 'member' });
    return { email, password };
  };

  test.each(SCREENS)('set up, used to sign in, turned off (%s)', async (size) => {
    vi.useFakeTimers({ toFake: ['Date'] }); // the api runs in this process: the code of 30 seconds ago stays good
    const who = await member(`code-${size}`);
    const page = await world.openPage(size);
    const complaints = complaintsOf(page);
    await page.goto('/profile');
    await signIn(page, who);
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    const secret = ((await dialog.getByLabel('Secret', { exact: true }).textContent()) ?? '').trim();
    expect(await violationsOf(page)).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
    await dialog.getByLabel('Code', { exact: true }).fill('000 000');
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.locator('[aria-invalid=true]').waitFor();
    const used = appCode(secret, -1);
    await dialog.getByLabel('Code', { exact: true }).fill(used);
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const shown = await dialog.getByLabel('Recovery codes', { exact: true }).textContent();
    expect(shown?.trim().split('\n')).toHaveLength(10);
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('10 of 10 recovery codes are left').waitFor();
    expect(await page.content()).not.toContain(secret);

    const later = await world.openPage(size);
    await later.goto('/profile');
    await later.getByLabel('Email').fill(who.email);
    await later.getByLabel('Password').fill(who.password);
    await later.getByRole('button', { name: 'Sign in', exact: true }).click();
    await later.getByLabel('Code', { exact: true }).waitFor();
    expect(await later.getByRole('alert').textContent()).toBe('');
    expect(await violationsOf(later)).toEqual([]);
    await later.getByLabel('Code', { exact: true }).fill(used);
    await later.getByRole('button', { name: 'Sign in', exact: true }).click();
    await later.getByText('Code is wrong or was used before').waitFor();
    await later.getByLabel('Code', { exact: true }).fill(appCode(secret));
    await later.getByRole('button', { name: 'Sign in', exact: true }).click();
    await later.getByText('10 of 10 recovery codes are left').waitFor();

    await later.getByRole('button', { name: 'Turn off' }).click();
    await later.getByRole('dialog').getByLabel('Password').fill(who.password);
    await later.getByRole('dialog').getByLabel('Code', { exact: true }).fill(appCode(secret, 1));
    await later.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await later.getByText('Two-factor authentication turned off').waitFor();
    await later.getByRole('button', { name: 'Set up' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('an owner confirms that it is them, requires it of everybody, and resets that of a member', async () => {
    const who = await member('required');
    const owner = await world.signedIn('/profile');
    const complaints = complaintsOf(owner);
    await world.api.context.db.pool.query("update sessions set confirmed_at = now() - interval '11 minutes'");
    await owner.getByRole('button', { name: 'Set up' }).click();
    const asked = owner.getByRole('dialog', { name: 'Confirm it’s you' });
    await asked.getByLabel('Password').fill('not this one');
    await asked.getByRole('button', { name: 'Confirm' }).click();
    await asked.locator('[aria-invalid=true]').waitFor();
    expect(await violationsOf(owner)).toEqual([]);
    await asked.getByLabel('Password').fill(world.owner.password);
    await asked.getByRole('button', { name: 'Confirm' }).click();
    const setup = owner.getByRole('dialog', { name: 'Set up two-factor authentication' });
    const secret = ((await setup.getByLabel('Secret', { exact: true }).textContent()) ?? '').trim();
    await setup.getByLabel('Code', { exact: true }).fill(appCode(secret));
    await setup.getByRole('button', { name: 'Turn on' }).click();
    await setup.getByRole('button', { name: 'Done' }).click();

    await owner.goto('/people');
    await owner.getByRole('switch', { name: 'Required for everybody' }).click();
    await owner.getByText('Two-factor authentication is required now').waitFor();
    expect(await owner.getByRole('switch', { name: 'Required for everybody' }).isChecked()).toBe(true);

    const leaving = await member('leaving');
    await owner.reload();
    await world.api.context.db.pool.query("update sessions set confirmed_at = now() - interval '11 minutes'");
    await owner.getByRole('button', { name: `Remove ${leaving.email}` }).click();
    await owner.getByRole('button', { name: 'Remove person' }).click();
    await asked.getByLabel('Password').fill(world.owner.password);
    await asked.getByRole('button', { name: 'Confirm' }).click();
    await asked.getByLabel('Code', { exact: true }).fill(appCode(secret, 1));
    expect(await violationsOf(owner)).toEqual([]);
    await asked.getByRole('button', { name: 'Confirm' }).click();
    await owner.getByText(`${leaving.email} was removed`).waitFor();

    const page = await world.openPage('phone');
    await page.goto('/templates');
    await page.getByLabel('Email').fill(who.email);
    await page.getByLabel('Password').fill(who.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Set up two-factor authentication' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Set up' }).click();
    const theirs = ((await page.getByLabel('Secret', { exact: true }).textContent()) ?? '').trim();
    await page.getByLabel('Code', { exact: true }).fill(appCode(theirs));
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'Templates' }).waitFor();

    await owner.reload();
    await owner.getByRole('row').filter({ hasText: who.email }).getByText('password and code').waitFor();
    expect(await violationsOf(owner)).toEqual([]);
    await owner.getByRole('button', { name: `Reset two-factor authentication of ${who.email}` }).click();
    await owner.getByRole('dialog').getByRole('button', { name: 'Reset two-factor' }).click();
    await owner.getByText(`${who.email} can sign in with only a password now`).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('a change whose confirmation was cancelled is refused, and can be made again', async () => {
    const page = await world.openPage();
    const { tenant, api } = world;
    await api.context.db.pool.query('update tenants set second_factor_required = false');
    const email = `second@${tenant.id}.test`;
    const made = await createUser(api.context, TESTER, { tenantId: tenant.id, email, role: 'owner' });
    await page.goto('/api-keys');
    await signIn(page, { email, password: made.password });
    await page.getByRole('button', { name: 'Create key' }).first().waitFor();
    await api.context.db.pool.query("update sessions set confirmed_at = now() - interval '11 minutes'");
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const form = page.getByRole('dialog', { name: 'Create' });
    await form.getByLabel('Name').fill('later');
    await form.getByLabel('templates:read').check();
    await form.getByRole('button', { name: 'Create key' }).click();
    const asked = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await form.getByText('This change needs your password').waitFor();
    await form.getByRole('button', { name: 'Create key' }).click();
    await asked.getByLabel('Password').fill(made.password);
    await asked.getByRole('button', { name: 'Confirm' }).click();
    await page.getByLabel('API key', { exact: true }).waitFor();
  });
});
