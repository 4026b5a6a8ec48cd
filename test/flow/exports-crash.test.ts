// kill -9 of the scheduler at every step of an export: another one goes on, and the file has each row once.
// docs/crashes-audience.md has a row for each step.

import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { FAILPOINTS } from '../../core/base/failpoint.ts';
import { readExportFile } from '../../core/export/export-store.ts';
import { fromId } from '../../core/base/ids.ts';
import { createCampaignWorld, type CampaignWorld } from '../harness/campaign-world.ts';
import { waitUntil } from '../harness/wait.ts';

const STEPS = FAILPOINTS.filter((step) => step.startsWith('export.'));
const CONTACTS = 2_500;

let world: CampaignWorld;
beforeAll(async () => {
  world = await createCampaignWorld({ schedulers: 0, env: { WORKER_LEASE_MS: '1000' } });
});
afterAll(() => world?.close());

test.each(STEPS)('killed at %s', async (step) => {
  const { pool } = world.stack.context.db;
  const tenant = await world.makeTenant();
  await pool.query(
    `insert into contacts (id, tenant_id, email, email_key)
     select gen_random_uuid(), $1, 'c' || i || '@sink.test', 'c' || i || '@sink.test' from generate_series(1, $2) as i`,
    [tenant.tenantId, CONTACTS],
  );
  const doomed = await world.addScheduler({ TEST_FAILPOINTS: step });
  const made = await tenant.ask('POST', '/exports', { kind: 'contacts' });
  expect(await doomed.ended).toBe('SIGKILL');
  const survivor = await world.addScheduler();
  let now = made;
  await waitUntil(
    async () => {
      now = await tenant.ask('GET', `/exports/${made.id}`);
      return now.finished_at !== null;
    },
    { what: () => `the export to end: ${JSON.stringify(now)}` },
  );
  await survivor.kill();
  expect(now).toMatchObject({ status: 'completed', rows: CONTACTS });
  const pieces: Buffer[] = [];
  for await (const piece of readExportFile(pool, tenant.tenantId, fromId('exp', made.id)!))
    pieces.push(piece);
  const rows: string[][] = parse(Buffer.concat(pieces), { bom: true });
  expect([rows.length, new Set(rows.map(([email]) => email)).size]).toEqual([CONTACTS + 1, CONTACTS + 1]);
});
