// What those who run the service do on the page: a tier moved by hand, a pause lifted, a plan looked at and stored, dead
// letters posted again, jobs watched. Nobody else sees any of it.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { createUser } from '../../core/people/users.ts';
import { addSystemMail } from '../../core/system-mail/system-mail-store.ts';
import { TESTER } from '../harness/actor.ts';
import {
  complaintsOf,
  noBrowser,
  openBrowserWorld,
  scrollsSideways,
  violationsOf,
  signIn,
  type SIZES,
  type BrowserWorld,
} from '../harness/browser.ts';
import { longForm } from '../harness/form.ts';
import { skips } from '../harness/needs.ts';
import { makeAccount, type Account } from '../harness/factories.ts';
import { makeMessageRow } from '../harness/message-row.ts';

const SCREENS = longForm(['wide'] as const, ['wide', 'phone'] as const);

const HOSTILE = '<img src=x onerror=alert(1)>';

describe.skipIf(skips(noBrowser))('operations', () => {
  let world: BrowserWorld;
  let account: Account;
  let admin: { email: string; password: string };
  let tenantPath: string;
  beforeAll(async () => {
    world = await openBrowserWorld();
    const { db } = world.api.context;
    account = await makeAccount(db, { tier: 3 });
    await db.pool.query('update tenants set name = $2 where id = $1', [account.tenantId, HOSTILE]);
    tenantPath = `/admin/tenants/${toId('tnt', account.tenantId)}`;
    const email = `ops@${world.tenant.id}.test`;
    const made = await createUser({ db }, TESTER, { tenantId: world.tenant.id, email, role: 'super_admin' });
    admin = { email, password: made.password };
  });
  afterAll(() => world.close());

  async function asAdmin(path: string, size?: keyof typeof SIZES): Promise<Page> {
    const page = await world.openPage(size);
    await page.goto(path);
    await signIn(page, admin);
    return page;
  }

  async function looksRight(page: Page, what = page.url()): Promise<void> {
    expect(await violationsOf(page), what).toEqual([]);
    expect(await scrollsSideways(page), what).toBe(false);
  }

  async function auditOf(action: string): Promise<Record<string, unknown>[]> {
    const { rows } = await world.api.context.db.pool.query<{ data: Record<string, unknown> }>(
      'select data from audit_log where tenant_id = $1 and action = $2 order by id',
      [account.tenantId, action],
    );
    return rows.map(({ data }) => data);
  }

  test('a tier is set by hand with a reason; history and audit log keep it', async () => {
    const page = await asAdmin('/admin/tenants');
    const complaints = complaintsOf(page);
    await page.getByRole('searchbox', { name: 'Name' }).fill('onerror');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: world.tenant.name }).waitFor({ state: 'detached' });
    await page.getByRole('row', { name: HOSTILE }).getByText(account.domain).waitFor();
    await page.getByRole('link', { name: HOSTILE }).click();
    await page.getByRole('heading', { name: HOSTILE }).waitFor();
    await page.getByRole('button', { name: `Override warm-up of ${account.domain}` }).click();
    const dialog = page.getByRole('dialog');
    const submit = dialog.getByRole('button', { name: 'Override' });
    expect(await submit.isDisabled()).toBe(true);
    await dialog.getByLabel('Reason').fill('was warm at another service');
    await dialog.getByLabel('Change').selectOption('release');
    await submit.click();
    await dialog.getByRole('alert').getByText(`${account.domain} is not held.`).waitFor();
    await dialog.getByLabel('Change').selectOption('set');
    await dialog.getByLabel('Tier').selectOption('6');
    await dialog
      .getByText('Tier 3 changes to 6. Today’s cap rises immediately from 500 to 5,000 messages.')
      .waitFor();
    await looksRight(page, 'override');
    await dialog.getByLabel('Reason').press('Enter');
    await page.getByText(`Warm-up of ${account.domain} changed`).waitFor();
    await page.getByRole('row', { name: account.domain }).getByText('Tier 6').waitFor();
    await page.getByRole('button', { name: `History of ${account.domain}` }).click();
    await dialog.getByText('tier 3 → 6').waitFor();
    await dialog.getByText('was warm at another service').waitFor();
    await looksRight(page, 'history');
    expect(await auditOf('warmup.set')).toEqual([
      { domain: account.domain, from_tier: 3, to_tier: 6, reason: 'was warm at another service' },
    ]);
    expect(complaints).toEqual([]);
  });

  test('a tenant is created, put on another plan, suspended and reactivated; its people see why', async () => {
    const page = await asAdmin('/admin/tenants');
    const complaints = complaintsOf(page);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Create tenant' }).click();
    await dialog.getByLabel('Name').fill('Story of Bloom');
    await looksRight(page, 'create');
    await dialog.getByRole('button', { name: 'Create tenant' }).click();
    await page.getByRole('heading', { name: 'Story of Bloom' }).waitFor();
    const { db } = world.api.context;
    const { rows } = await db.pool.query("select id from tenants where name = 'Story of Bloom'");
    const email = 'owner@bloom.test';
    const made = await createUser({ db }, TESTER, { tenantId: rows[0].id, email, role: 'owner' });

    await page.getByRole('button', { name: 'Change plan' }).click();
    await dialog.getByLabel('Plan').selectOption('pro');
    await looksRight(page, 'plan');
    await dialog.getByRole('button', { name: 'Change plan' }).click();
    await page.getByText('0 of 500,000 messages').waitFor();
    await page.getByRole('button', { name: 'Suspend' }).click();
    await dialog.getByText('Waiting messages are kept').waitFor();
    await looksRight(page, 'suspend');
    await dialog.getByRole('button', { name: 'Suspend tenant' }).click();
    await page.getByText('suspended', { exact: true }).waitFor();
    await looksRight(page, 'suspended tenant');
    await page.goto('/admin/tenants');
    await page.getByLabel('Status').selectOption('suspended');
    await page.getByRole('row', { name: 'Story of Bloom' }).getByText('suspended').waitFor();
    await page.getByRole('link', { name: world.tenant.name }).waitFor({ state: 'detached' });
    await looksRight(page, 'tenants');

    const theirs = await world.openPage();
    await theirs.goto('/messages');
    await signIn(theirs, { email, password: made.password });
    await theirs.getByText('Story of Bloom is suspended: nothing is sent or received.').waitFor();
    await looksRight(theirs, 'notice');
    await theirs.goto('/contacts');
    await theirs.getByText('Story of Bloom is suspended').waitFor();

    await page.getByRole('link', { name: 'Story of Bloom' }).click();
    await page.getByRole('button', { name: 'Reactivate' }).click();
    await dialog.getByRole('button', { name: 'Reactivate tenant' }).click();
    await page.getByRole('button', { name: 'Suspend' }).waitFor();
    await expect // a process believes what it read of a person for up to a second
      .poll(async () => {
        await theirs.reload();
        await theirs.getByRole('heading', { name: 'Contacts' }).waitFor();
        return theirs.getByText('is suspended').count();
      })
      .toBe(0);
    expect(complaints).toEqual([]);
  });

  test('a paused domain is resumed from a phone', async () => {
    const paused = `update domains set warmup_state = 'paused', paused_reason = $2 where id = $1`;
    await world.api.context.db.pool.query(paused, [account.domainId, 'bounces of 9 %']);
    const page = await asAdmin(tenantPath, 'phone');
    const row = page.getByRole('row', { name: account.domain });
    await row.getByText('bounces of 9 %').waitFor();
    await row.getByRole('button', { name: /^Override/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/Messages that wait are released at once, up to today’s cap/).waitFor();
    await dialog.getByLabel('Reason').fill('list was cleaned');
    await looksRight(page, 'resume');
    await dialog.getByRole('button', { name: 'Resume' }).click();
    await row.getByText('active').waitFor();
    expect(await auditOf('warmup.resume')).toMatchObject([{ reason: 'list was cleaned' }]);
  });

  test('a plan is looked at, stored, replaced and deleted', async () => {
    const page = await asAdmin(`${tenantPath}?tab=plan`, 'phone');
    const days = page.getByRole('table', { name: '30 days' }).locator('tbody tr');
    await page.getByText('No plan yet').waitFor();
    await page.getByLabel('Total recipients').fill('0');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    await looksRight(page, 'refusal');
    await page.getByLabel('Total recipients').fill('400000');
    await page.getByLabel('Strategy').selectOption('aggressive');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('heading', { name: 'Preview (not saved)' }).waitFor();
    expect(await days.count()).toBe(30);
    expect(await storedStrategy()).toBeUndefined();
    await looksRight(page, 'preview');
    await page.getByRole('button', { name: 'Save plan' }).click();
    await page.getByRole('heading', { name: 'Saved plan' }).waitFor();
    expect(await storedStrategy()).toBe('aggressive');

    await page.getByLabel('Strategy').selectOption('conservative');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Replace saved plan' }).click();
    await page
      .getByRole('dialog')
      .getByText(/400,000 recipients, aggressive/)
      .waitFor();
    await looksRight(page, 'replace');
    await page.getByRole('button', { name: 'Replace plan' }).click();
    await page.getByText(/^400,000 recipients, conservative/).waitFor();
    await page.getByRole('button', { name: 'Delete plan' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete plan' }).click();
    await page.getByText('No plan yet').waitFor();
    expect(await storedStrategy()).toBeUndefined();
    expect(await auditOf('warmup.plan_deleted')).toHaveLength(1);
  });

  async function storedStrategy(): Promise<string | undefined> {
    const { rows } = await world.api.context.db.pool.query<{ strategy: string }>(
      'select ramp_strategy as strategy from warmup_schedules where tenant_id = $1',
      [account.tenantId],
    );
    return rows[0]?.strategy;
  }

  test('all dead letters of a tenant are posted again', async () => {
    const { pool } = world.api.context.db;
    for (const n of [1, 2]) {
      await pool.query(
        `with raw as (insert into inbound_raws (id, tenant_id, mail_from, helo, peer, smtputf8, size_bytes)
           values ($1, $2, '', 'x', '192.0.2.1', false, 100))
         insert into webhook_deliveries (id, tenant_id, endpoint_id, message_id, raw_id, recipient, size_bytes, state,
           attempts, last_error, dead_lettered_at) values ($1, $2, $2, $1, $1, $3, 100, 'dead', 8, $4, now())`,
        [newUuid(), account.tenantId, `r${n}@${account.domain}`, HOSTILE],
      );
    }
    const page = await asAdmin(`${tenantPath}?tab=letters`);
    await page.getByRole('table', { name: 'Dead letters' }).getByText(HOSTILE).first().waitFor();
    await looksRight(page);
    await page.getByRole('button', { name: 'Replay all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay all' }).click();
    await page.getByText('No dead letters').waitFor();
    expect(await auditOf('webhook.replayed')).toEqual([{ count: 2 }]);
  });

  test.each(SCREENS)(
    'the home of operators lists what needs attention, with links, on a %s screen',
    async (size) => {
      const { db } = world.api.context;
      const { tenantId, domainId, domain } = await makeAccount(db, { tier: 3 });
      await db.pool.query('update tenants set name = $2 where id = $1', [tenantId, `Trouble on ${size}`]);
      await db.pool.query(
        `update domains set warmup_state = 'paused', paused_reason = $2, brake_state = 'bulk', brake_since = now(),
         brake_reason = 'too many bounces' where id = $1`,
        [domainId, HOSTILE],
      );
      await makeMessageRow(db, tenantId, { state: 'deferred', domainId, deferReason: 'warmup_cap' });
      await db.pool.query(
        `insert into webhook_endpoints (id, tenant_id, kind, url, enabled, sealed_secret, failing_since)
       values ($1, $2, 'events', 'https://' || $3 || '.test/hook', true, '', now())`,
        [newUuid(), tenantId, `fails-on-${size}`],
      );
      await db.pool.query(
        `insert into tracking_hosts (domain_id, tenant_id, name, checked_at, check_at, order_at, certificate_expires_at)
       values ($1, $2, $3, now(), now(), now(), now() + interval '3 days')`,
        [domainId, tenantId, `t.${domain}`],
      );
      const page = await asAdmin('/admin', size);
      const complaints = complaintsOf(page);
      const row = (table: string, name: string) =>
        page.getByRole('table', { name: table }).getByRole('row', { name });
      await row('Domains', domain).filter({ hasText: 'paused' }).getByText(HOSTILE).waitFor();
      await row('Domains', domain).getByText('brake on').waitFor();
      await row('Waiting mail', domain).getByText('Sending domain paused').waitFor();
      await row('Failing webhooks', `https://fails-on-${size}.test/hook`).waitFor();
      await row('Certificates of tracking hosts', `t.${domain}`).waitFor();
      await page.getByText(/database ready, redis ready, nats ready/).waitFor();
      await looksRight(page);
      await row('Domains', domain).first().getByRole('link').first().click();
      await page.getByRole('button', { name: `Override warm-up of ${domain}` }).waitFor();
      await page.getByText('brake holding campaigns').waitFor();
      await page.goBack();
      for (const [table, named] of [
        ['Failing webhooks', `https://fails-on-${size}.test/hook`],
        ['Certificates of tracking hosts', `t.${domain}`],
      ] as const) {
        await row(table, `Trouble on ${size}`).getByRole('link').first().click();
        await page.getByRole('heading', { name: `Trouble on ${size}` }).waitFor();
        await row(table, named).waitFor();
        await looksRight(page, `${table} of a tenant`);
        await page.goBack();
      }
      await row('Waiting mail', domain).getByRole('link').first().click();
      const messages = page.getByRole('table', { name: 'Messages' });
      await messages.getByText('Sending domain paused').waitFor();
      await page.getByText('Read-only. The tenant’s audit log shows that you opened this.').waitFor();
      await looksRight(page, 'messages of a tenant');
      await messages.getByRole('button', { name: /^Attempts of msg_/ }).click();
      await page.getByRole('dialog').getByText('No attempts yet.').waitFor();
      await looksRight(page, 'attempts');
      await page.keyboard.press('Escape');
      await page.getByLabel('Status').selectOption('bounced');
      await page.getByText('No messages match').waitFor();
      await page.getByRole('tab', { name: 'Audit log' }).click();
      const log = page.getByRole('table', { name: 'Audit log' });
      await log.getByText('looked at the list of messages as an operator').waitFor();
      await log.getByText(admin.email).first().waitFor();
      await looksRight(page, 'audit log of a tenant');
      await page.goto('/admin/tenants');
      await page.getByLabel('Problem').selectOption('braked');
      await page
        .getByRole('row', { name: `Trouble on ${size}` })
        .getByText('brake on')
        .waitFor();
      await page.getByRole('link', { name: world.tenant.name }).waitFor({ state: 'detached' });
      await looksRight(page, 'tenants by problem');
      await page.getByRole('link', { name: `Trouble on ${size}` }).click();
      await page.getByRole('button', { name: `Release brake of ${domain}` }).click();
      await looksRight(page, 'release');
      await page.getByRole('dialog').getByRole('button', { name: 'Release brake' }).click();
      await page.getByText('brake holding campaigns').waitFor({ state: 'detached' });
      const { rows } = await db.pool.query(
        "select actor from audit_log where tenant_id = $1 and action = 'domain.brake_released'",
        [tenantId],
      );
      expect(rows).toEqual([{ actor: expect.stringMatching(/^usr_/) }]);
      expect(complaints).toEqual([]);
    },
  );

  test.each(SCREENS)('every page fits a %s screen', async (size) => {
    const { pool } = world.api.context.db;
    await pool.query(
      `insert into job_runs (job, slot, started_at, finished_at, summary)
       values ('launch-campaigns', date_trunc('hour', now()) - interval '9 days', now(), now(), $1)
       on conflict do nothing`,
      [JSON.stringify({ launched: 2, frozen: 0 })],
    );
    await pool.query('delete from system_mails');
    await addSystemMail(
      pool,
      { recipient: 'ann@example.com', tenantId: null },
      { kind: 'password_reset', data: { ip: '192.0.2.1' } },
    );
    const page = await asAdmin('/admin/tenants', size);
    await page.getByRole('table', { name: 'Tenants' }).waitFor();
    await looksRight(page);
    await page.goto(tenantPath);
    await page.getByRole('table', { name: 'Domains' }).waitFor();
    await looksRight(page);
    await page.getByRole('tab', { name: 'Reconciliation' }).click();
    await page.getByRole('heading', { name: 'Reconciliation by route' }).waitFor();
    await looksRight(page);
    await page.goto('/admin/jobs');
    const job = page.getByRole('table', { name: 'Jobs' }).getByRole('row', { name: /^launch-campaigns/ });
    await job.getByText('frozen 0, launched 2').waitFor();
    await page.getByText('late', { exact: true }).first().waitFor();
    await page.getByText('A job is late.').waitFor();
    await page.getByText(/Messages of this service that wait to be sent: [1-9]/).waitFor();
    await looksRight(page);
  });

  test('an owner sees neither tenants nor jobs, and no way to them', async () => {
    const page = await world.signedIn('/admin/tenants');
    const refusal = page.getByText('Only administrators of this service can see this page');
    await refusal.waitFor();
    await looksRight(page);
    expect(await page.getByRole('link', { name: 'Tenants' }).count()).toBe(0);
    for (const path of ['/admin', tenantPath, '/admin/jobs']) {
      await page.goto(path);
      await refusal.waitFor();
      expect(await page.getByText(account.domain).count()).toBe(0);
    }
  });
});
