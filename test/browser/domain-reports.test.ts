// The reports about a domain on its page: nothing yet and what to publish, then who sends as it, and what fails with TLS.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newUuid, toId } from '../../core/base/ids.ts';
import { putReport } from '../../core/domain/report-store.ts';
import { readReportFile } from '../../core/mail/aggregate/read-aggregate.ts';
import { dmarcRecord, dmarcXml, tlsJson } from '../harness/aggregate-mail.ts';
import {
  complaintsOf,
  noBrowser,
  openBrowserWorld,
  scrollsSideways,
  violationsOf,
  type BrowserWorld,
} from '../harness/browser.ts';
import { skips } from '../harness/needs.ts';

const NAME = 'reported.example.com';
const EVIL = '&lt;img src=x onerror="alert(1)"&gt;';

describe.skipIf(skips(noBrowser))('reports about a domain', () => {
  let world: BrowserWorld;
  let page: Page;
  let phone: Page;
  let complaints: string[];
  const domainId = newUuid();
  const path = `/domains/${toId('dom', domainId)}`;

  beforeAll(async () => {
    world = await openBrowserWorld();
    await world.api.context.db.pool.query(
      `insert into domains (id, tenant_id, name, status, verified_at) values ($1, $2, $3, 'verified', now())`,
      [domainId, world.tenant.id, NAME],
    );
    page = await world.signedIn(path);
    phone = await world.signedIn(path, 'phone');
    complaints = [page, phone].flatMap((one) => complaintsOf(one));
  });
  afterAll(() => world.close());

  const looksRight = async (name: string) => {
    for (const [size, shown] of [['wide', page] as const, ['phone', phone] as const]) {
      await shown.locator('.animate-pulse').first().waitFor({ state: 'detached' });
      expect(await violationsOf(shown), `${name} ${size}`).toEqual([]);
      expect(await scrollsSideways(shown), `${name} ${size}`).toBe(false);
    }
  };
  const put = async (file: string, authenticated: boolean) => {
    const [report] = (await readReportFile(Buffer.from(file)))!;
    const own = { id: newUuid(), tenantId: world.tenant.id, domainId, sender: 'receiver.test' };
    expect(await putReport(world.api.context.db.pool, { ...own, authenticated, report: report! })).toBe(
      'stored',
    );
  };

  test('nothing yet: the page says what to publish', async () => {
    await page.getByRole('link', { name: 'Reports' }).click();
    await page.getByRole('heading', { name: `Reports about ${NAME}`, level: 1 }).waitFor();
    await page.getByText('No reports yet').waitFor();
    await page.getByText(`v=DMARC1; p=none; rua=mailto:dmarc@bounces.${NAME}`).waitFor();
    await page.getByRole('tab', { name: 'TLS' }).click();
    await page.getByText(`v=TLSRPTv1; rua=mailto:tlsrpt@bounces.${NAME}`).waitFor();
    await phone.goto(`${path}/reports`);
    await phone.getByText('No reports yet').waitFor();
    await looksRight('reports-empty');
  });

  test('who sends as the domain, what fails and why; what fails with TLS', async () => {
    const records = [
      dmarcRecord(NAME, { count: '1200', spf: 'pass' }),
      dmarcRecord(NAME, {
        ip: '203.0.113.9',
        count: '40',
        dkim: 'fail',
        disposition: 'quarantine',
        auth: '<spf><domain>newsletter.example</domain><result>pass</result></spf>',
      }),
      dmarcRecord(NAME, { ip: '198.51.100.7', count: '7', dkim: 'fail', disposition: 'reject', auth: '' }),
    ];
    await put(dmarcXml(NAME, { records: records.join('') }), true);
    await put(dmarcXml(NAME, { id: 'r2', org: EVIL }), false);
    await put(tlsJson(NAME), true);
    for (const shown of [page, phone]) {
      await shown.goto(`${path}/reports`);
      const sources = shown.getByRole('table', { name: 'Who sends as this domain' });
      await sources.getByText('1,200').or(sources.getByText('1,203')).waitFor();
      await sources.getByText('203.0.113.9').waitFor();
      await sources.getByText('Authenticated, but for another domain than yours').waitFor();
      await sources.getByText('spf=pass (newsletter.example)').waitFor();
      await sources.getByText('somebody else sends as you').waitFor();
      await shown.getByRole('img', { name: /^DMARC results by day\. .*Failed: highest 47/ }).waitFor();
      const list = shown.getByRole('table', { name: 'Reports' });
      await list.getByText('<img src=x onerror="alert(1)">').waitFor();
      expect(await list.getByText('not authenticated', { exact: true }).count()).toBe(1);
    }
    await looksRight('reports-dmarc');
    for (const shown of [page, phone]) {
      await shown.getByRole('tab', { name: 'TLS' }).click();
      const failures = shown.getByRole('table', { name: 'TLS failures' });
      await failures.getByText('certificate-expired').waitFor();
      await failures.getByText('The certificate has expired. Renew it.').waitFor();
      await shown.getByText('95').first().waitFor();
    }
    await looksRight('reports-tls');
    expect(complaints).toEqual([]);
  });
});
