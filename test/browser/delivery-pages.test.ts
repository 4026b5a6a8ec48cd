// What a customer and an operator see of how mail leaves: mailbox providers, the brake, what waits for a sender rule, the pool of
// a domain, and the addresses with their warm-up and rests.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { monotonicMs } from '../../core/base/clock.ts';
import { newUuid, toId } from '../../core/base/ids.ts';
import { openRedis, type RedisConnection } from '../../core/clients/redis.ts';
import { inTransaction } from '../../core/db/transaction.ts';
import { PROVIDERS } from '../../core/mailbox-provider/provider-table.ts';
import { createUser } from '../../core/people/users.ts';
import { insertRest, takeShare } from '../../core/source/source-store.ts';
import { applyMove } from '../../core/warmup/brake-watch.ts';
import { readBraked } from '../../core/warmup/brake-store.ts';
import { createBudget } from '../../sender/provider/budget.ts';
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
import { makeAccount, type Account } from '../harness/factories.ts';
import { makeMessageRow } from '../harness/message-row.ts';
import { skips } from '../harness/needs.ts';

const EVIL = '550 <img src=x onerror="alert(1)"> refused';
const POOLS = [
  {
    name: 'main',
    sources: [
      { address: '192.0.2.25', hostname: 'mail1.example.com' },
      { address: '2001:db8::25', hostname: 'mail2.example.com', warmup: true },
    ],
  },
  {
    name: 'others',
    tenants: [toId('tnt', newUuid())],
    sources: [{ address: '192.0.2.27', hostname: 'o.example.com' }],
  },
];

describe.skipIf(skips(noBrowser))('pages about how mail leaves', () => {
  let world: BrowserWorld;
  let account: Account;
  let redis: RedisConnection;
  let pages: Page[];
  let complaints: string[];

  beforeAll(async () => {
    world = await openBrowserWorld(await createApiWorld({ EGRESS_POOLS: JSON.stringify(POOLS) }));
    const { context } = world.api;
    account = await makeAccount(context.db, { tenantId: world.tenant.id, domain: 'leaves.example.com' });
    redis = await openRedis(context.config, context.log);
    pages = [await world.signedIn('/providers'), await world.signedIn('/providers', 'phone')];
    complaints = pages.flatMap((one) => complaintsOf(one));
  });
  afterAll(async () => {
    await redis.close();
    await world.close();
  });

  const look = async (name: string, shown = pages) => {
    for (const [at, page] of shown.entries()) {
      await page.locator('.animate-pulse').first().waitFor({ state: 'detached' });
      expect(await violationsOf(page), `${name} ${at}`).toEqual([]);
      expect(await scrollsSideways(page), `${name} ${at}`).toBe(false);
    }
  };
  const both = async (path: string, check: (page: Page) => Promise<void>) => {
    for (const page of pages) {
      await page.goto(path);
      await check(page);
    }
  };

  test('mailbox providers: results, a limit that was learned, a pause with its end, refusals as text', async () => {
    for (const page of pages) await page.getByText('No mail to a mailbox provider yet').waitFor();
    const { pool } = world.api.context.db;
    const counts = `insert into provider_days (tenant_id, day, provider, sent, delivered, deferred, bounced, complained, replies)
      values ($1, (now() at time zone 'UTC')::date, $2, 1200, 1150, 40, 30, 3, $3)`;
    await pool.query(counts, [account.tenantId, 'gmail', { [EVIL]: 12, other: 4 }]);
    await pool.query(counts, [account.tenantId, 'yahoo', {}]);
    const yahoo = createBudget(
      PROVIDERS.find(({ name }) => name === 'yahoo')!,
      {
        redis,
        keyPrefix: world.api.context.config.KEY_PREFIX,
        senders: () => 1,
        scale: 1,
      },
    );
    const refusal = '421 4.7.0 [TSS04] Messages from 192.0.2.25 temporarily deferred';
    yahoo.complained({ kind: 'suspend', minutes: 120 }, refusal, 1, monotonicMs());
    await yahoo.leave();
    await both('/providers', async (page) => {
      await page.getByRole('status').getByText('Yahoo wants no mail from us now.').waitFor();
      const table = page.getByRole('table', { name: 'Mailbox providers' });
      await table.getByText('10 connections, 1,200 messages a minute').waitFor();
      await table.getByText(/Because it replied: 421 4\.7\.0 \[TSS04\]/).waitFor();
      await table.getByText('Gmail').waitFor();
      await page.getByRole('table', { name: 'Refusals of Gmail' }).getByText(EVIL).waitFor();
    });
    await look('providers');
  });

  test('the brake: what put it on, who may release it, and that it was released', async () => {
    const path = `/domains/${toId('dom', account.domainId)}`;
    await both(path, async (page) => {
      await page.getByRole('heading', { name: 'Same-day brake armed' }).waitFor();
    });
    const { pool } = world.api.context.db;
    const [domain] = await readBraked(pool, [account]);
    const numbers = {
      ...{ measure: 'bounces' as const, transactional_only: false, attempted: 400, delivered: 340 },
      ...{ bounced: 60, unknown: 48, blocked: 2, complained: 1 },
    };
    const reason = '60 of 400 messages tried today bounced (15 %; a good list has less than 2 %).';
    await inTransaction(pool, (client) => applyMove(client, domain!, { to: 'bulk', reason, numbers }));
    await both(path, async (page) => {
      const card = page.getByRole('region', { name: 'Same-day brake holding campaigns' });
      await card.getByText(reason).first().waitFor();
      const cause = card.getByRole('link', { name: 'Show the bounced messages of this domain' });
      expect(await cause.getAttribute('href')).toBe(`/messages?status=bounced&domain=${account.domain}`);
      await card.getByText('60 (15 %)').waitFor();
      await card.getByText('48 (80 %)').waitFor();
      await card.getByRole('list', { name: 'History of the brake' }).getByText('by brake').waitFor();
    });
    await look('brake');
    await both('/domains', (page) => page.getByText('brake holding campaigns').waitFor());
    await look('domains with a brake');
    await both('/', async (page) => {
      const card = page.getByRole('region', { name: new RegExp(account.domain) });
      await card.getByText('brake holding campaigns').waitFor();
      await card.getByText(reason).waitFor();
    });
    await look('overview with a brake');
    await both(path, (page) => page.getByRole('button', { name: 'Release brake' }).waitFor());
    const email = `viewer@${world.tenant.id}.test`;
    const { password } = await createUser(world.api.context, TESTER, {
      ...{ tenantId: world.tenant.id, email, role: 'viewer' },
    });
    const viewer = await world.openPage();
    await viewer.goto(path);
    await signIn(viewer, { email, password });
    await viewer.getByText('Owners and members can release it.').waitFor();
    expect(await viewer.getByRole('button', { name: 'Release brake' }).count()).toBe(0);
    const [page] = pages as [Page, Page];
    await page.getByRole('button', { name: 'Release brake' }).click();
    const dialog = page.getByRole('dialog');
    // The way in which the api refuses: it does not answer.
    await page.route('**/graphql', (route) => route.abort());
    await dialog.getByRole('button', { name: 'Release brake' }).click();
    await dialog.getByRole('alert').getByText(/./).waitFor();
    await page.unroute('**/graphql');
    await dialog.getByRole('button', { name: 'Release brake' }).click();
    await page.getByRole('heading', { name: 'Same-day brake armed' }).waitFor();
    await page.getByRole('list', { name: 'History of the brake' }).getByText('Released').waitFor();
  });

  test('campaign mail that waits for a sender rule says why, how much, and what ends it', async () => {
    const { tenantId, domainId } = account;
    const held = { state: 'deferred', deferReason: 'sender_rules', domainId };
    for (let n = 0; n < 3; n++) await makeMessageRow(world.api.context.db, tenantId, held);
    await both(`/domains/${toId('dom', domainId)}`, async (page) => {
      const card = page.getByRole('region', { name: 'Sender rules: campaign mail waits' });
      await card
        .getByText(/3 campaign messages wait because leaves\.example\.com has no DMARC record/)
        .waitFor();
      await card.getByText('_dmarc.leaves.example.com').waitFor();
      const link = card.getByRole('link', { name: 'View messages' });
      expect(await link.getAttribute('href')).toBe('/messages?status=deferred&domain=leaves.example.com');
    });
    await look('rule-hold');
  });

  test('a domain gets a pool that it may use; another tenant’s is not offered', async () => {
    const [page] = pages as [Page, Page];
    const select = page.getByLabel('Pool of sending addresses');
    expect(await select.locator('option').allInnerTexts()).toEqual(['The usual addresses', 'main']);
    await select.selectOption('main');
    await page.getByText('The domain uses the pool main').waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel('Pool of sending addresses').inputValue()).toBe('main');
  });

  test('operators see each address with its warm-up and who refuses it until when; nobody else does', async () => {
    const { db } = world.api.context;
    await takeShare(db.pool, '2001:db8::25', 1);
    await insertRest(db.pool, {
      ...{ address: '192.0.2.25', provider: 'outlook', forMs: 3_600_000 },
      reply: '550 5.7.1 part of their network is on our block list (S3150)',
    });
    await both('/admin/sources', async (page) => {
      await page.getByText('Only administrators of this service can see this page').waitFor();
      expect(await page.getByText('192.0.2.25').count()).toBe(0);
    });
    const email = `ops@${world.tenant.id}.test`;
    const admin = await createUser({ db }, TESTER, { tenantId: world.tenant.id, email, role: 'super_admin' });
    const shown = [];
    for (const size of ['wide', 'phone'] as const) {
      const page = await world.openPage(size);
      await page.goto('/admin/sources');
      await signIn(page, { email, password: admin.password });
      const main = page.getByRole('table', { name: 'Addresses of pool main' });
      await main.getByText('Outlook.com').waitFor();
      await main.getByText(/on our block list/).waitFor();
      await main.getByRole('progressbar', { name: 'Cap of 2001:db8::25 used today' }).waitFor();
      await main.getByText(/^1?\d of 50$/).waitFor();
      await page
        .getByRole('table', { name: 'Addresses of pool others' })
        .getByText('o.example.com')
        .waitFor();
      shown.push(page);
    }
    await look('sources', shown);
    expect(complaints).toEqual([]);
  });
});
