// People on the page: one is invited, gets another role, is removed; the audit log tells of it.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createUser } from '../../core/people/users.ts';
import {
  complaintsOf,
  noBrowser,
  openBrowserWorld,
  scrollsSideways,
  seriousViolations,
  signIn,
  type BrowserWorld,
} from '../harness/browser.ts';
import { skips } from '../harness/needs.ts';

describe.skipIf(skips(noBrowser))('people', () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await openBrowserWorld();
  });
  afterAll(() => world.close());

  test('invited by a link, made an owner, removed; and all of it is in the audit log', async () => {
    const email = `guest@${world.tenant.id}.test`;
    const page = await world.signedIn('/people');
    const complaints = complaintsOf(page);
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('not an address');
    await dialog.getByRole('button', { name: 'Create invitation link' }).click();
    await dialog.locator('[aria-invalid=true]').waitFor();
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByRole('button', { name: 'Create invitation link' }).click();
    const link = await dialog.getByLabel('invitation link', { exact: true }).innerText();
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page
      .getByRole('table', { name: 'Open invitations' })
      .getByRole('row')
      .filter({ hasText: email })
      .waitFor();

    const guest = await world.openPage('phone');
    await guest.goto(`/invite/${link.split('/').at(-1)}`);
    await guest.getByLabel('Password').fill('a password with words');
    await guest.getByRole('button', { name: 'Set password and sign in' }).click();
    await guest.getByRole('banner').waitFor();
    await guest.goto('/people');
    await guest.getByText('Only owners can see and invite people').waitFor();
    expect(await seriousViolations(guest)).toEqual([]);

    await page.reload();
    await page.getByRole('button', { name: `Change role of ${email}` }).click();
    await page.getByRole('dialog').getByLabel('Role').selectOption('owner');
    await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
    await page.getByText(`${email} is now an owner`).waitFor();
    await guest.reload();
    await guest.getByRole('table', { name: 'People' }).waitFor();
    expect(await seriousViolations(guest)).toEqual([]);
    expect(await scrollsSideways(guest)).toBe(false);

    await page.getByRole('button', { name: `Remove ${email}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove person' }).click();
    await page.getByText(`${email} was removed`).waitFor();
    await guest.reload();
    await guest.getByRole('heading', { name: 'Sign in' }).waitFor();

    await page.goto('/audit');
    const log = page.getByRole('table', { name: 'Audit log' });
    for (const change of ['user removed', 'user role changed', 'invitation created']) {
      await log.getByText(change).first().waitFor();
    }
    await page.getByLabel('Kind').selectOption('invitation');
    await log.getByText('user removed').waitFor({ state: 'detached' });
    expect(await seriousViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('a member sees who may read the audit log, on a phone without scrolling sideways', async () => {
    const email = `member@${world.tenant.id}.test`;
    const { db } = world.api.context;
    const { password } = await createUser(db, { tenantId: world.tenant.id, email, role: 'member' });
    const page = await world.openPage('phone');
    await page.goto('/audit');
    await signIn(page, { email, password });
    await page.getByText('Only owners can read the audit log').waitFor();

    const owner = await world.signedIn('/audit', 'phone');
    await owner.getByRole('table', { name: 'Audit log' }).waitFor();
    expect(await seriousViolations(owner)).toEqual([]);
    expect(await scrollsSideways(owner)).toBe(false);
  });
});
