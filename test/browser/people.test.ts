// People on the page: one is invited, gets another role, is removed; the audit log shows it.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { addUser, createUser } from '../../core/people/users.ts';
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
import { mailedToken, makeSystemSender } from '../harness/invitations.ts';
import { skips } from '../harness/needs.ts';

describe.skipIf(skips(noBrowser))('people', () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await openBrowserWorld();
    await makeSystemSender(world.api);
  });
  afterAll(() => world.close());

  test('invited by mail, made an owner, removed; and all of it is in the audit log', async () => {
    const email = `guest@${world.tenant.id}.test`;
    const page = await world.signedIn('/people');
    const complaints = complaintsOf(page);
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('not an address');
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await dialog.locator('[aria-invalid=true]').waitFor();
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await dialog.getByText(`We sent the invitation to ${email}`).waitFor();
    expect(await page.content()).not.toContain(mailedToken(world.api, email));
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page
      .getByRole('table', { name: 'Open invitations' })
      .getByRole('row')
      .filter({ hasText: email })
      .waitFor();

    const first = mailedToken(world.api, email);
    await page.getByRole('button', { name: `Resend the invitation of ${email}` }).click();
    await page.getByText(`Invitation sent to ${email}`).waitFor();
    const guest = await world.openPage('phone');
    await guest.goto(`/invite/${first}`);
    await guest.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor();
    await guest.goto(`/invite/${mailedToken(world.api, email)}`);
    await guest.getByLabel('Password').fill('a password with words');
    await guest.getByRole('button', { name: 'Set password and sign in' }).click();
    await guest.getByRole('banner').waitFor();
    await guest.goto('/people');
    await guest.getByText('Only owners can see and invite people').waitFor();
    expect(await violationsOf(guest)).toEqual([]);

    await page.reload();
    await page.getByRole('button', { name: `Change role of ${email}` }).click();
    await page.getByRole('dialog').getByLabel('Role').selectOption('owner');
    await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
    await page.getByText(`${email} is now an owner`).waitFor();
    await guest.reload();
    await guest.getByRole('table', { name: 'People' }).waitFor();
    expect(await violationsOf(guest)).toEqual([]);
    expect(await scrollsSideways(guest)).toBe(false);

    await page.getByRole('button', { name: `Remove ${email}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove person' }).click();
    await page.getByText(`${email} was removed`).waitFor();
    await guest.reload();
    await guest.getByRole('heading', { name: 'Sign in' }).waitFor();

    await page.goto('/audit');
    const log = page.getByRole('table', { name: 'Audit log' });
    const row = (change: string) => log.getByRole('row').filter({ hasText: change });
    for (const change of [`removed ${email}`, `changed the role of ${email}`, `invited ${email}`]) {
      await row(change).first().waitFor();
    }
    await page.getByLabel('Kind').selectOption('invitation');
    await row(`removed ${email}`).waitFor({ state: 'detached' });
    await page.getByLabel('Kind').selectOption('');
    await row(`removed ${email}`).waitFor();
    await page.getByLabel('Person, key or job').fill(email);
    await page.keyboard.press('Enter');
    await row(`removed ${email}`).waitFor({ state: 'detached' });
    await row(`${email} signed in`).first().waitFor();
    await page.getByLabel('From', { exact: true }).fill('2100-01-01');
    await page.getByText('No changes match').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await row(`invited ${email}`).first().waitFor();
    await page.getByRole('button', { name: 'Export CSV' }).click();
    await page
      .getByRole('dialog', { name: 'Export audit log' })
      .getByText(/^Writing the file/)
      .waitFor();
    await page.keyboard.press('Escape');
    expect(await violationsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('a person of two tenants switches from one to the other; a viewer sees that the role is read-only', async () => {
    const { context, makeTenant } = world.api;
    const email = `two@${world.tenant.id}.test`;
    const made = await createUser(context, TESTER, { tenantId: world.tenant.id, email, role: 'member' });
    const second = await makeTenant();
    await context.db.pool.query("update tenants set name = 'Second house' where id = $1", [second.id]);
    await addUser(context, TESTER, { tenantId: second.id, email, role: 'viewer' });
    const page = await world.openPage();
    await page.goto('/profile');
    await signIn(page, { email, password: made.password });
    await page.getByText('Second house, viewer').waitFor();
    const otherTab = await page.context().newPage();
    await otherTab.goto('/');
    await otherTab.getByRole('link', { name: 'Send', exact: true }).waitFor();
    await page.bringToFront();
    await page.getByRole('button', { name: world.tenant.name }).click();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('menuitemcheckbox', { name: 'Second house' }).click();
    for (const tab of [page, otherTab]) {
      await tab.bringToFront();
      await tab.getByText('You can view Second house but not change anything').waitFor();
      expect(await tab.getByRole('link', { name: 'Send', exact: true }).count()).toBe(0);
    }
    expect(await violationsOf(otherTab)).toEqual([]);
  });

  test('a member sees who may read the audit log, on a phone without scrolling sideways', async () => {
    const email = `member@${world.tenant.id}.test`;
    const { db } = world.api.context;
    const { password } = await createUser({ db }, TESTER, {
      tenantId: world.tenant.id,
      email,
      role: 'member',
    });
    const page = await world.openPage('phone');
    await page.goto('/audit');
    await signIn(page, { email, password });
    await page.getByText('Only owners can read the audit log').waitFor();

    const owner = await world.signedIn('/audit', 'phone');
    await owner.getByRole('table', { name: 'Audit log' }).waitFor();
    expect(await violationsOf(owner)).toEqual([]);
    expect(await scrollsSideways(owner)).toBe(false);
  });
});
