// Every page of the dashboard, on a wide screen or a phone (both in the long form), in a browser whose scroll bars take room: axe
// finds nothing, the policy refuses nothing, no scroll bar is there without a need, and nothing scrolls sideways.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import { createApiWorld } from '../harness/api-world.ts';
import {
  complaintsOf,
  launchBrowser,
  noBrowser,
  openBrowserWorld,
  violationsOf,
  signIn,
  strayScrollBars,
  type BrowserWorld,
} from '../harness/browser.ts';
import { longForm } from '../harness/form.ts';
import { makeSystemSender } from '../harness/invitations.ts';
import { skips } from '../harness/needs.ts';
import { makePerson, type Credentials } from '../harness/sign-in.ts';
import { makeHolding } from '../harness/tenancy-things.ts';

const ROUTES = readFileSync(join(import.meta.dirname, '../../dashboard/src/routes.tsx'), 'utf8');
const PATHS = [...ROUTES.matchAll(/ path: '([^']+)'/g)].map(([, path]) => path!);
// The first of these are for everybody, the last for who is signed in.
const OPEN = ['/sign-in', '/forgot-password', '/reset-password/:token', '/invite/:token'];

describe.skipIf(skips(noBrowser))('every page', () => {
  let browser: Browser;
  let world: BrowserWorld;
  let person: Credentials;
  let addressOf: (path: string) => string;

  beforeAll(async () => {
    browser = await launchBrowser([], true);
    const api = await createApiWorld({ TRUSTED_PROXIES: '127.0.0.1' });
    world = await openBrowserWorld(api, browser);
    await makeSystemSender(api);
    const { ids, tenantId, make } = await makeHolding(api);
    person = await makePerson(api, 'super_admin', { tenantId });
    const wide =
      '<table width="600" style="background: url(https://a.test/bg.png)"><tr><td>Wider than a phone</table>';
    const html = `<style>p { color: #123456 }</style><p style="margin: 0" onclick="x()">Hi</p><img src="https://a.test/x.png" alt="x">${wide}`;
    const template = await make('/templates', { name: 'With pictures', subject: 's', html });
    const kinds: Record<string, string> = {
      messages: ids.msg,
      templates: template,
      campaigns: ids.cmp,
      imports: ids.imp,
      contacts: ids.con,
      domains: ids.dom,
      inbound: ids.inm,
      webhooks: ids.whk,
      deliveries: ids.wdl,
      tenants: toId('tnt', tenantId),
      docs: 'templates',
      'reset-password': 'token',
      invite: 'token',
      edit: 'audience',
    };
    addressOf = (path) => {
      const parts = path.split('/');
      return parts
        .map((part, at) => (part.startsWith(':') ? (kinds[parts[at - 1]!] ?? `no id for ${path}`) : part))
        .join('/')
        .replace('*', '/nothing-here');
    };
  });
  afterAll(async () => {
    await world?.close();
    await browser?.close();
  });

  test.each([
    ['wide', 0],
    ['phone', 1],
  ] as const)('%s', async (size, rest) => {
    const ofSize = (_path: string, at: number) => longForm(at % 2 === rest, true);
    const page = await world.openPage(size);
    const complaints = complaintsOf(page);
    const problems: Record<string, string[]> = {};
    const look = async (path: string) => {
      await page.goto(addressOf(path));
      await isThere(page);
      const found = [
        ...(await violationsOf(page)),
        ...(await strayScrollBars(page)),
        ...complaints.splice(0),
      ];
      if (found.length > 0) problems[path] = found;
    };
    for (const path of OPEN.filter(ofSize)) await look(path);
    await page.goto('/sign-in');
    await signIn(page, person);
    for (const path of PATHS.filter((one) => !OPEN.includes(one)).filter(ofSize)) await look(path);
    expect(problems).toEqual({});
    await page.goto('/docs/glossary');
    await isThere(page);
    expect(await page.evaluate('innerWidth - document.documentElement.clientWidth')).toBeGreaterThan(5); // bars are there
    await page.evaluate(`document.querySelector('main').style.overflowY = 'scroll'`);
    expect(await strayScrollBars(page)).toHaveLength(1);
  });
});

/** The page and what it asked for are shown. */
async function isThere(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForFunction(() => document.querySelector('.animate-pulse') === null);
}
