// A domain on the page: added, looked at while its records are missing, published, verified, its key changed.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { fromId } from '../../core/base/ids.ts';
import { createUser } from '../../core/people/users.ts';
import { adoptHosts } from '../../core/tracking-host/tracking-host-store.ts';
import { overrideTier } from '../../core/warmup/change-tier.ts';
import { startDnsServer, type DnsListener } from '../../local/simulator/dns-server.ts';
import { Zone, type DnsRecord } from '../../local/simulator/zone.ts';
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
import { skips } from '../harness/needs.ts';

const REASON = '<img src=x onerror="alert(1)"> a new list is checked first';

describe.skipIf(skips(noBrowser))('domains', () => {
  const zone = new Zone();
  let dns: DnsListener;
  let world: BrowserWorld;
  let key: string;
  let page: Page; // the owner's, wide
  let phone: Page; // the owner's, on a phone
  let complaints: string[];

  beforeAll(async () => {
    dns = await startDnsServer(zone, 0);
    world = await openBrowserWorld(
      await createApiWorld({
        DNS_SERVERS: `127.0.0.1:${dns.port}`,
        INBOUND_HOSTNAME: 'mx.postrider.example',
        OUTBOUND_HOSTNAME: 'out.postrider.example',
        ACME_DIRECTORY_URL: 'https://acme.postrider.example/directory', // so that there are tracking hosts
      }),
    );
    ({ key } = await world.api.makeKey({ tenantId: world.tenant.id, scopes: ['domains:read'] }));
    page = await world.signedIn('/domains');
    phone = await world.signedIn('/domains', 'phone');
    complaints = [page, phone].flatMap((one) => complaintsOf(one));
  });
  afterAll(async () => {
    await world.close();
    await dns.stop();
  });

  const main = (shown: Page) => shown.getByRole('main');
  const looksRight = async (name: string, shown: Page) => {
    expect(await violationsOf(shown), name).toEqual([]);
    expect(await scrollsSideways(shown), name).toBe(false);
  };
  const shownRecords = async (id: string): Promise<(DnsRecord & { purpose: string })[]> =>
    (await world.api.call('GET', `/mail/domains/${id}`, { key })).json.data.records;
  const addDomain = async (name: string) => {
    await page.goto('/domains');
    await page.getByRole('button', { name: 'Add domain' }).first().click();
    await page.getByRole('dialog').getByLabel('Domain').fill(`https://${name.toUpperCase()}/`);
    await page.getByText(`${name} is added, without the rest`).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    return new URL(page.url()).pathname.split('/').at(-1)!;
  };

  test('a domain is added, its records published, and it is verified at tier 0', async () => {
    await page.getByText('No domains yet').waitFor();
    await looksRight('empty', page);
    await page.getByRole('button', { name: 'Add domain' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Domain').fill('co.uk');
    await dialog.getByRole('button', { name: 'Add domain' }).click();
    await dialog.getByText('is a public suffix. Use a domain below it').waitFor();
    await dialog.locator('[aria-invalid=true]').waitFor();
    await looksRight('refused', page);

    const id = await addDomain('shop.example.com');
    await page.getByText('Publish the records below.').waitFor();
    const records = await shownRecords(id);
    for (const { purpose, name, value } of records) {
      await page.getByRole('button', { name: `Copy value of ${purpose} record` }).click();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(value);
      expect(await main(page).getByText(name, { exact: true }).count(), name).toBeGreaterThan(0);
    }

    const [dkim, returnPath, ...optional] = records;
    await zone.add([{ ...returnPath!, name: 'bounces.example.com' }]); // one level too high
    await page.getByRole('button', { name: 'Verify domain' }).click();
    const state = main(page).getByRole('status').filter({ hasText: 'not verified yet' });
    await state.getByText(`DKIM: There is no TXT record at ${dkim!.name}.`).waitFor();
    await state.getByText(/bounces\.example\.com instead of .*one level too high/).waitFor();
    await looksRight('wrong', page);
    await phone.goto(`/domains/${id}`);
    await phone.getByText('not verified yet').waitFor();
    await looksRight('wrong', phone);

    await zone.add([dkim!, returnPath!, ...optional]);
    await page.getByRole('button', { name: 'Verify domain' }).click();
    await page.getByText('Verified. Warm-up tier 0: 50 messages a day.').waitFor();
    await page.getByText('Tier 0 of 10: 50 messages per UTC day.').waitFor();
    await page.getByText('0 deferred today (cap reached)').waitFor();
    await page.getByText('No changes yet').waitFor();
    await page.getByText(/You can send .* a day from /).waitFor();
    await page.getByText(/^Assumption: mail is sent every day from today on/).waitFor();
    const seen = await shownRecords(id);
    expect(seen.map((one) => (one as unknown as { status: string }).status)).toEqual(seen.map(() => 'found'));
    await looksRight('verified', page);
    await phone.reload();
    await phone.getByText('Verified. Warm-up tier 0').waitFor();
    await looksRight('verified', phone);
    await phone.goto('/domains');
    await phone.getByText('shop.example.com').waitFor();
    await looksRight('list', phone);
  });

  test('the zone file leaves incoming mail alone; receiving says what is there and what would change', async () => {
    const [{ id }] = (await world.api.call('GET', '/mail/domains', { key })).json.data.items;
    await zone.remove((await shownRecords(id)).filter(({ purpose }) => purpose === 'mx'));
    await page.goto(`/domains/${id}`);
    await page.getByRole('button', { name: 'Copy all as zone file' }).click();
    const file = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(file).toMatch(/^bounces\.shop\.example\.com\.\tIN\tMX\t10 mx\.postrider\.example\.$/m);
    expect(file).not.toMatch(/^shop\.example\.com\./m);

    const card = page.getByRole('region', { name: 'Receiving mail' });
    await card.getByText('shop.example.com has no MX record').waitFor();
    await zone.add([
      { type: 'MX', name: 'shop.example.com', value: 'aspmx.l.google.com', priority: 1 },
      { type: 'NS', name: 'example.com', value: 'ada.ns.cloudflare.com' },
    ]);
    await page.reload();
    await card.getByText('Mail to shop.example.com goes to other servers now').waitFor();
    await card.getByText('1 aspmx.l.google.com', { exact: true }).waitFor();
    await card
      .getByText(/mail to every address at shop\.example\.com arrives here and no longer there/)
      .waitFor();
    await looksRight('receiving', page);

    await page.getByText('The DNS of example.com is at Cloudflare.').waitFor();
    await page.getByRole('button', { name: 'Copy name of return_path record' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('bounces.shop');
    await zone.remove([{ type: 'NS', name: 'example.com', value: 'ada.ns.cloudflare.com' }]);
  });

  test('its tracking host waits for a certificate, is live with one, and is lost without its record', async () => {
    const [{ id }] = (await world.api.call('GET', '/mail/domains', { key })).json.data.items;
    const { pool } = world.api.context.db;
    await page.goto(`/domains/${id}`);
    const card = page.getByRole('region', { name: 'Tracking host' });
    await card.getByText('waiting for certificate').waitFor();
    await card.getByText('A certificate is being ordered, which takes about a minute.').waitFor();
    await looksRight('tracking-host-waits', page);

    await adoptHosts(pool);
    await pool.query("update tracking_hosts set certificate_expires_at = now() + interval '90 days'");
    await page.reload();
    await card.getByText('live', { exact: true }).waitFor();
    await card
      .getByText('Links, the open pixel and the unsubscribe page of new mail use this host.')
      .waitFor();
    await looksRight('tracking-host-live', page);

    const record = (await shownRecords(id)).find(({ purpose }) => purpose === 'tracking')!;
    await zone.remove([record]);
    await page.getByRole('button', { name: 'Check DNS' }).click();
    await card.getByText('lost', { exact: true }).waitFor();
    await card
      .getByText(`Publish the record CNAME ${record.name} ${record.value}, then check DNS.`)
      .waitFor();
    await looksRight('tracking-host-lost', page);
    await zone.add([record]);
    await page.getByRole('button', { name: 'Check DNS' }).click();
    await card.getByText('live', { exact: true }).waitFor();
  });

  test('a key is changed: given up once, then published and switched to', async () => {
    const { id, dkim } = (await world.api.call('GET', '/mail/domains', { key })).json.data.items[0];
    await page.goto(`/domains/${id}`);
    const makeKey = async () => {
      await page.getByRole('button', { name: 'Rotate key…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create new key' }).click();
      await page.getByRole('heading', { name: 'The new key waits for its DNS record' }).waitFor();
    };
    await makeKey();
    await page.getByRole('button', { name: 'Cancel rotation' }).click();
    await page.getByRole('heading', { name: 'The new key waits' }).waitFor({ state: 'detached' });
    expect((await shownRecords(id)).filter(({ purpose }) => purpose === 'dkim')).toHaveLength(1);

    await makeKey();
    await page.getByText('new key', { exact: true }).waitFor();
    await looksRight('rotating', page);
    await zone.add((await shownRecords(id)).filter(({ purpose }) => purpose === 'dkim'));
    await page.getByRole('button', { name: 'Check DNS' }).click();
    await page.getByRole('heading', { name: 'The new key waits' }).waitFor({ state: 'detached' });
    expect((await world.api.call('GET', `/mail/domains/${id}`, { key })).json.data).toMatchObject({
      status: 'verified',
      dkim: { selector: expect.not.stringMatching(dkim.selector), status: 'found' },
    });
  });

  test('held and paused say why; settings are kept, a refused one is reported', async () => {
    const { id } = (await world.api.call('GET', '/mail/domains', { key })).json.data.items[0];
    const uuid = fromId('dom', id)!;
    const target = { tenantId: world.tenant.id, domain: { id: uuid } };
    await overrideTier(world.api.deps, TESTER, target, { action: 'hold', reason: REASON });
    await page.goto(`/domains/${id}`);
    await page.getByText(`: ${REASON}. It does not change`).waitFor();
    await page.getByRole('table', { name: 'Warm-up history' }).getByText(REASON).waitFor();

    await page.getByLabel('Reserve for transactional mail (%)').fill('95');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    await page.getByLabel('Reserve for transactional mail (%)').fill('20');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    await page.getByLabel('Spam and viruses').selectOption('Mark as junk');
    await page.getByText('The spam policy is saved').waitFor();
    await page.getByRole('switch', { name: 'Receive mail at this domain' }).click();
    await page.getByText('The domain no longer receives mail').waitFor();
    expect((await world.api.call('GET', `/mail/domains/${id}`, { key })).json.data).toMatchObject({
      transactional_reserve: 20,
      inbound_enabled: false,
      spam_policy: 'mark',
    });

    await world.api.context.db.pool.query(
      "update domains set warmup_state = 'paused', paused_reason = $2 where id = $1",
      [uuid, 'on 2026-11-20 bounces were 4 %, 3 % or more'],
    );
    await page.reload();
    await page.getByText(/^Sending is paused: on 2026-11-20 bounces were 4 %/).waitFor();
    await looksRight('paused', page);
    await page.goto('/domains');
    await page.getByText('Paused: on 2026-11-20').waitFor();
    await page.getByText('not enough mail yet').waitFor();
    await world.api.context.db.pool.query(
      `insert into domain_days (tenant_id, domain_id, day, simulated, sent, delivered)
       values ($1, $2, (now() at time zone 'UTC')::date - 3, false, 100, 99)`,
      [world.tenant.id, uuid],
    );
    await page.reload();
    await page.getByRole('link', { name: /^Trust score of shop\.example\.com: \d+ of 100$/ }).waitFor();
    await looksRight('list', page);
  });

  test('the reputation says what each part is worth and leads to the domain', async () => {
    for (const shown of [page, phone]) {
      await shown.goto('/reputation');
      const parts = shown.getByRole('list', { name: 'Parts of the score' });
      await parts.getByRole('progressbar', { name: 'Complaints' }).waitFor();
      expect(await parts.getByRole('progressbar').count()).toBe(7);
      await parts.getByText('Nothing to do: full points 30 days').waitFor();
      await looksRight('reputation', shown);
    }
    await page.getByRole('link', { name: 'shop.example.com' }).click();
    await page.getByRole('heading', { name: 'shop.example.com', level: 1 }).waitFor();
  });

  test('a pending domain is verified by itself while its page is open', async () => {
    const id = await addDomain('soon.example.com');
    await page.getByText('We check DNS every 15 seconds while this page is open').waitFor();
    await zone.add((await shownRecords(id)).filter(({ purpose }) => purpose !== 'mx'));
    await page.getByText('Verified. Warm-up tier 0: 50 messages a day.').waitFor();
    expect(await page.getByRole('button', { name: 'Verify domain' }).count()).toBe(0);
    const days = page.getByRole('button', { name: /^Show as table.*Cap, sent and deferred by day$/ });
    await days.click();
    expect(
      await page.getByRole('table', { name: 'Cap, sent and deferred by day' }).getByRole('row').count(),
    ).toBe(2);
  });

  test('a domain is deleted after a question; who is a stranger finds nothing', async () => {
    const id = await addDomain('old.example.com');
    const stranger = await world.api.makeTenant('pro');
    const email = `owner@${stranger.id}.test`;
    const { password } = await createUser(world.api.context, TESTER, {
      tenantId: stranger.id,
      email,
      role: 'owner',
    });
    const other = await world.openPage();
    await other.goto(`/domains/${id}`);
    await signIn(other, { email, password });
    await other.getByRole('alert').filter({ hasText: 'Loading failed' }).waitFor();
    expect(await other.getByText('old.example.com').count()).toBe(0);

    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog');
    const remove = dialog.getByRole('button', { name: 'Delete domain' });
    expect(await remove.isDisabled()).toBe(true);
    await dialog.getByLabel('Type old.example.com to confirm').fill('old.example');
    expect(await remove.isDisabled()).toBe(true);
    await dialog.getByLabel('Type old.example.com to confirm').fill('old.example.com');
    await looksRight('delete', page);
    await remove.click();
    await page.getByRole('table', { name: 'Domains' }).waitFor();
    await page.getByRole('link', { name: 'old.example.com' }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
});
