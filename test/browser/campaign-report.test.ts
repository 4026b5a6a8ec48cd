// What surrounds a campaign in the browser: exactly who gets it and who does not, the message as one contact sees it,
// and afterwards who did what.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';

import { nowDate } from '../../core/base/clock.ts';
import { newUuid, toId } from '../../core/base/ids.ts';
import { recordHits } from '../../core/tracking/engagement-store.ts';
import {
  complaintsOf,
  noBrowser,
  openBrowserWorld,
  scrollsSideways,
  violationsOf,
  type BrowserWorld,
} from '../harness/browser.ts';
import { makeSignedAccount } from '../harness/factories.ts';
import { makeMessageRow } from '../harness/message-row.ts';
import { skips } from '../harness/needs.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';

describe.skipIf(skips(noBrowser))('around a campaign', () => {
  let world: BrowserWorld;
  let sentId: string;
  const contacts: Record<string, string> = {};
  beforeAll(async () => {
    world = await openBrowserWorld();
    const domain = 'news.example.com';
    const account = await makeSignedAccount(world.api.context, {
      tenantId: world.tenant.id,
      domain,
      tier: 0,
    });
    for (let n = 0; n < 150; n++) await addContact(`many${n}@example.net`, `Name${n}`);
    await addContact('zoe@example.net', `Zoe ${HOSTILE}`);
    await addContact('=formula@example.net', null);
    await addContact('gone@example.net', 'Gone', 'unsubscribed');
    await world.api.context.db.pool.query(
      `insert into suppressions (tenant_id, email, reason) values ($1, 'many0@example.net', 'bounce')`,
      [world.tenant.id],
    );
    sentId = await addSent(account.domainId);
  });
  afterAll(() => world?.close());

  async function addContact(email: string, name: string | null, status = 'subscribed'): Promise<void> {
    contacts[email] = newUuid();
    await world.api.context.db.pool.query(
      `insert into contacts (id, tenant_id, email, email_key, first_name, status) values ($1, $2, $3, $3, $4, $5)`,
      [contacts[email], world.tenant.id, email, name, status],
    );
  }

  // A campaign that was sent, with an hour of opens and clicks.
  async function addSent(domainId: string): Promise<string> {
    const { db } = world.api.context;
    const id = newUuid();
    await db.pool.query(
      `insert into campaigns (id, tenant_id, name, header_from, subject, text, audience, state, launched_at, completed_at)
       values ($1, $2, 'Sent news', 'news@news.example.com', 'S', 'T', '{"all": true}', 'sent', now() - interval '12 hours', now() - interval '12 hours')`,
      [id, world.tenant.id],
    );
    const at = (minutes: number) => new Date(nowDate().getTime() + (minutes - 660) * 60_000);
    const hits: Parameters<typeof recordHits>[1] = [];
    for (const [n, email] of Object.keys(contacts).slice(100, 152).entries()) {
      const messageId = await makeMessageRow(db, world.tenant.id, {
        state: 'delivered',
        to: email,
        domainId,
      });
      await db.pool.query(
        `update messages set campaign_id = $2, contact_id = $3, finished_at = now() - interval '12 hours' where id = $1`,
        [messageId, id, contacts[email]],
      );
      await db.pool.query(
        'insert into campaign_recipients (campaign_id, contact_id, tenant_id, message_id) values ($1, $2, $3, $4)',
        [id, contacts[email], world.tenant.id, messageId],
      );
      const hit = { tenantId: world.tenant.id, messageId, data: { user_agent: 'x', ip: '192.0.2.1' } };
      const url =
        n % 3 === 0 ? `https://shop.example/${HOSTILE}` : 'https://shop.example/summer-sale?utm=june';
      if (n % 4 !== 0)
        hits.push({ ...hit, id: newUuid(), type: 'open', at: at(5 + n * 12), machine: n % 5 === 0 });
      if (n % 2 === 0)
        hits.push({
          ...hit,
          id: newUuid(),
          type: 'click',
          at: at(9 + n * 12),
          machine: false,
          data: { ...hit.data, url },
        });
    }
    await recordHits(db.pool, hits);
    return toId('cmp', id);
  }

  const looksRight = async (page: Page) => {
    expect(await violationsOf(page)).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
  };

  test('the audience with who is left out, and the message as one contact', async () => {
    const page = await world.signedIn('/campaigns/new');
    const complaints = complaintsOf(page);
    await page.getByLabel('Campaign name').fill('Preview');
    await page.getByLabel('All contacts').check();
    await page.getByText('151 of 153 contacts will receive this campaign').waitFor();
    await page.getByLabel('Left out').getByText('Suppressed: mail to them bounced').waitFor();
    await looksRight(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Subject').fill('News for {{ first_name }}');
    await page
      .getByRole('textbox', { name: 'HTML' })
      .fill('<h1>Hello {{ first_name }}</h1><p><a href="{{ unsubscribe_url }}">Unsubscribe</a></p>');
    await page.getByText('News for Name0', { exact: true }).waitFor();
    await page.getByLabel('Preview as').fill('zoe@example.net');
    await page.getByText(`News for Zoe ${HOSTILE}`, { exact: true }).waitFor();
    await page.getByText('As zoe@example.net receives it.').waitFor();
    const frame = page.frameLocator('iframe[title="Preview of the message"]');
    await frame.getByRole('heading', { name: 'Hello Zoe' }).waitFor();
    await page.getByText('Subject: ').scrollIntoViewIfNeeded();
    await looksRight(page);
    await page.getByRole('button', { name: 'Send a test to me' }).click();
    await page.getByText(/^Test sent to /).waitFor();
    expect(complaints).toEqual([]);
  });

  test('the report: over time, links ranked, who did what, and the file', async () => {
    const page = await world.signedIn(`/campaigns/${sentId}`);
    const complaints = complaintsOf(page);
    const links = page.getByRole('table', { name: 'Links' });
    await links.getByRole('row').nth(1).getByText('https://shop.example/summer-sale?utm=june').waitFor();
    await links.getByText(`https://shop.example/${HOSTILE}`, { exact: true }).waitFor();
    await page.getByLabel('Activity').selectOption({ label: 'Opened by machines only' });
    const recipients = page.getByRole('table', { name: 'Recipients' });
    await expect.poll(() => recipients.getByText('machine', { exact: true }).count()).toBe(8);
    expect(await recipients.getByRole('row').count()).toBe(9);
    await page.getByLabel('Activity').selectOption({ label: 'All recipients' });
    await page.getByText(/^The report below is as of \w+ \d+/).waitFor();
    const url = 'https://shop.example/clicked-later';
    const { rows } = await world.api.context.db.pool.query<{ id: string }>(
      'select message_id as id from campaign_recipients where tenant_id = $1 limit 1',
      [world.tenant.id],
    );
    const data = { user_agent: 'x', ip: '192.0.2.1', url };
    const { id: tenantId } = world.tenant;
    await recordHits(world.api.context.db.pool, [
      { tenantId, messageId: rows[0]!.id, id: newUuid(), type: 'click', at: nowDate(), machine: false, data },
    ]);
    expect(await links.getByText(url).count()).toBe(0);
    await page.getByRole('button', { name: 'Refresh report' }).click();
    await links.getByText(url).waitFor();
    await looksRight(page);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines.length).toBe(53);
    expect(lines.some((line) => line.startsWith(`"'=formula@example.net","delivered"`))).toBe(true);
    const phone = await world.signedIn(`/campaigns/${sentId}`, 'phone');
    await phone.getByRole('table', { name: 'Recipients' }).waitFor();
    await looksRight(phone);
    expect(complaints).toEqual([]);
  });
});
