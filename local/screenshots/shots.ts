// Which pages are pictured, and how: wide and light with data, then as an account that has nothing yet sees them, and on a phone
// in the dark.

import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';

import type { Login, SampleAccount } from './sample-account.ts';

/** One picture. */
interface Shot {
  name: string;
  path: string;
}

const WIDE = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

function ownerShots(ids: SampleAccount): Shot[] {
  return [
    { name: 'overview', path: '/' },
    { name: 'send', path: '/send' },
    { name: 'messages', path: '/messages' },
    { name: 'message', path: `/messages/${ids.messageId}` },
    { name: 'templates', path: '/templates' },
    { name: 'template', path: `/templates/${ids.templateId}` },
    { name: 'campaigns', path: '/campaigns' },
    { name: 'campaign-new', path: '/campaigns/new' },
    { name: 'campaign', path: `/campaigns/${ids.campaignId}` },
    { name: 'contacts', path: '/contacts' },
    { name: 'contact', path: `/contacts/${ids.contactId}` },
    { name: 'contact-lists', path: '/contacts/lists' },
    { name: 'contact-imports', path: '/contacts/imports' },
    { name: 'contact-import', path: `/contacts/imports/${ids.importId}` },
    { name: 'suppressions', path: '/suppressions' },
    { name: 'events', path: '/events' },
    { name: 'domains', path: '/domains' },
    { name: 'domain', path: `/domains/${ids.domainId}` },
    { name: 'reputation', path: '/reputation' },
    { name: 'analytics', path: '/analytics' },
    { name: 'providers', path: '/providers' },
    { name: 'inbound', path: '/inbound' },
    { name: 'inbound-message', path: `/inbound/${ids.inboundId}` },
    { name: 'mailboxes', path: '/inbound/mailboxes' },
    { name: 'webhook', path: '/inbound/webhook' },
    { name: 'alerts', path: '/alerts' },
    { name: 'event-webhooks', path: '/webhooks' },
    { name: 'event-webhook', path: `/webhooks/${ids.webhookId}` },
    { name: 'event-webhook-test', path: `/webhooks/${ids.webhookId}?tab=test` },
    { name: 'api-keys', path: '/api-keys' },
    { name: 'people', path: '/people' },
    { name: 'sso', path: '/sso' },
    { name: 'audit', path: '/audit' },
    { name: 'profile', path: '/profile' },
    { name: 'docs', path: '/docs' },
    { name: 'doc', path: '/docs/warmup' },
  ];
}

function adminShots(ids: SampleAccount): Shot[] {
  return [
    { name: 'admin-tenants', path: '/admin/tenants' },
    { name: 'admin-tenant', path: `/admin/tenants/${ids.tenantId}` },
    { name: 'admin-sources', path: '/admin/sources' },
    { name: 'admin-jobs', path: '/admin/jobs' },
  ];
}

/** Takes all pictures into `folder`, and logs each. */
export async function takeShots(
  executablePath: string,
  origin: string,
  account: SampleAccount,
  folder: string,
  log: (line: string) => void,
): Promise<void> {
  const args = ['--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--force-color-profile=srgb'];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const entry = await openPage(browser, origin, false);
    await entry.goto('/sign-in');
    await shoot(entry, join(folder, 'sign-in.png'));
    const owner = ownerShots(account);
    const ids = Object.values(account).filter((value) => typeof value === 'string');
    const lists = owner.filter(({ path }) => !ids.some((id) => path.includes(id)));
    const rounds: { login: Login; shots: Shot[]; under: string; phone?: true }[] = [
      { login: account.owner, shots: owner, under: '' },
      { login: account.superAdmin, shots: adminShots(account), under: '' },
      { login: account.newcomer, shots: lists, under: 'empty' },
      { login: account.owner, shots: owner, under: 'phone', phone: true },
    ];
    for (const { login, shots, under, phone = false } of rounds) {
      const page = await openPage(browser, origin, phone);
      await signIn(page, login);
      for (const { name, path } of shots) {
        await page.goto(path);
        const file = join(under, `${name}.png`);
        await shoot(page, join(folder, file));
        log(file);
      }
      await page.context().close();
    }
  } finally {
    await browser.close();
  }
}

async function openPage(browser: Browser, baseURL: string, phone: boolean): Promise<Page> {
  const context = await browser.newContext({
    baseURL,
    ignoreHTTPSErrors: true,
    viewport: phone ? PHONE : WIDE,
    colorScheme: phone ? 'dark' : 'light',
    reducedMotion: 'reduce',
  });
  return context.newPage();
}

async function signIn(page: Page, { email, password }: Login): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('banner').waitFor();
}

// Live pages never have an idle network: what is waited for is the page's heading, and that nothing says it loads.
async function shoot(page: Page, path: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page
    .locator('[role=status][aria-label^=Loading]')
    .first()
    .waitFor({ state: 'detached' })
    .catch(() => undefined);
  await page.waitForTimeout(600); // plots are drawn after the data came
  await page.screenshot({ path });
}
