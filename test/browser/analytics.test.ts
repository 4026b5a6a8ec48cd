// Analytics as a person reads it: volumes and rates of a range beside the days before, the limits of providers, what may explain a
// change, mail told apart, and from a bar to its messages.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import { rollUp } from '../../core/analytics/roll-up.ts';
import {
  complaintsOf,
  noBrowser,
  openBrowserWorld,
  scrollsSideways,
  violationsOf,
  type BrowserWorld,
} from '../harness/browser.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { skips } from '../harness/needs.ts';

const EVIL = '<img src=x onerror="alert(1)">';
const DAYS = 60;

describe.skipIf(skips(noBrowser))('analytics', () => {
  let world: BrowserWorld;
  let account: Account;
  let pages: Page[];
  let complaints: string[];

  beforeAll(async () => {
    world = await openBrowserWorld();
    account = await makeAccount(world.api.context.db, {
      tenantId: world.tenant.id,
      domain: 'numbers.example.com',
    });
    pages = [await world.signedIn('/analytics'), await world.signedIn('/analytics', 'phone')];
    complaints = pages.flatMap((one) => complaintsOf(one));
  });
  afterAll(() => world.close());

  const sql = (text: string, values: unknown[]) => world.api.context.db.pool.query(text, values);
  // Mail of the last days as the roll-up leaves it: more of it lately, and more bounces at its end.
  const fill = async (kind: string, value: string, part: number) =>
    sql(
      `insert into analytics_days (tenant_id, kind, day, value, domain_id, accepted, delivered, bounced, expired, complained, opened, clicked)
       select $1, $2, (now() at time zone 'UTC')::date - n, $3, $4, (a * $5::float8)::int, (a * $5::float8 * case when n < 3 then 0.93 else 0.985 end)::int - (n = 0)::int * 40,
         (a * $5::float8 * case when n < 4 then 0.045 else 0.012 end)::int, (a * $5::float8 * 0.001)::int,
         (a * $5::float8 * case when n < 4 then 0.0022 else 0.0004 end)::int, (a * $5::float8 * 0.3)::int, (a * $5::float8 * 0.04)::int
       from generate_series(0, $6::int - 1) n, lateral (select 6000 - n * 60 + (n % 7) * 300 as a) x`,
      [account.tenantId, kind, value, account.domainId, part, DAYS],
    );
  const look = async (name: string) => {
    for (const [at, page] of pages.entries()) {
      await page.locator('.animate-pulse').first().waitFor({ state: 'detached' });
      expect(await violationsOf(page), `${name} ${at}`).toEqual([]);
      expect(await scrollsSideways(page), `${name} ${at}`).toBe(false);
    }
  };

  test('without mail it says what comes here', async () => {
    for (const page of pages) await page.getByText('No mail in these days').waitFor();
    await look('analytics-empty');
  });

  test('totals beside the days before, rates with the limits of providers, what happened, mail told apart', async () => {
    await fill('all', '', 1);
    await fill('tag', 'kind=newsletter', 0.7);
    await fill('tag', `evil=${EVIL}`, 0.1);
    await fill('provider', 'gmail', 0.6);
    await sql(
      `insert into warmup_history (id, tenant_id, domain_id, at, actor, action, from_tier, to_tier, reason)
       values (gen_random_uuid(), $1, $2, now() - interval '9 days', 'auto-ramp', 'advance', 5, 6, 'good'),
         (gen_random_uuid(), $1, $2, now() - interval '2 days', 'brake', 'brake_bulk', 6, 6, 'bad')`,
      [account.tenantId, account.domainId],
    );
    await sql(
      `insert into campaigns (id, tenant_id, name, header_from, audience, launched_at)
       values ($1, $2, $3, 'a@numbers.example.com', '{}', now() - interval '3 days')`,
      [newUuid(), account.tenantId, `Autumn ${EVIL}`],
    );
    for (const page of pages) {
      await page.goto('/');
      await page.getByRole('link', { name: 'Analytics', exact: true }).first().click();
      await page.getByRole('heading', { name: 'Analytics', level: 1 }).waitFor();
      await page.getByRole('img', { name: /^Volume by day\. From .* Delivered: highest/ }).waitFor();
      await page.getByRole('img', { name: /^Bounce rate by day\. .*Bounce rate: highest 4\.[56]/ }).waitFor();
      await page.getByRole('img', { name: /^Complaint rate by day\. .*highest 0\.2/ }).waitFor();
      const happened = page.getByRole('list', { name: 'What happened' });
      await happened.getByText('numbers.example.com: tier 5 → 6').waitFor();
      await happened.getByText('numbers.example.com: same-day brake on').waitFor();
      await happened.getByText(`Campaign launched: Autumn ${EVIL}`).waitFor();
      await page.getByRole('table', { name: 'By domain' }).getByText('numbers.example.com').waitFor();
      await page
        .getByRole('region', { name: /^Totals, compared with/ })
        .getByText(/^\+\d+\s%, was/)
        .first()
        .waitFor();
    }
    await look('analytics');
  });

  test('a legend entry switches its series; the choice of days and of whose mail is in the URL', async () => {
    const [page] = pages as [Page, Page];
    const legend = page.getByRole('list', { name: 'Legend of Volume by day' });
    const delivered = legend.getByRole('button', { name: 'Delivered' });
    await delivered.click();
    expect(await delivered.getAttribute('aria-pressed')).toBe('false');
    await page.getByRole('img', { name: /^Volume by day\. From [^.]*\. Bounced: highest/ }).waitFor();
    await delivered.click();
    await page.getByLabel('Days').selectOption('7');
    await expect.poll(() => new URL(page.url()).search).toBe('?range=7');
    await page.getByLabel('Tell apart').selectOption('tag');
    const tags = page.getByRole('table', { name: 'By tag' });
    await tags.getByText(`evil=${EVIL}`).waitFor();
    await tags.getByRole('link', { name: 'kind=newsletter' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('tag')).toBe('kind=newsletter');
    expect(await page.getByLabel('Tag', { exact: true }).inputValue()).toBe('kind=newsletter');
    await page.getByLabel('Mailbox provider').selectOption('gmail');
    await expect.poll(() => new URL(page.url()).searchParams.get('tag')).toBeNull();
    await page.getByText('What this provider answered.').waitFor();
    // The way in which the api refuses: days in the wrong order.
    await page.goto('/analytics?range=custom&from=2026-02-02&to=2026-02-01');
    await page
      .getByText(/must not be before/)
      .first()
      .waitFor();
  });

  test('a bar leads to its messages, and so does its row of the table', async () => {
    const [page] = pages as [Page, Page];
    const { db } = world.api.context;
    const inMessages = async (subject: string, tag: string) =>
      sql(
        `insert into messages (id, tenant_id, domain_id, stream, state, header_from, rcpt_to, subject, tags, created_at)
         values (uuid_floor(now() - interval '2 minutes'), $1, $2, 'bulk', 'delivered', 'a@numbers.example.com', 'ann@example.net', $3, $4,
           now() - interval '2 minutes')`,
        [account.tenantId, account.domainId, subject, JSON.stringify([{ name: 'kind', value: tag }])],
      );
    await inMessages('Autumn is here', 'newsletter');
    await rollUp(db.pool, new AbortController().signal, () => {});
    await page.goto('/analytics?range=7&tag=kind%3Dnewsletter');
    const volume = page.getByRole('region', { name: 'Volume by day' });
    await volume.locator('.u-over').waitFor();
    const box = (await volume.locator('.u-over').boundingBox())!;
    await page.mouse.move(box.x + (box.width * 13) / 14, box.y + box.height - 20);
    await page.locator('p', { hasText: 'Today, so far' }).waitFor();
    await page.mouse.click(box.x + (box.width * 13) / 14, box.y + box.height - 20);
    await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('status'), searchParams.get('tag')]).toEqual(['delivered', 'kind=newsletter']);
    expect(await page.getByLabel('Tag, or tag=value').inputValue()).toBe('kind=newsletter');
    await page.getByText('Autumn is here').waitFor();
    await page.goBack();
    await volume.getByRole('button', { name: /Show as table/ }).click();
    await volume.getByRole('table').getByRole('link').last().waitFor();
    const href = await volume.getByRole('table').getByRole('link').first().getAttribute('href');
    expect(href).toMatch(
      /^\/messages\?status=delivered&tag=kind%3Dnewsletter&since=\d{4}-\d\d-\d\dT00%3A00%3A00Z&until=/,
    );
    expect(complaints).toEqual([]);
  });
});
