// A contact's page tells one story: all mail to the address and to no other, what was opened and clicked, what bounced, why it gets
// no mail now and how that is lifted; a viewer reads all of it and changes nothing.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
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
import { makeMessageRow } from '../harness/message-row.ts';
import { skips } from '../harness/needs.ts';

const EMAIL = 'ann@example.net';
const EVIL = '<img src=x onerror="alert(1)">';

describe.skipIf(skips(noBrowser))('a contact', () => {
  let world: BrowserWorld;
  let page: Page;
  let phone: Page;
  let complaints: string[];
  let bounced: string;
  const id = newUuid();
  const path = `/contacts/${toId('con', id)}`;

  beforeAll(async () => {
    world = await openBrowserWorld();
    const { db } = world.api.context;
    const tenantId = world.tenant.id;
    await db.pool.query(
      `insert into contacts (id, tenant_id, email, email_key, first_name) values ($1, $2, $3, $3, 'Ann')`,
      [id, tenantId, EMAIL],
    );
    const put = async (to: string, state: string, subject: string) =>
      makeMessageRow(db, tenantId, { state, to, subject });
    const event = (messageId: string, type: string, data: Record<string, unknown>) =>
      db.pool.query(
        `insert into events (id, tenant_id, type, message_id, domain_id, recipient, occurred_at, data)
         values ($1, $2, $3, $4, $5, $6, now(), $7)`,
        [newUuid(), tenantId, type, messageId, newUuid(), EMAIL, JSON.stringify(data)],
      );
    for (let n = 1; n <= 10; n++) await put(EMAIL, 'delivered', `Newsletter ${n}`);
    const read = await put('Ann@Example.NET', 'delivered', 'Your order has shipped');
    await event(read, 'open', {});
    await event(read, 'open', {});
    await event(read, 'open', { machine_open: true });
    await event(read, 'click', { url: `https://shop.example/${EVIL}` });
    bounced = await put(EMAIL, 'bounced', 'Your invoice');
    await event(bounced, 'bounced', {
      kind: 'hard',
      class: 'invalid_recipient',
      diagnostic: `550 5.1.1 ${EVIL}`,
    });
    await put('joann@example.net', 'delivered', 'For somebody else');
    await db.pool.query(
      `insert into suppressions (tenant_id, email, reason, source_message_id) values ($1, $2, 'bounce', $3)`,
      [tenantId, EMAIL, bounced],
    );
    page = await world.signedIn(path);
    phone = await world.signedIn(path, 'phone');
    complaints = [page, phone].flatMap((one) => complaintsOf(one));
  });
  afterAll(() => world.close());

  const looksRight = async (name: string) => {
    for (const [size, shown] of [['wide', page] as const, ['phone', phone] as const]) {
      expect(await violationsOf(shown), `${name} ${size}`).toEqual([]);
      expect(await scrollsSideways(shown), `${name} ${size}`).toBe(false);
    }
  };

  test('all mail to the address and to no other, with what people did and what went wrong', async () => {
    for (const shown of [page, phone]) {
      await shown.goto(path);
      const story = shown.getByRole('list', { name: 'Messages to this address' });
      await story.getByRole('link', { name: 'Your invoice' }).waitFor();
      await story.getByText('Opened, 2 times; the first time').waitFor();
      await story.getByText(`Clicked https://shop.example/${EVIL}`).waitFor();
      await story.getByText(`550 5.1.1 ${EVIL}`).waitFor();
    }
    await looksRight('contact');
    const links = page.getByRole('list', { name: 'Messages to this address' }).getByRole('link');
    expect(await links.count()).toBe(10);
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByRole('link', { name: 'Newsletter 1', exact: true }).waitFor();
    expect(await links.count()).toBe(12);
    expect(await page.getByText('For somebody else').count()).toBe(0);
  });

  test('why it gets no mail; lifting is refused while the api is away, then done; a viewer is not offered it', async () => {
    const { pool } = world.api.context.db;
    const email = `viewer@${world.tenant.id}.test`;
    const { password } = await createUser(world.api.context, TESTER, {
      tenantId: world.tenant.id,
      email,
      role: 'viewer',
    });
    const viewer = await world.openPage();
    await viewer.goto(path);
    await signIn(viewer, { email, password });
    await viewer.getByText('An owner or a member can remove the suppression.').waitFor();
    await viewer.getByRole('link', { name: 'Your invoice' }).waitFor();
    for (const name of ['Remove suppression', 'Delete', 'Save'])
      expect(await viewer.getByRole('button', { name }).count(), name).toBe(0);
    expect(await viewer.getByLabel('First name').isDisabled()).toBe(true);

    const notice = page.getByRole('region', { name: 'Suppression' });
    await notice.getByText('Suppressed (bounce)').waitFor();
    expect(await notice.getByRole('link').getAttribute('href')).toBe(`/messages/${toId('msg', bounced)}`);
    await notice.getByRole('button', { name: 'Remove suppression' }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Remove suppression' });
    await page.route('**/graphql', (route) => route.abort());
    await confirm.click();
    await dialog.getByText('The server cannot be reached.').waitFor();
    await page.unroute('**/graphql');
    await confirm.click();
    await notice.waitFor({ state: 'detached' });
    await page.getByText(`${EMAIL} is no longer suppressed`).waitFor();
    const { rowCount } = await pool.query('select from suppressions where tenant_id = $1', [world.tenant.id]);
    expect(rowCount).toBe(0);
    expect(complaints).toEqual([]);
  });
});
