// What those who run the service do on the page: a tier moved by hand, a plan made, jobs and routes looked at.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
import { createUser } from '../../core/tenant/users.ts';
import {
  complaintsOf,
  noBrowser,
  openBrowserWorld,
  scrollsSideways,
  seriousViolations,
  signIn,
  type BrowserWorld,
} from '../harness/browser.ts';
import { makeAccount, type Account } from '../harness/factories.ts';

describe.skipIf(noBrowser !== null)(`operations${noBrowser === null ? '' : ` (${noBrowser})`}`, () => {
  let world: BrowserWorld;
  let account: Account;
  let admin: { email: string; password: string };
  beforeAll(async () => {
    world = await openBrowserWorld();
    const { db } = world.api.context;
    account = await makeAccount(db, { tier: 3 });
    const email = `ops@${world.tenant.id}.test`;
    const made = await createUser(db, { tenantId: world.tenant.id, email, role: 'super_admin' });
    admin = { email, password: made.password };
  });
  afterAll(() => world.close());

  async function asAdmin(path: string, size?: 'wide' | 'phone') {
    const page = await world.openPage(size);
    await page.goto(path);
    await signIn(page, admin);
    return page;
  }

  test('a tier is set by hand with a reason; history and audit log keep it', async () => {
    const page = await asAdmin('/admin/tenants');
    const complaints = complaintsOf(page);
    await page.getByRole('table', { name: 'Tenants' }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.goto(`/admin/tenants/${toId('tnt', account.tenantId)}`);
    await page.getByRole('button', { name: `Override the tier of ${account.domain}` }).click();
    const dialog = page.getByRole('dialog');
    const submit = dialog.getByRole('button', { name: 'Override' });
    expect(await submit.isDisabled()).toBe(true);
    await dialog.getByLabel('Reason').fill('was warm at another service');
    await dialog.getByLabel('What to do').selectOption('release');
    await submit.click();
    await dialog.getByRole('alert').getByText(/\S/).waitFor(); // nothing is held: the api says so
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByLabel('What to do').selectOption('set');
    await dialog.getByLabel('Tier').selectOption('6');
    await submit.click();
    await page.getByText(`${account.domain}: done`).waitFor();
    await page.getByRole('row', { name: account.domain }).getByText('Tier 6').waitFor();
    await page.getByRole('button', { name: `History of ${account.domain}` }).click();
    await dialog.getByText('tier 3 → 6').waitFor();
    await dialog.getByText('was warm at another service').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    const { rows } = await world.api.context.db.pool.query(
      "select data from audit_log where tenant_id = $1 and action like 'warmup.%'",
      [account.tenantId],
    );
    expect(JSON.stringify(rows)).toContain('was warm at another service');
    expect(complaints).toEqual([]);
  });

  test('a plan is made and shown beside its forecast; routes, dead letters and jobs are there', async () => {
    const page = await asAdmin(`/admin/tenants/${toId('tnt', account.tenantId)}?tab=plan`, 'phone');
    await page.getByText('There is no plan yet').waitFor();
    await page.getByLabel('Recipients in all').fill('0');
    await page.getByRole('button', { name: 'Make and store the plan' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    await page.getByLabel('Recipients in all').fill('400000');
    await page.getByRole('button', { name: 'Make and store the plan' }).click();
    await page.getByRole('table', { name: 'Thirty days' }).waitFor();
    expect(await page.getByRole('table', { name: 'Thirty days' }).locator('tbody tr').count()).toBe(30);
    for (const [tab, sign] of [
      ['Warm-up plan', 'Planned by day'],
      ['Reconciliation', 'What the routes took'],
      ['Dead letters', 'No dead letters'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByText(sign).first().waitFor();
      expect(await seriousViolations(page), tab).toEqual([]);
      expect(await scrollsSideways(page), tab).toBe(false);
    }
    await page.goto('/admin/jobs');
    await page.getByRole('table', { name: 'Jobs' }).getByText('auto-ramp').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
  });

  test('an owner sees neither tenants nor jobs, and no way to them', async () => {
    const page = await world.signedIn('/admin/tenants');
    await page.getByText('Only those who run this service may see this').waitFor();
    expect(await page.getByRole('link', { name: 'Tenants' }).count()).toBe(0);
    await page.goto('/admin/jobs');
    await page.getByText('Only those who run this service may see this').waitFor();
  });
});
