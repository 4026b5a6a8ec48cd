// Many rows of a list at once: ticked, or all that match; asked, done in the background, and what was left and why.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newUuid } from '../../core/base/ids.ts';
import type { Loop } from '../../core/base/loop.ts';
import { MAX_OPEN_BULK_CHANGES } from '../../core/bulk/bulk-change.ts';
import { startBulkLoop } from '../../scheduler/slice-loops.ts';
import {
  complaintsOf,
  noBrowser,
  openBrowserWorld,
  scrollsSideways,
  violationsOf,
  type BrowserWorld,
} from '../harness/browser.ts';
import { makeMessageRow } from '../harness/message-row.ts';
import { skips } from '../harness/needs.ts';
import { waitUntil } from '../harness/wait.ts';

const CONTACTS = 160;

describe.skipIf(skips(noBrowser))('many rows at once', () => {
  let world: BrowserWorld;
  let loop: Loop | undefined;
  const startLoop = () => {
    const { config, db, log } = world.api.context;
    loop ??= startBulkLoop({ config, db, log });
  };
  const left = async (table: string) => {
    const sql = `select count(*)::int as n from ${table} where tenant_id = $1`;
    return (await world.api.context.db.pool.query(sql, [world.tenant.id])).rows[0].n;
  };
  beforeAll(async () => {
    world = await openBrowserWorld();
    const { db } = world.api.context;
    const ids = Array.from({ length: CONTACTS }, () => newUuid());
    await db.pool.query(
      `insert into contacts (id, tenant_id, email, email_key, first_name, tags)
       select id, $1, 'p' || n || '@example.net', 'p' || n || '@example.net', 'Pat', array['old']
       from unnest($2::uuid[]) with ordinality as q(id, n)`,
      [world.tenant.id, ids],
    );
    await db.pool.query(`insert into contact_lists (id, tenant_id, name) values ($1, $2, 'Newsletter')`, [
      newUuid(),
      world.tenant.id,
    ]);
    await db.pool.query(
      `insert into suppressions (tenant_id, email, reason)
       select $1, 's' || n || '@example.net', (array['bounce', 'manual', 'complaint'])[1 + n % 3]
       from generate_series(1, 9) as n`,
      [world.tenant.id],
    );
    for (const name of ['b.example', 'a.example'])
      await db.pool.query(
        `insert into domains (id, tenant_id, name, status) values ($1, $2, $3, 'pending')`,
        [newUuid(), world.tenant.id, name],
      );
    for (let i = 0; i < 3; i++)
      await makeMessageRow(db, world.tenant.id, { state: 'deferred', to: `w${i}@example.net` });
  });
  afterAll(async () => {
    await loop?.stop();
    await world.close();
  });

  test('lists are ordered by their heads, and the order stands in the address', async () => {
    const page = await world.signedIn('/contacts');
    const first = page.getByRole('table', { name: 'Contacts' }).getByRole('rowheader').first();
    await first.getByText('p160@example.net').waitFor();
    const created = page.getByRole('columnheader', { name: 'Created' });
    const address = page.getByRole('columnheader', { name: 'Address' });
    expect(await created.getAttribute('aria-sort')).toBe('descending');
    await address.getByRole('button').click();
    await first.getByText('p100@example.net').waitFor();
    expect([await address.getAttribute('aria-sort'), await created.getAttribute('aria-sort')]).toEqual([
      'ascending',
      'none',
    ]);
    await created.getByRole('button').click();
    await first.getByText('p160@example.net').waitFor();
    await created.getByRole('button').click();
    await first.getByText('p1@example.net').waitFor();
    expect(page.url()).toContain('sort=oldest');
    await page.reload();
    await first.getByText('p1@example.net').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const phone = await world.signedIn('/suppressions', 'phone');
    await phone.getByLabel('Order').selectOption('Oldest first');
    await phone.getByRole('rowheader').first().getByText('s1@example.net').waitFor();
    expect(await scrollsSideways(phone)).toBe(false);
    expect(await violationsOf(phone)).toEqual([]);
    const messages = await world.signedIn('/messages?sort=oldest');
    await messages.getByRole('rowheader').first().getByText('w0@example.net').waitFor();
    const domains = await world.signedIn('/domains?sort=name');
    await domains.getByRole('columnheader', { name: 'Domain' }).waitFor();
    expect(await domains.getByRole('columnheader', { name: 'Domain' }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
  });

  test('ticked contacts are put on a list, with progress', async () => {
    const page = await world.signedIn('/contacts');
    const complaints = complaintsOf(page);
    await page.getByRole('status', { name: 'Total' }).getByText('160 contacts').waitFor();
    const head = page.getByRole('checkbox', { name: 'Select all rows shown' }).last();
    await page.getByRole('checkbox', { name: 'Select p160@example.net' }).check();
    await page.getByRole('checkbox', { name: 'Select p159@example.net' }).check();
    expect(await head.evaluate((box: HTMLInputElement) => box.indeterminate)).toBe(true);
    const bar = page.getByRole('region', { name: 'Selected rows' });
    await bar.getByText('2 selected').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await bar.getByRole('button', { name: 'Add to list' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add 2 contacts to a list?' });
    const confirm = dialog.getByRole('button', { name: 'Add to list' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('List').selectOption('Newsletter');
    await confirm.click();
    const running = page.getByRole('dialog', { name: 'Add contacts to a list' });
    await running.getByRole('progressbar', { name: 'Under way' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    startLoop();
    await running.getByText('2 contacts added to the list.').waitFor();
    await running.getByRole('button', { name: 'Close' }).last().click();
    await bar.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /p160@/ }).getByText('Newsletter').waitFor();
    expect(complaints).toEqual([]);
  });

  test('all suppressions that match are removed, but for complaints, on a phone', async () => {
    startLoop();
    const page = await world.signedIn('/suppressions', 'phone');
    const complaints = complaintsOf(page);
    await page.getByRole('checkbox', { name: 'Select all rows shown' }).first().check();
    const bar = page.getByRole('region', { name: 'Selected rows' });
    await bar.getByText('9 selected').waitFor();
    expect(await scrollsSideways(page)).toBe(false);
    expect(await violationsOf(page)).toEqual([]);
    await bar.getByRole('button', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByText('6 suppressions removed.').waitFor();
    await dialog.getByText('3 complained: remove these one by one').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await left('suppressions')).toBe(3);
    expect(complaints).toEqual([]);
  });

  test('waiting messages are cancelled; others have no boxes', async () => {
    startLoop();
    const page = await world.signedIn('/messages');
    await page.getByRole('link', { name: 'w2@example.net' }).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await page.getByLabel('Status', { exact: true }).selectOption('deferred');
    await page.getByRole('checkbox', { name: 'Select the message to w1@example.net' }).check();
    await page.getByRole('button', { name: 'Cancel messages' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel messages' }).click();
    await dialog.getByText('1 message cancelled.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('status', { name: 'Total' }).getByText('2 messages').waitFor();
  });

  test('all contacts that match: refused while too many changes run, then deleted after a typed word', async () => {
    await loop?.stop();
    loop = undefined;
    const { pool } = world.api.context.db;
    await pool.query(
      `insert into bulk_changes (id, tenant_id, action, filter, actor)
       select gen_random_uuid(), $1, 'delete_contacts', '{"tag": "none"}', '{"kind": "service", "name": "test", "ip": null}'
       from generate_series(1, $2)`,
      [world.tenant.id, MAX_OPEN_BULK_CHANGES],
    );
    const page = await world.signedIn('/contacts?tag=old');
    await page.getByRole('checkbox', { name: 'Select all rows shown' }).last().check();
    const bar = page.getByRole('region', { name: 'Selected rows' });
    await bar.getByText('25 selected').waitFor();
    await bar.getByRole('button', { name: 'Select all 160 that match' }).click();
    await bar.getByText('All 160 that match are selected').waitFor();
    await bar.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Delete all 160 contacts that match?').waitFor();
    const confirm = dialog.getByRole('button', { name: 'Delete' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('Type delete 160 to confirm').fill('delete 160');
    await confirm.click();
    await dialog.getByRole('alert').getByText('changes of many rows are under way. Wait').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    startLoop();
    await waitUntil(async () => {
      const sql = 'select from bulk_changes where tenant_id = $1 and finished_at is null';
      return (await pool.query(sql, [world.tenant.id])).rowCount === 0;
    });
    await confirm.click();
    await dialog.getByText('160 contacts deleted.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('No contacts match').waitFor();
    expect(await left('contacts')).toBe(0);
  });

  test('a viewer has no boxes', async () => {
    await world.api.context.db.pool.query(`update memberships set role = 'viewer' where tenant_id = $1`, [
      world.tenant.id,
    ]);
    const page = await world.signedIn('/suppressions');
    await page.getByRole('row', { name: /s2@/ }).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
  });
});
