// Inbound mail in the browser: a hostile message is opened safely, mailboxes are made, renamed and deleted.

import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { makeAccount } from '../harness/factories.ts';
import { openWorld, sendMail, type InboundWorld } from '../harness/inbound-world.ts';
import {
  complaintsOf,
  noBrowser,
  openBrowserWorld,
  scrollsSideways,
  violationsOf,
  type BrowserWorld,
} from '../harness/browser.ts';
import { skips } from '../harness/needs.ts';
import { waitUntil } from '../harness/wait.ts';

const SUBJECT = `<img src=x onerror="alert(1)"> Your <b>prize</b> of ${'9'.repeat(60)}`;
const FROM = '"<script>alert(1)</script> Bank" <evil@sender.test>';
const SCRIPT = '<script>alert(1)</script>';

describe.skipIf(skips(noBrowser))('inbound', () => {
  let world: BrowserWorld;
  let inbound: InboundWorld;
  let elsewhere: Server;
  let asked: string[];
  let page: Page; // the owner's, wide
  let phone: Page; // the owner's, on a phone
  const domain = 'mail.test';

  beforeAll(async () => {
    world = await openBrowserWorld();
    inbound = await openWorld({}, world.api.context);
    asked = [];
    elsewhere = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    await makeAccount(world.api.context.db, { tenantId: world.tenant.id, domain });
    page = await world.signedIn('/inbound');
    phone = await world.signedIn('/inbound', 'phone');
  });
  afterAll(async () => {
    elsewhere.close();
    await inbound.close();
    await world.close();
  });

  const hostileHtml = () => {
    const url = `http://localhost:${(elsewhere.address() as AddressInfo).port}`;
    const beacon = `new Image().src='${url}/ran'`;
    return [
      `<html><head><meta http-equiv="refresh" content="0;url=${url}/refresh"><base href="${url}/">`,
      `<style>@import url(${url}/style); h1 { background: url(${url}/picture.css) }`,
      `@font-face { font-family: f; src: url(${url}/font) } h1 { font-family: f }</style>`,
      `<link rel="stylesheet" href="${url}/link"><script src="${url}/script"></script></head>`,
      `<body onload="${beacon}"><h1>Claim it now</h1><script>${beacon}</script>`,
      `<img src="${url}/picture.pixel" width="1" height="1" onload="${beacon}" onerror="${beacon}">`,
      `<svg onload="${beacon}"><script>${beacon}</script></svg><iframe src="${url}/frame"></iframe>`,
      `<video src="${url}/video" autoplay></video><object data="${url}/object"></object>`,
      `<p><a href="javascript:${beacon}" onclick="${beacon}">Claim</a></p>`,
      `<form action="${url}/form" method="post"><input name="pin" value="1234">`,
      `<button onclick="${beacon}">Verify</button></form></body></html>`,
    ].join('\r\n');
  };
  const hostileMail = () =>
    [
      `From: ${FROM}`,
      `To: <support@${domain}>`,
      `Subject: ${SUBJECT}`,
      'X-Long: ' + '<b>'.repeat(80),
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/html; charset=utf-8',
      '',
      hostileHtml(),
      '--b',
      'Content-Type: text/html; name="evil.html"',
      'Content-Disposition: attachment; filename="evil.html"',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(SCRIPT).toString('base64'),
      '--b--',
      '',
    ].join('\r\n');
  const arrived = async (count: number) => {
    await waitUntil(async () => {
      const { rows } = await world.api.context.db.pool.query(
        'select 1 from inbound_messages m join inbound_contents c on c.raw_id = m.raw_id where m.tenant_id = $1',
        [world.tenant.id],
      );
      return rows.length >= count;
    });
  };
  const looksRight = async (shown: Page) => {
    expect(await violationsOf(shown)).toEqual([]);
    expect(await scrollsSideways(shown)).toBe(false);
  };

  test('hostile HTML is opened safely: nothing runs, nothing leaves until pictures are asked for', async () => {
    expect(await sendMail(inbound.port, { to: `support@${domain}`, data: hostileMail() })).toMatch(/^250/);
    await arrived(1);
    await page.reload();
    const outside: string[] = [];
    page.context().on('response', (response) => {
      const url = response.url();
      if (!url.startsWith(world.origin) && !/^(?:blob|data):/.test(url)) outside.push(url);
    });
    page.on('dialog', (dialog) => outside.push(dialog.message()));
    const row = page.getByRole('row').filter({ hasText: 'evil@sender.test' });
    await row.getByText(SUBJECT).waitFor(); // as text, not as a picture
    await row.getByText('unread').waitFor();
    await looksRight(page);
    await phone.reload();
    await phone.getByText(SUBJECT).waitFor();
    await looksRight(phone);
    phone.on('pageerror', (error) => outside.push(error.message)); // what the policy refuses is no error here

    await row.getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: SUBJECT, level: 1 }).waitFor();
    await page.getByText('<script>alert(1)</script> Bank').first().waitFor();
    const frame = page.frameLocator('iframe[title="Message as HTML"]');
    await frame.getByRole('heading', { name: 'Claim it now' }).waitFor();
    await frame.getByRole('link', { name: 'Claim' }).click();
    await frame.getByRole('button', { name: 'Verify' }).click();
    await page.getByRole('button', { name: 'Mark as unread' }).waitFor(); // opening it marked it as read
    await looksRight(page);
    expect([asked, outside]).toEqual([[], []]);

    await page.getByRole('button', { name: 'Show images' }).click();
    await frame.getByRole('heading', { name: 'Claim it now' }).waitFor();
    await waitUntil(() => asked.includes('/picture.pixel') && asked.includes('/picture.css'));
    await frame.getByRole('link', { name: 'Claim' }).click();
    await frame.getByRole('button', { name: 'Verify' }).click();
    await page.getByRole('tab', { name: /^Headers/ }).click();
    await page.getByText('<b><b><b>').waitFor();
    await looksRight(page);
    expect(asked.toSorted()).toEqual(['/picture.css', '/picture.pixel']);

    const address = new URL(page.url()).pathname;
    await phone.goto(address);
    await phone.getByRole('heading', { name: SUBJECT, level: 1 }).waitFor();
    await phone.getByRole('tab', { name: 'Text', exact: true }).click();
    await looksRight(phone);
    expect(outside.filter((url) => !url.includes('/picture.'))).toEqual([]);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download evil.html' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('evil.html');
    expect(await readFile(await download.path(), 'utf8')).toBe(SCRIPT);
    const [raw] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download .eml' }).click(),
    ]);
    expect(await readFile(await raw.path(), 'utf8')).toBe(hostileMail());

    // As inbound stores it (test/nightly/inbound-scan.test.ts).
    const scan = JSON.stringify({
      verdict: 'spam',
      reason: null,
      score: 15.2,
      required_score: 15,
      action: 'reject',
      virus: null,
      symbols: [{ name: 'BAD_LINK', score: 9.5 }],
    });
    await world.api.context.db.pool.query('update inbound_raws set scan = $1', [scan]);
    await world.api.context.db.pool.query('update inbound_messages set junk = true');
    await page.reload();
    await page.getByText('spam, score 15.2 of 15').waitFor();
    await page.getByText('BAD_LINK (9.5)').waitFor();
    await page.getByText('junk', { exact: true }).waitFor();
    await looksRight(page);

    await page.getByRole('button', { name: 'Mark as unread' }).click();
    await page.getByText('Marked as unread').waitFor();
    await page.getByRole('link', { name: 'Inbox' }).first().click();
    await page.getByLabel('Read status').selectOption('unread');
    await row.waitFor();
    expect(new URL(page.url()).search).toBe('?state=unread');
    await page.getByLabel('Junk', { exact: true }).selectOption('without');
    await page.getByText('No messages match').waitFor();
    await page.getByLabel('Junk', { exact: true }).selectOption('only');
    await row.getByText('junk').waitFor();
    await page.getByRole('searchbox').fill('elephant');
    await page.keyboard.press('Enter');
    await page.getByText('No messages match').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await row.getByRole('link').click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await looksRight(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete message' }).click();
    await page.getByText('No mail yet').waitFor();
    await page.goto(address);
    await page.getByText('Message not found').waitFor();
    expect(asked.toSorted()).toEqual(['/picture.css', '/picture.pixel']);
  });

  test('a mailbox is made, refused the second time, counts what is unread, and is deleted', async () => {
    await page.goto('/inbound/mailboxes');
    const complaints = complaintsOf(page);
    await page.getByText('No mailboxes yet').waitFor();
    const make = async (address: string) => {
      await page.getByRole('button', { name: 'Create mailbox' }).first().click();
      await page.getByLabel('Address', { exact: true }).fill(address);
      await page.getByRole('dialog').getByRole('button', { name: 'Create mailbox' }).click();
    };
    await make('two words');
    await page.locator('[aria-invalid=true]').waitFor();
    await looksRight(page);
    await page.keyboard.press('Escape');
    await make('help');
    await page.getByText(`help@${domain} was created`).waitFor();
    await make('help');
    await page.getByText(`The mailbox help@${domain} already exists.`).waitFor();
    await page.getByLabel('Receives mail for').selectOption('all');
    await page.getByRole('dialog').getByRole('button', { name: 'Create mailbox' }).click();
    await page.getByText(`*@${domain} was created`).waitFor();

    await sendMail(inbound.port, { to: `help@${domain}`, data: 'Subject: Help\r\n\r\nPlease\r\n' });
    const parts = '--b\r\n\r\nx\r\n'.repeat(1_100); // more than core/mail/parse-mail.ts reads
    const data = `From: a@b.test\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts}`;
    await sendMail(inbound.port, { to: `deep@${domain}`, data });
    await arrived(2);
    await phone.goto('/inbound/mailboxes');
    const row = phone.getByRole('row').filter({ hasText: `help@${domain}` });
    await row.getByText('1 unread').waitFor();
    await looksRight(phone);
    await row.getByRole('link').click();
    await phone.getByText('no sender').or(phone.getByText('ann@sender.test')).first().waitFor();
    await phone.getByRole('row').filter({ hasText: 'Help' }).getByRole('link').click();
    await phone.getByText('Please').waitFor();
    await phone.getByRole('button', { name: 'Mark as unread' }).waitFor();
    await phone.goto('/inbound');
    await phone.getByRole('row').filter({ hasText: 'not fully parsed' }).getByRole('link').click();
    await phone.getByText('This message could not be fully parsed').waitFor();
    await looksRight(phone);

    await page.getByRole('button', { name: `Delete help@${domain}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete mailbox' }).click();
    await page.getByText(`help@${domain} was deleted`).waitFor();
    await page.getByRole('button', { name: `Rename *@${domain}` }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('The rest');
    await page.keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'The rest' }).waitFor();
    await looksRight(page);
    expect(complaints).toEqual([]);
  });
});
