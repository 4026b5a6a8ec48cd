// Signing in with SSO in a real browser: over the identity provider's page and back, with cookies as browsers keep them.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import { saveConnection } from '../../core/sso/connections.ts';
import { createUser } from '../../core/tenant/users.ts';
import { noBrowser, openBrowserWorld, seriousViolations, type BrowserWorld } from '../harness/browser.ts';
import { startSamlIdp, type SamlIdp } from '../harness/saml-idp.ts';

describe.skipIf(noBrowser !== null)(`SSO${noBrowser === null ? '' : ` (${noBrowser})`}`, () => {
  let world: BrowserWorld;
  let idp: SamlIdp;
  beforeAll(async () => {
    [world, idp] = await Promise.all([openBrowserWorld(), startSamlIdp()]);
    // The port is known only now; the identity provider posts to this address.
    world.api.deps.config.PUBLIC_URL = world.origin;
  });
  afterAll(() => Promise.all([world.close(), idp.close()]));

  test('ends in the dashboard, signed in, also after a reload; a stranger is told what to do', async () => {
    const { db } = world.api.context;
    const email = `ann@${world.tenant.id}.test`;
    const { userId } = await createUser(db, { tenantId: world.tenant.id, email, role: 'member' });
    const by = { tenant: world.tenant, userId };
    await saveConnection(db, by, { idpMetadataXml: idp.metadataXml, enabled: true });

    const login = `/saml/${toId('tnt', world.tenant.id)}/login`;
    const page = await world.openPage();
    idp.signInAs('nobody@elsewhere.test');
    await page.goto(login);
    await page.getByRole('heading', { name: 'You are not invited yet' }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);

    idp.signInAs(email);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.waitForURL(`${world.origin}/`);
    await page.getByRole('banner').waitFor();
    await page.reload();
    await page.getByRole('banner').waitFor();
    const cookies = await page.context().cookies();
    expect(cookies.map(({ name, sameSite }) => [name, sameSite])).toEqual([['postrider_refresh', 'Strict']]);
  });
});
