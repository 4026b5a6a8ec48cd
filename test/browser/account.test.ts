// One's own account: other sessions ended from here, the password changed, an invitation accepted.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { userActor } from '../../core/audit/actor.ts';
import { invitePerson } from '../../core/people/invitations.ts';
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
import { skips } from '../harness/needs.ts';
import {
  mailedToken,
  mailsTo,
  makeSystemSender,
  resetTokenIn,
  sendSystemMail,
} from '../harness/invitations.ts';

const LONG_ENOUGH = 'a password with words';

describe.skipIf(skips(noBrowser))('account', () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await openBrowserWorld();
    await makeSystemSender(world.api);
  });
  afterAll(() => world.close());

  test('a session ended from another browser is sent to the sign-in, and comes back to its page', async () => {
    const [here, there] = [await world.signedIn('/profile'), await world.signedIn('/api-keys', 'phone')];
    await here.reload();
    const row = here.getByRole('row').filter({ has: here.getByRole('button', { name: /^Sign out Chrome/ }) });
    await row.waitFor();
    expect(await violationsOf(here)).toEqual([]);
    await row.getByRole('button').click();
    await here.getByText(/^Signed out: /).waitFor();
    await row.waitFor({ state: 'detached' });
    await there.reload();
    await there.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(there, world.owner);
    await there.getByRole('heading', { name: 'API keys' }).waitFor();
  });

  test('the password is changed; the old one opens nothing', async () => {
    const email = `changer@${world.tenant.id}.test`;
    const made = await createUser(world.api.context, TESTER, {
      tenantId: world.tenant.id,
      email,
      role: 'member',
    });
    const page = await world.openPage('phone');
    const complaints = complaintsOf(page);
    await page.goto('/profile');
    await signIn(page, { email, password: made.password });
    await page.getByLabel('Current password').fill('not it at all');
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.locator('[aria-invalid=true]').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
    await page.getByLabel('Current password').fill(made.password);
    await page.getByLabel('New password').fill(LONG_ENOUGH);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText(/Password changed/).waitFor();
    await page.getByRole('button', { name: world.tenant.name }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await signIn(page, { email, password: LONG_ENOUGH });
    expect(complaints).toEqual([]);
  });

  test('a forgotten password is asked for at the sign-in, and set behind the link in the mail', async () => {
    const email = `forgetful@${world.tenant.id}.test`;
    await createUser(world.api.context, TESTER, { tenantId: world.tenant.id, email, role: 'member' });
    const page = await world.openPage('phone');
    const complaints = complaintsOf(page);
    await page.goto('/sign-in');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByText(`If ${email} has an account`).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await sendSystemMail(world.api);
    const token = resetTokenIn(mailsTo(world.api, email).at(-1)!.text);

    await page.goto(`/reset-password/${token}`);
    await page.getByLabel('New password').fill('forgetful me');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('must not contain "forgetful" of the email address').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
    await page.getByLabel('New password').fill(LONG_ENOUGH);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await signIn(page, { email, password: LONG_ENOUGH });
    await page.getByRole('banner').waitFor();
    expect(complaints).toEqual([]);

    const late = await world.openPage();
    await late.goto(`/reset-password/${token}`);
    await late.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
  });

  test('an invitation is accepted once, and the new person is signed in', async () => {
    const { db } = world.api.context;
    const email = `guest@${world.tenant.id}.test`;
    const boss = await createUser({ db }, TESTER, {
      tenantId: world.tenant.id,
      email: 'boss@x.test',
      role: 'owner',
    });
    const by = userActor(boss.user, null);
    const manager = { tenantId: world.tenant.id, role: 'owner' as const };
    await invitePerson(world.api.deps, by, manager, { email, role: 'member' });
    const token = mailedToken(world.api, email);
    const page = await world.openPage();
    await page.goto(`/invite/${token}`);
    await page.getByRole('heading', { name: `Join ${world.tenant.name}` }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('Password').fill(LONG_ENOUGH);
    await page.getByRole('button', { name: 'Set password and sign in' }).click();
    await page.getByRole('banner').waitFor();
    await page.goto('/api-keys');
    await page.getByText('Ask an owner of your account to create one.').waitFor();
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);

    const late = await world.openPage();
    await late.goto(`/invite/${token}`);
    await late.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor();
  });
});
