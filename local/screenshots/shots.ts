// The pages that README.md shows.

import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';

import type { Login, SampleAccount } from './sample-account.ts';

/** One picture. */
interface Shot {
  name: string;
  path: string;
}

const VIEWPORT = { width: 1280, height: 900 };

// Each picture is shown in a document (test/unit/project/docs.test.ts).
function shotsOf(ids: SampleAccount): Shot[] {
  return [
    { name: 'overview', path: '/' },
    { name: 'domain', path: `/domains/${ids.domainId}` },
    { name: 'message', path: `/messages/${ids.messageId}` },
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
    const page = await openPage(browser, origin);
    await signIn(page, account.owner);
    for (const { name, path } of shotsOf(account)) {
      await page.goto(path);
      await shoot(page, join(folder, `${name}.png`));
      log(`${name}.png`);
    }
  } finally {
    await browser.close();
  }
}

async function openPage(browser: Browser, baseURL: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL,
    ignoreHTTPSErrors: true,
    viewport: VIEWPORT,
    colorScheme: 'light',
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
