// Signing in with SSO in a real browser: over the identity provider's page and back, with cookies as browsers keep them.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import { createUser } from '../../core/people/users.ts';
import { TESTER } from '../harness/actor.ts';
import {
  complaintsOf,
  noBrowser,
  openBrowserWorld,
  scrollsSideways,
  violationsOf,
  type BrowserWorld,
} from '../harness/browser.ts';
import { skips } from '../harness/needs.ts';
import { startSamlIdp, type SamlIdp } from '../harness/saml-idp.ts';

describe.skipIf(skips(noBrowser))('SSO', () => {
  let world: BrowserWorld;
  let idp: SamlIdp;
  beforeAll(async () => {
    [world, idp] = await Promise.all([openBrowserWorld(), startSamlIdp()]);
  });
  afterAll(() => Promise.all([world.close(), idp.close()]));

  test('is set up by an owner on the page: metadata, then turned on', async () => {
    const page = await world.signedIn('/sso');
    const complaints = complaintsOf(page);
    await page.getByText(`${world.origin}/saml/${toId('tnt', world.tenant.id)}/acs`).waitFor();
    const metadata = page.getByLabel('Metadata XML');
    await metadata.fill('<html>not it</html>');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await metadata.fill(idp.metadataXml);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('disabled', { exact: true }).waitFor();
    await page.getByLabel('Enabled').check();
    await page.getByRole('region', { name: '3. Sign-in rules' }).getByRole('button').click();
    await page.getByText('enabled', { exact: true }).waitFor();

    const phone = await world.signedIn('/sso', 'phone');
    await phone.getByText('enabled', { exact: true }).waitFor();
    expect(await violationsOf(phone)).toEqual([]);
    expect(await scrollsSideways(phone)).toBe(false);
    expect(complaints).toEqual([]);
  });

  test('ends in the dashboard, signed in, also after a reload; an unknown person is shown what to do', async () => {
    const { db } = world.api.context;
    const email = `ann@${world.tenant.id}.test`;
    await createUser({ db }, TESTER, { tenantId: world.tenant.id, email, role: 'member' });

    const login = `/saml/${toId('tnt', world.tenant.id)}/login`;
    const page = await world.openPage();
    idp.signInAs('nobody@elsewhere.test');
    await page.goto(login);
    await page.getByRole('heading', { name: 'You are not invited yet' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);

    idp.signInAs(email);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.waitForURL(`${world.origin}/`);
    await page.getByRole('banner').waitFor();
    await page.reload();
    await page.getByRole('banner').waitFor();
    const cookies = await page.context().cookies();
    const shown = cookies.map(({ name, sameSite, httpOnly }) => `${name} ${sameSite} ${httpOnly}`);
    expect(shown.toSorted()).toEqual([
      '__Secure-postrider_refresh Strict true',
      '__Secure-postrider_refreshed Strict false',
    ]);
    // What belongs to the person in all their tenants is not for a session by SSO to change.
    await page.goto('/profile');
    await page.getByText('SSO opened this session').waitFor();
    await page.getByText('Browsers signed in by the same SSO').waitFor();
    expect(await page.getByLabel('Show times in').isDisabled()).toBe(true);
    expect(await page.getByLabel('Current password').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
  });

  test('a session that ends while work is open goes on after SSO in another tab', async () => {
    const { db } = world.api.context;
    const email = `bob@${world.tenant.id}.test`;
    await createUser({ db }, TESTER, { tenantId: world.tenant.id, email, role: 'member' });
    idp.signInAs(email);
    const page = await world.openPage();
    await page.goto(`/saml/${toId('tnt', world.tenant.id)}/login`);
    await page.getByRole('banner').waitFor();
    await page.getByRole('link', { name: 'Templates', exact: true }).first().click();
    await page.getByRole('link', { name: 'New template' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Kept over SSO');
    await page.frameLocator('iframe').getByText('Hello there').waitFor(); // the preview asks nothing any more
    await world.endSessions(page, email);
    await page.getByRole('button', { name: 'Create template' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in to continue' });
    await dialog.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const opened = page.context().waitForEvent('page');
    await dialog.getByRole('button', { name: 'Sign in with SSO in a new tab' }).click();
    await (await opened).getByRole('banner').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Template saved').waitFor();
  });
});
