// Lists: filters that stand in the address, how many rows there are, and the list as a CSV file.

import { readFile } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Loop } from '../../core/base/loop.ts';
import { MAX_OPEN_EXPORTS } from '../../core/export/export.ts';
import { startExportLoop } from '../../scheduler/slice-loops.ts';
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

describe.skipIf(skips(noBrowser))('lists', () => {
  let world: BrowserWorld;
  let loop: Loop | undefined;
  const startLoop = () => {
    const { config, db, log } = world.api.context;
    loop = startExportLoop({ config, db, log });
  };
  beforeAll(async () => {
    world = await openBrowserWorld();
    const { db } = world.api.context;
    for (let i = 0; i < 30; i++)
      await makeMessageRow(db, world.tenant.id, {
        state: i < 3 ? 'bounced' : 'delivered',
        to: i === 0 ? '=cmd@example.net' : `p${i}@example.net`,
      });
  });
  afterAll(async () => {
    await loop?.stop();
    await world.close();
  });

  test('filters stand in the address, and the total says how many match', async () => {
    const page = await world.signedIn('/messages');
    const complaints = complaintsOf(page);
    const total = page.getByRole('status', { name: 'Total' });
    await total.getByText('30 messages').waitFor();
    await page.getByLabel('Status', { exact: true }).selectOption('bounced');
    await total.getByText('3 messages').waitFor();
    await page.getByLabel('Words of the subject').fill('hello');
    await page.keyboard.press('Enter');
    await page.getByLabel('Tag, or tag=value').fill('kind=receipt');
    await page.keyboard.press('Enter');
    await total.getByText('3 messages').waitFor();
    expect(page.url()).toContain('/messages?status=bounced&q=hello&tag=kind%3Dreceipt');
    const days = (ahead: number) =>
      page.evaluate((n) => {
        const at = new Date(Date.now() + n * 86_400_000);
        return `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`;
      }, ahead);
    await page.getByLabel('Sent from').fill(await days(2));
    await page.getByText('No messages match').waitFor();
    await total.getByText('0 messages').waitFor();
    await page.getByLabel('Sent from').fill(await days(-2));
    await page.getByLabel('Sent until').fill(await days(1));
    await total.getByText('3 messages').waitFor();
    await page.reload();
    await total.getByText('3 messages').waitFor();
    expect(await page.getByLabel('Sent until').inputValue()).toBe(await days(1));
    await page.getByRole('row').nth(3).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await total.getByText('30 messages').waitFor();
    expect(complaints).toEqual([]);
  });

  test('on a phone, dark', async () => {
    const page = await world.signedIn('/messages?status=bounced', 'phone');
    await page.getByRole('status', { name: 'Total' }).getByText('3 messages').waitFor();
    expect(await scrollsSideways(page)).toBe(false);
    expect(await violationsOf(page)).toEqual([]);
  });

  test('a filtered list becomes a file, with its progress, and a formula in it is only text', async () => {
    const page = await world.signedIn('/messages?status=bounced');
    const complaints = complaintsOf(page);
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export messages' });
    await dialog.getByRole('progressbar', { name: 'Writing the file' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    startLoop();
    await dialog.getByText('3 rows').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^messages-\d{4}-\d\d-\d\d\.csv$/);
    const text = await readFile(await download.path(), 'utf8');
    expect(text.split('\r\n').length).toBe(5); // header, three rows, the end
    expect(text).toContain(`,"'=cmd@example.net",`);
    expect(complaints).toEqual([]);
    await loop?.stop();
    loop = undefined;
  });

  test.each(['contacts', 'suppressions', 'events'])('%s can be exported, on a phone too', async (list) => {
    const page = await world.signedIn(`/${list}`, 'phone');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const dialog = page.getByRole('dialog', { name: `Export ${list}` });
    await dialog.getByText('Writing the file').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
  });

  test('where too many are being written, the dialog says so', async () => {
    const { pool } = world.api.context.db;
    await pool.query(
      `insert into list_exports (id, tenant_id, kind, filter)
       select gen_random_uuid(), $1, 'contacts', '{}' from generate_series(1, $2)`,
      [world.tenant.id, MAX_OPEN_EXPORTS],
    );
    const page = await world.signedIn('/messages');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    await page.getByRole('alert').getByText('exports are being written. Wait').waitFor();
  });
});
