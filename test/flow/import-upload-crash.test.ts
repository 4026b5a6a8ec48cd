// The api dies while contacts are uploaded: there is no import, neither in the list nor waiting for ever; the same
// request can be sent again at once; and a scheduler removes the bytes.

import { request, type RequestOptions } from 'node:https';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createKey } from '../../core/key/keys.ts';
import { createCampaignWorld, type CampaignWorld } from '../harness/campaign-world.ts';
import { startService, type Service } from '../harness/service.ts';
import { waitUntil } from '../harness/wait.ts';
import { TESTER } from '../harness/actor.ts';

let world: CampaignWorld;
let secondApi: Service | undefined;

beforeAll(async () => {
  world = await createCampaignWorld({ schedulers: 0 });
});
afterAll(async () => {
  await secondApi?.kill();
  await world?.close();
});

const CSV = `email,first_name\n${Array.from({ length: 80_000 }, (_, i) => `upload${i}@example.net,Name${i}`).join('\n')}\n`;

const rowsOf = async (table: string, tenantId: string) =>
  (await world.stack.context.db.pool.query(`select from ${table} where tenant_id = $1`, [tenantId])).rowCount;

/** Sends this much of the file; the rest only on request. */
function upload(options: RequestOptions, octets: number) {
  const outgoing = request(`${world.stack.baseUrl}/contacts/import`, {
    ...options,
    method: 'POST',
    rejectUnauthorized: false,
  });
  const ended = new Promise<number>((resolve, reject) => {
    outgoing.on('response', (incoming) => {
      incoming.resume();
      incoming.on('end', () => resolve(incoming.statusCode ?? 0));
    });
    outgoing.on('error', reject);
  });
  outgoing.write(CSV.slice(0, octets));
  return { ended, finish: () => outgoing.end(CSV.slice(octets)) };
}

test('killed in the middle of an upload', async () => {
  const tenant = await world.makeTenant();
  const { tenantId } = tenant;
  const scopes = ['contacts:read', 'contacts:write'];
  const { value } = await createKey(world.stack.context, TESTER, { tenantId, name: 'k', scopes });
  const headers = {
    authorization: `Bearer ${value}`,
    'content-type': 'text/csv',
    'idempotency-key': 'the-file',
  };

  const cut = upload({ headers }, CSV.length - 100);
  const broken = expect(cut.ended).rejects.toThrow();
  await waitUntil(async () => (await rowsOf('contact_import_chunks', tenantId)) === 2);
  await world.stack.api!.kill();
  await broken;
  secondApi = await startService('api', world.stack.api!.env);
  expect((await tenant.ask('GET', '/contacts/imports')).items).toEqual([]);

  const again = upload({ headers }, 0);
  again.finish();
  expect(await again.ended).toBe(202);
  // An upload that was cut off counts as abandoned after an hour without data.
  await world.stack.context.db.pool.query(
    `update contact_imports set touched_at = now() - interval '61 minutes' where status = 'uploading'`,
  );
  await world.addScheduler();
  await waitUntil(async () => (await tenant.ask('GET', '/contacts/imports')).items[0].status === 'completed');
  const { items } = await tenant.ask('GET', '/contacts/imports');
  expect(items).toMatchObject([{ total: 80_000, created: 80_000, failed: 0 }]);
  await waitUntil(async () => (await rowsOf('contact_import_chunks', tenantId)) === 0);
  expect(await rowsOf('contact_imports', tenantId)).toBe(1);
});
