// Why a message waits, on its page: each decision as a sentence, with its numbers, the time and what comes next.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { toId } from '../../core/base/ids.ts';
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

const NOTES = [
  ['warmup_cap', '2026-11-22T16:40:00Z', { tier: 2, cap: 250, used: 250, reserved: 0 }],
  ['released', '2026-11-23T00:00:02Z', { day: '2026-11-23', tier: 3, cap: 500, used: 17, reserved: 210 }],
  [
    'brake',
    '2026-11-23T00:00:09Z',
    {
      ...{ brake: 'bulk', since: '2026-11-23T00:00:05Z', measure: 'bounces', bad: 24, of: 118 },
      retry_in_ms: 86_391_000,
    },
  ],
] as const;

describe.skipIf(skips(noBrowser))('the page of a message that waits', () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await openBrowserWorld();
  });
  afterAll(() => world?.close());

  // Deferred by the cap, released, then held by the brake until midnight.
  async function waiting(tenantId: string): Promise<string> {
    const { db } = world.api.context;
    const id = await makeMessageRow(db, tenantId, { state: 'deferred', deferReason: 'brake' });
    for (const [rule, at, inputs] of NOTES)
      await db.pool.query(
        'update messages set decisions = note_decision(decisions, $2, $3, 0, $4) where id = $1',
        [id, rule, at, JSON.stringify(inputs)],
      );
    await db.pool.query(
      `update messages set created_at = '2026-11-22T16:40:00Z', deferred_until = '2026-11-24T00:00:00Z' where id = $1`,
      [id],
    );
    return toId('msg', id);
  }

  test('says by which numbers and until when it waits, on a wide screen and a phone', async () => {
    const { id: tenantId } = world.tenant;
    const path = `/messages/${await waiting(tenantId)}`;
    for (const size of ['wide', 'phone'] as const) {
      const page = await world.signedIn(path, size);
      const complaints = complaintsOf(page);
      const decisions = page.getByRole('list', { name: 'Decisions' }).getByRole('listitem');
      await decisions.nth(2).waitFor();
      expect(await decisions.count()).toBe(3);
      expect(await decisions.nth(0).innerText()).toContain(
        "Waits until 2026-11-23 00:00 UTC: 250 of 250 messages of the day's cap (tier 2) are used.",
      );
      expect(await decisions.nth(2).innerText()).toContain(
        'Waits until 2026-11-24 00:00 UTC: the same-day brake of the sending domain holds campaign mail since ' +
          '2026-11-23 00:00:05 UTC: 24 of 118 messages tried today bounced.',
      );
      expect(await decisions.nth(2).locator('time').getAttribute('datetime')).toBe(
        '2026-11-23T00:00:09.000Z',
      );
      expect(await violationsOf(page)).toEqual([]);
      expect(await scrollsSideways(page)).toBe(false);
      expect(complaints).toEqual([]);
      await page.close();
    }
  });

  test('a message of another tenant is not there', async () => {
    const other = await world.api.makeTenant();
    const page = await world.signedIn(`/messages/${await waiting(other.id)}`);
    await page.getByText('Message not found').waitFor();
    expect(await page.getByRole('list', { name: 'Decisions' }).count()).toBe(0);
  });
});
