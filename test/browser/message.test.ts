// A message on its page, through a real sender: what it says in every view, sent again and to oneself, tried now, the answer to
// forward; what a viewer sees, and what is said when the content is gone.

import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { fromId } from '../../core/base/ids.ts';
import { createUser } from '../../core/people/users.ts';
import { freePort } from '../../local/servers/free-port.ts';
import { TESTER } from '../harness/actor.ts';
import { createApiWorld } from '../harness/api-world.ts';
import {
  complaintsOf,
  noBrowser,
  openBrowserWorld,
  scrollsSideways,
  violationsOf,
  signIn,
  type BrowserWorld,
} from '../harness/browser.ts';
import { startDnsPeer, type DnsPeer } from '../harness/dns-peer.ts';
import { makeSignedAccount, type Account } from '../harness/factories.ts';
import { skips } from '../harness/needs.ts';
import { startService, type Service } from '../harness/service.ts';
import { startSmtpPeer, type SmtpPeer } from '../harness/smtp-peer.ts';
import { waitUntil, WITHIN_READS } from '../harness/wait.ts';

const SUBJECT = 'Order {{ number }} <b>has shipped</b>';
const HTML = `<style>@media (prefers-color-scheme: dark) { h1 { color: rgb(1, 2, 3) } }</style>
  <h1>On its way</h1><p style="font-size:16px">Hello {{ name }}, your parcel has left our warehouse.</p>
  <script>parent.document.title = 'taken'</script><a href="https://shop.example/track">Track it</a>`;
const FILE = '<script>alert(1)</script>';

describe.skipIf(skips(noBrowser))('a message', () => {
  let world: BrowserWorld;
  let sink: SmtpPeer;
  let dns: DnsPeer;
  let sender: Service;
  let account: Account;
  let key: string;
  let page: Page;
  let phone: Page;
  let complaints: string[];

  beforeAll(async () => {
    sink = await startSmtpPeer();
    dns = await startDnsPeer({
      'sink.test': { mx: [[10, 'mx.sink.test']] },
      'mx.sink.test': { a: ['127.0.0.1'] },
    });
    const port = String(await freePort());
    const api = await createApiWorld({
      SENDER_ADDRESSES: `127.0.0.1:${port}`,
      DNS_SERVERS: dns.address,
      OUTBOUND_SMTP_PORT: String(sink.port),
    });
    world = await openBrowserWorld(api);
    sender = await startService('sender', { ...api.context.env, SENDER_GRPC_PORT: port });
    account = await makeSignedAccount(api.context, { tenantId: world.tenant.id, tier: 5 });
    key = (
      await api.makeKey({
        tenantId: world.tenant.id,
        scopes: ['transactional:send', 'transactional:read', 'templates:write'],
      })
    ).key;
    page = await world.signedIn('/profile');
    phone = await world.signedIn('/profile', 'phone');
    complaints = [page, phone].flatMap((one) => complaintsOf(one));
  });
  afterAll(async () => {
    await sender?.kill();
    await Promise.all([sink?.close(), dns?.close()]);
    await world?.close();
  });

  const send = async (more: Record<string, unknown>) => {
    const body = { from: `Shop <shop@${account.domain}>`, to: 'ann@sink.test', ...more };
    const answer = await world.api.call('POST', '/transactional/send', { key, body });
    expect(answer.status, answer.text).toBe(202);
    return answer.json.data.id as string;
  };
  const until = (id: string, status: string) =>
    waitUntil(
      async () => (await world.api.call('GET', `/transactional/${id}`, { key })).json.data.status === status,
      WITHIN_READS,
    );
  const looksRight = async (name: string, both = true) => {
    for (const [size, shown] of [['wide', page] as const, ['phone', phone] as const]) {
      if (!both && size === 'phone') continue;
      expect(await violationsOf(shown), `${name} ${size}`).toEqual([]);
      expect(await scrollsSideways(shown), `${name} ${size}`).toBe(false);
    }
  };
  const widthOf = (title: string) =>
    page.locator(`iframe[title="${title}"]`).evaluate((one) => one.clientWidth);

  test('what it says: rendered, on a desktop, a phone, in the dark, as text, headers, source and files', async () => {
    const template = await world.api.call('POST', '/templates', {
      key,
      body: { name: 'Shipped', subject: SUBJECT, html: HTML, text: 'Hello {{ name }}' },
    });
    const id = await send({
      template_id: template.json.data.id,
      variables: { number: 4711, name: 'Ann' },
      headers: { 'X-Order': '4711' },
      attachments: [
        { filename: 'label.html', content: Buffer.from(FILE).toString('base64'), content_type: 'text/html' },
      ],
    });
    await until(id, 'delivered');
    for (const shown of [page, phone]) {
      await shown.goto(`/messages/${id}`);
      await shown.getByRole('heading', { name: 'Order 4711 <b>has shipped</b>', level: 1 }).waitFor(); // as text
      const frame = shown.frameLocator('iframe[title="Message on a desktop"]');
      await frame.getByText('Hello Ann, your parcel has left').waitFor();
      await shown.getByText(/accepted it and answered: “250/).waitFor();
    }
    expect(await page.title()).not.toBe('taken');
    await looksRight('message');

    expect(await widthOf('Message on a desktop')).toBeGreaterThan(700);
    await page.getByRole('tab', { name: 'Phone' }).click();
    await page.frameLocator('iframe[title="Message on a phone"]').getByText('On its way').waitFor();
    expect(await widthOf('Message on a phone')).toBeLessThanOrEqual(390);
    await page.getByRole('tab', { name: 'Dark' }).click();
    const heading = page.frameLocator('iframe[title="Message in the dark"]').getByRole('heading');
    await waitUntil(
      async () => (await heading.evaluate((one) => getComputedStyle(one).color)) === 'rgb(1, 2, 3)',
    );
    await page.getByRole('tab', { name: 'Text', exact: true }).click();
    await page.getByLabel('Message as text').getByText('Hello Ann').waitFor();
    await page.getByRole('tab', { name: /^Headers/ }).click();
    await page.getByText('X-Order').waitFor();
    await page.getByRole('tab', { name: 'Source' }).click();
    await page.getByLabel('Source of the message').getByText('DKIM-Signature: ').waitFor();
    await looksRight('message-source', false);
    const [source] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download .eml' }).click(),
    ]);
    expect(await readFile(await source.path(), 'utf8')).toContain('X-Order: 4711');
    await page.getByRole('tab', { name: 'Attachments (1)' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download label.html' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('label.html');
    expect(await readFile(await file.path(), 'utf8')).toBe(FILE);

    await page.getByRole('button', { name: 'Copy answer' }).click();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied.split('\n')).toEqual([
      `The message “Order 4711 <b>has shipped</b>” from Shop <shop@${account.domain}> to ann@sink.test:`,
      expect.stringContaining('We accepted it for delivery.'),
      expect.stringContaining('mx.sink.test accepted it and answered: “250'),
      expect.stringContaining('The mail server of the recipient has it.'),
      `Reference: ${id}`,
    ]);
  });

  test('sent again, and to oneself; one opening of the dialog sends once', async () => {
    const id = await send({ subject: 'Your invoice', text: 'Attached.' });
    await until(id, 'delivered');
    await page.goto(`/messages/${id}`);
    await page.getByRole('button', { name: 'Send to me' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(world.owner.email).waitFor();
    await looksRight('message-again-dialog', false);
    dns.zone[`${world.tenant.id}.test`] = { mx: [[10, 'mx.sink.test']] };
    await dialog.getByRole('button', { name: 'Send to me' }).click();
    await page.getByText(`Sent again to ${world.owner.email}`).waitFor();
    await waitUntil(() => sink.messages.some(({ rcptTo }) => rcptTo === world.owner.email));

    const before = sink.messages.length;
    await page.getByRole('button', { name: 'Send again' }).click();
    // The answer to the first click is lost on its way; the second click asks for the same.
    let lost = 0;
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('mutation SendMessageAgain') || lost++ > 0)
        return route.continue();
      await route.fetch();
      return route.abort();
    });
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await dialog.getByText('The server cannot be reached.').waitFor();
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/messages/msg_') && !url.pathname.endsWith(id));
    await page.getByRole('heading', { name: 'Your invoice', level: 1 }).waitFor();
    await page.unroute('**/graphql');
    const made = page.url().split('/').at(-1)!;
    await until(made, 'delivered');
    expect(sink.messages.length - before).toBe(1);
    const { rows } = await world.api.context.db.pool.query(
      `select data as details from audit_log where tenant_id = $1 and action = 'message.sent_again' and subject = $2`,
      [world.tenant.id, made],
    );
    expect(rows).toEqual([{ details: { of: id, to: 'ann@sink.test' } }]);
  });

  test('try now goes at once, or says why not', async () => {
    let busy = true;
    sink.script.rcpt = (to) => (busy && to.startsWith('busy') ? '451 4.7.1 Try again later' : '250 ok');
    const id = await send({ to: 'busy@sink.test', subject: 'Be patient', text: 'x' });
    await until(id, 'deferred');
    for (const shown of [page, phone]) {
      await shown.goto(`/messages/${id}`);
      await shown.getByRole('button', { name: 'Try now' }).click();
      await shown.getByText(/cannot be tried now: it was tried \d+ s ago/).waitFor(); // what the api refuses
    }
    await looksRight('message-waits');
    busy = false;
    await world.api.context.db.pool.query(
      `update message_attempts set at = at - interval '2 minutes' where message_id = $1`,
      [fromId('msg', id)],
    );
    await page.getByRole('button', { name: 'Try now' }).click();
    await page.getByText('It is tried within seconds').first().waitFor();
    await until(id, 'delivered');
    await page.getByText('somebody asked to try it now').waitFor();
    await page.getByRole('button', { name: 'Try now' }).waitFor({ state: 'detached' });
  });

  test('a viewer reads and does nothing; what is not kept is said', async () => {
    const id = await send({ subject: 'For all to read', html: '<p>Words</p>' });
    await until(id, 'delivered');
    const { pool } = world.api.context.db;
    const email = `viewer@${world.tenant.id}.test`;
    const { password } = await createUser(world.api.context, TESTER, {
      tenantId: world.tenant.id,
      email,
      role: 'viewer',
    });
    const viewer = await world.openPage();
    await viewer.goto(`/messages/${id}`);
    await signIn(viewer, { email, password });
    await viewer.frameLocator('iframe[title="Message on a desktop"]').getByText('Words').waitFor();
    for (const name of ['Send again', 'Send to me', 'Try now', 'Cancel message'])
      expect(await viewer.getByRole('button', { name }).count(), name).toBe(0);
    await pool.query('delete from message_contents where message_id = $1', [fromId('msg', id)]);
    for (const shown of [page, phone]) {
      await shown.goto(`/messages/${id}`);
      await shown.getByText('The content of this message is not kept any more.').waitFor();
      expect(await shown.getByRole('button', { name: 'Send again' }).count()).toBe(0);
    }
    await looksRight('message-gone');
    expect(complaints).toEqual([]);
  });
});
